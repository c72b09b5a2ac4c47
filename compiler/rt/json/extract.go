package json

import "github.com/settgraph/sett/compiler/rt"

// ExtractInt is the member "result" of an object that answers a remote call: an int, or a
// float without its fraction. Anything else is 0.
func ExtractInt(answer string) int64 {
	switch r := result(answer); r.tag {
	case tagInt:
		return r.payload
	case tagFloat:
		return rt.FloatToInt(r.float)
	}
	return 0
}

// ExtractFloat is the member "result" of an answer as a float, else 0.
func ExtractFloat(answer string) float64 {
	switch r := result(answer); r.tag {
	case tagInt:
		return float64(r.payload)
	case tagFloat:
		return r.float
	}
	return 0
}

// ExtractString is the member "result" of an answer when it is a string, else "".
func ExtractString(answer string) string { return result(answer).text }

// ExtractBool says whether the member "result" of an answer is true.
func ExtractBool(answer string) bool {
	r := result(answer)
	return r.tag == tagBool && r.payload == 1
}

// scalar is a value without children.
type scalar struct {
	tag, payload int64
	float        float64
	text         string
}

// result finds the last member "result" of the outermost object.
func result(answer string) scalar {
	var codes rt.Array[int64]
	var floats rt.Array[float64]
	var texts rt.Array[string]
	if Scan(answer, &codes, &floats, &texts) != "" || codes.S[0] != tagObject {
		return scalar{}
	}
	r := renderer{codes: codes.S[2:], floats: floats.S, texts: texts.S}
	var found scalar
	for range codes.S[1] {
		key := next(&r.texts)
		if v := r.skip(); key == "result" {
			found = v
		}
	}
	return found
}

// skip goes past one value with all that is in it, and returns it without its children.
func (r *renderer) skip() scalar {
	v := scalar{tag: r.codes[0], payload: r.codes[1]}
	r.codes = r.codes[2:]
	switch v.tag {
	case tagFloat:
		v.float = next(&r.floats)
	case tagString:
		v.text = next(&r.texts)
	case tagArray:
		for range v.payload {
			r.skip()
		}
	case tagObject:
		for range v.payload {
			next(&r.texts)
			r.skip()
		}
	}
	return v
}
