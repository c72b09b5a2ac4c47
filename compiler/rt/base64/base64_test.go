package base64

import (
	"testing"
	"testing/quick"

	"github.com/settgraph/sett/compiler/rt"
)

func decode(text string, urlSafe bool) (string, string) {
	out := rt.NewArray[string]()
	if problem := Decode(text, urlSafe, out); problem != "" {
		return "", problem
	}
	return out.S[0], ""
}

func TestVectors(t *testing.T) { // RFC 4648, section 10, and some
	for data, text := range map[string]string{"": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foob": "Zm9vYg==", "fooba": "Zm9vYmE=", "foobar": "Zm9vYmFy", "hello world": "aGVsbG8gd29ybGQ=", "\xff\xfe\x00": "//4A"} {
		if got := Encode(data, false); got != text {
			t.Errorf("Encode(%q) = %q, want %q", data, got, text)
		}
		if got, problem := decode(text, false); got != data || problem != "" {
			t.Errorf("Decode(%q) = %q %s", text, got, problem)
		}
	}
	if got := Encode("\xff\xfe?", true); got != "__4_" {
		t.Errorf("url safe: %q", got)
	}
	for text, data := range map[string]string{"Zg": "f", "Zm8": "fo", "Zm9vYg": "foob"} {
		if got, problem := decode(text, false); got != data || problem != "" {
			t.Errorf("without padding: %q is %q %s", text, got, problem)
		}
	}
}

func TestRefused(t *testing.T) {
	for text, want := range map[string]string{"Z": "invalid base64 at offset 0", "Zg=": "invalid base64 at offset 3", "Zm9v\n": "invalid base64 at offset 4", "Zm 9v": "invalid base64 at offset 2", "Zm9v!": "invalid base64 at offset 4", "====": "invalid base64 at offset 0", "Zg==Zg==": "invalid base64 at offset 4", "_-__": "invalid base64 at offset 0", "é===": "invalid base64 at offset 0"} {
		if _, problem := decode(text, false); problem != want {
			t.Errorf("%q: %q, want %q", text, problem, want)
		}
	}
	if _, problem := decode("//4A", true); problem == "" {
		t.Error("the standard alphabet is taken for the other one")
	}
}

func TestRoundTrips(t *testing.T) {
	if err := quick.Check(func(data []byte, urlSafe bool) bool {
		got, problem := decode(Encode(string(data), urlSafe), urlSafe)
		return got == string(data) && problem == ""
	}, nil); err != nil {
		t.Error(err)
	}
}
