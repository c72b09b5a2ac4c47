package text

import (
	"net/url"
	"slices"
	"testing"
	"testing/quick"
)

func TestPredicates(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want int64
	}{
		{"contains", Contains("abc", "b"), 1}, {"contains", Contains("", "a"), 0}, {"contains", Contains("", ""), 1},
		{"starts", StartsWith("abc", "ab"), 1}, {"starts", StartsWith("a", "ab"), 0}, {"ends", EndsWith("abc", "bc"), 1}, {"ends", EndsWith("", "a"), 0},
		{"empty", IsEmpty(""), 1}, {"empty", IsEmpty(" "), 0},
		{"white", IsWhitespace(" \t\r\n"), 1}, {"white", IsWhitespace(""), 1}, {"white", IsWhitespace(" x"), 0}, {"white", IsWhitespace("\v"), 0},
		{"compare", Compare("a", "b"), -1}, {"compare", Compare("b", "a"), 1}, {"compare", Compare("é", "é"), 0}, {"compare", Compare("Z", "a"), -1},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d, want %d", c.name, c.got, c.want)
		}
	}
}

func TestCodePoints(t *testing.T) {
	for code, want := range map[int64]string{65: "A", 0xe9: "é", 0x20ac: "€", 0x1f600: "😀", 0x10ffff: "\U0010ffff", -1: "\ufffd", 0x110000: "\ufffd", 0xd800: "\ufffd", 1 << 40: "\ufffd"} {
		if got := FromCodePoint(code); got != want {
			t.Errorf("FromCodePoint(%#x) = %q, want %q", code, got, want)
		}
	}
	if got := CodePoints("aé😀\xff").S; !slices.Equal(got, []int64{'a', 'é', '😀', 0xfffd}) {
		t.Errorf("CodePoints = %v", got)
	}
}

func TestURL(t *testing.T) {
	for s, want := range map[string]string{"hello%20world": "hello world", "a+b%3Dc": "a b=c", "": "", "plain": "plain", "%": "%", "%4": "%4", "%zz": "%zz", "100%": "100%", "%41%42": "AB", "%e2%82%AC": "€", "%2": "%2", "%00": "\x00"} {
		if got := URLDecode(s); got != want {
			t.Errorf("URLDecode(%q) = %q, want %q", s, got, want)
		}
	}
	if got := URLEncode("a b&c=d/é~-_."); got != "a%20b%26c%3Dd%2F%C3%A9~-_." {
		t.Errorf("URLEncode = %q", got)
	}
	if err := quick.Check(func(s string) bool {
		other, err := url.QueryUnescape(URLEncode(s))
		return URLDecode(URLEncode(s)) == s && err == nil && other == s && URLDecode(url.QueryEscape(s)) == s
	}, nil); err != nil {
		t.Error(err)
	}
}
