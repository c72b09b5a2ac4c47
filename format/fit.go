package format

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Tokens estimates how many tokens a text costs its reader, within some 15 % for answers
// of ours.
func Tokens(s string) int {
	quarters := 0 // a token is four
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		j := i + size
		switch {
		case unicode.IsLetter(r):
			// A word, or a hump of a camelCase name.
			for j < len(s) {
				n, size := utf8.DecodeRuneInString(s[j:])
				if !unicode.IsLetter(n) || unicode.IsUpper(n) && !unicode.IsUpper(r) {
					break
				}
				r = n
				j += size
			}
			quarters += wordCost(j - i)
		case unicode.IsDigit(r):
			for j < len(s) && s[j] >= '0' && s[j] <= '9' {
				j++
			}
			quarters += 4 * ((j - i + 2) / 3)
		case r == ' ':
			// Goes with the word after it, except before digits.
			for j < len(s) && s[j] == ' ' {
				j++
			}
			if j < len(s) && s[j] >= '0' && s[j] <= '9' {
				quarters += 4
			}
		case r == '\n':
			for j < len(s) && (s[j] == '\n' || s[j] == ' ') {
				j++
			}
			quarters += 4
		case r < 0x80:
			quarters += 3 // some go with their neighbours
		default:
			quarters += 4
		}
		i = j
	}
	return (quarters + 3) / 4
}

func wordCost(bytes int) int {
	switch {
	case bytes <= 10:
		return 4
	case bytes <= 14:
		return 6
	}
	return 4 * ((bytes + 5) / 6)
}

// fit returns the first of the texts, from the longest to the shortest, that the budget
// allows; of the last, the lines that it allows. rest makes the line that says how many
// lines were left out.
func fit(budget int, rest func(lines int) string, texts ...func() string) string {
	last := ""
	for _, t := range texts {
		last = t()
		if Tokens(last) <= budget {
			return last
		}
	}
	return cutLines(last, budget, rest)
}

// cutLines keeps the first lines that the budget allows: always one.
func cutLines(text string, budget int, rest func(lines int) string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	kept := 1
	used := Tokens(lines[0]) + Tokens(rest(len(lines)))
	for kept < len(lines) {
		used += Tokens(lines[kept]) + 1
		if used > budget {
			break
		}
		kept++
	}
	if kept == len(lines) {
		return text
	}
	return strings.Join(lines[:kept], "\n") + "\n" + rest(len(lines)-kept)
}

// plural counts things: 1 file, 2 files.
func plural(n int, one string) string {
	if n == 1 {
		return fmt.Sprintf("1 %s", one)
	}
	if strings.HasSuffix(one, "s") || strings.HasSuffix(one, "x") {
		return fmt.Sprintf("%d %ses", n, one)
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// share divides what is left of a budget among the answers to come.
func share(budget, used, left int) int { return max((budget-used)/max(left, 1), 40) }
