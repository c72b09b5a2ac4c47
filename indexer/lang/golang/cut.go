package golang

// cutBodies returns src with the bodies of top-level functions emptied, which is all
// that other packages can see of a file, at a fraction of the cost of parsing. A file
// whose braces do not balance comes back uncut from the function in question on.
// Offsets change; the result is only for code that nobody asks positions of.
func cutBodies(src []byte) []byte {
	var out []byte
	kept := 0 // src[:kept] has been dealt with
	for i := 0; i < len(src); {
		c := src[i]
		switch {
		case isLetter(c):
			end := wordEnd(src, i)
			if end-i != 4 || string(src[i:end]) != "func" {
				i = end
				break
			}
			open, next := bodyOf(src, end)
			if open < 0 {
				i = next
				break
			}
			end = skipBalanced(src, open)
			if end < 0 {
				return append(out, src[kept:]...)
			}
			if out == nil {
				out = make([]byte, 0, len(src)/2)
			}
			out = append(out, src[kept:open]...)
			out = append(out, '{', '}')
			i, kept = end, end
		case c == '(' || c == '[' || c == '{':
			end := skipBalanced(src, i)
			if end < 0 {
				return append(out, src[kept:]...)
			}
			i = end
		default:
			i = skipToken(src, i)
		}
	}
	if out == nil {
		return src
	}
	return append(out, src[kept:]...)
}

// bodyOf returns where the body of a function opens whose func keyword ends at i, or a
// negative number and where to go on when it has none.
func bodyOf(src []byte, i int) (open, next int) {
	literal, some := false, false // the last word was struct or interface; something was seen
	for i < len(src) {
		switch c := src[i]; {
		case isLetter(c):
			end := wordEnd(src, i)
			word := src[i:end]
			literal = string(word) == "struct" || string(word) == "interface"
			some = true
			i = end
		case c == '(' || c == '[' || c == '{':
			if c == '{' && !literal {
				return i, i
			}
			literal, some = false, true
			end := skipBalanced(src, i)
			if end < 0 {
				return -1, len(src)
			}
			i = end
		case c == '\n':
			if some {
				return -1, i
			}
			i++
		case c == ' ' || c == '\t' || c == '\r' || c == '*' || c == '.' || c == '<' || c == '-':
			i++
		case c == '/':
			end := skipToken(src, i)
			if end == i+1 {
				return -1, end
			}
			i = end
		case c >= '0' && c <= '9':
			i++
		default:
			return -1, i
		}
	}
	return -1, i
}

// skipBalanced returns the index after the bracket that closes the one at i, or -1.
func skipBalanced(src []byte, i int) int {
	depth := 0
	for i < len(src) {
		switch src[i] {
		case '{', '(', '[':
			depth++
			i++
		case '}', ')', ']':
			depth--
			i++
			if depth == 0 {
				return i
			}
		case '"', '\'', '`', '/':
			i = skipToken(src, i)
		default:
			i++
		}
	}
	return -1
}

// skipToken returns the index after the string, character or comment at i, or after
// the byte at i when none starts there.
func skipToken(src []byte, i int) int {
	switch c := src[i]; c {
	case '"', '\'':
		for i++; i < len(src); i++ {
			switch src[i] {
			case '\\':
				i++
			case c:
				return i + 1
			case '\n':
				return i
			}
		}
		return len(src)
	case '`':
		for i++; i < len(src); i++ {
			if src[i] == '`' {
				return i + 1
			}
		}
		return i
	case '/':
		if i+1 == len(src) {
			return i + 1
		}
		switch src[i+1] {
		case '/':
			for i += 2; i < len(src) && src[i] != '\n'; i++ {
			}
			return i
		case '*':
			for i += 2; i < len(src); i++ {
				if src[i] == '*' && i+1 < len(src) && src[i+1] == '/' {
					return i + 2
				}
			}
			return i
		}
	}
	return i + 1
}

func isLetter(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= 0x80
}

func wordEnd(src []byte, i int) int {
	for i < len(src) && (isLetter(src[i]) || src[i] >= '0' && src[i] <= '9') {
		i++
	}
	return i
}
