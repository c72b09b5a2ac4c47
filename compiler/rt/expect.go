package rt

import "strconv"

// ExpectInt is expect(got).to_equal(want) of ints. line is where it stands.
func ExpectInt(line int, got, want int64) {
	if got != want {
		failEqual(line, ShowInt(got), ShowInt(want))
	}
}

// ExpectFloat is expect(got).to_equal(want) of floats.
func ExpectFloat(line int, got, want float64) {
	if got != want {
		failEqual(line, sixDecimals(got), sixDecimals(want))
	}
}

// ExpectBool is expect(got).to_equal(want) of bools.
func ExpectBool(line int, got, want bool) {
	if got != want {
		failEqual(line, ShowBool(got), ShowBool(want))
	}
}

// ExpectString is expect(got).to_equal(want) of strings.
func ExpectString(line int, got, want string) {
	if got != want {
		failEqual(line, `"`+got+`"`, `"`+want+`"`)
	}
}

// ExpectByte is expect(got).to_equal(want) of bytes.
func ExpectByte(line int, got, want byte) {
	if got != want {
		failEqual(line, ShowByte(got), ShowByte(want))
	}
}

// ExpectTrue is expect(got).to_be_true().
func ExpectTrue(line int, got bool) {
	if !got {
		failExpect(line, "expected true but got false")
	}
}

// ExpectFalse is expect(got).to_be_false().
func ExpectFalse(line int, got bool) {
	if got {
		failExpect(line, "expected false but got true")
	}
}

func sixDecimals(v float64) string {
	if v != v || v-v != 0 {
		return ShowFloat(v)
	}
	return strconv.FormatFloat(v, 'f', 6, 64)
}

func failEqual(line int, got, want string) {
	failExpect(line, "expected "+got+" to equal "+want)
}

//go:noinline
func failExpect(line int, text string) {
	panic(&Failure{text: "FAIL (line " + strconv.Itoa(line) + "): " + text, plain: true})
}
