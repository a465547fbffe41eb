package filter

// blanks may surround each part of a filter.
const blanks = " \t\n\v\f\r"

// Words of the language that are not operators between operands.
const (
	wordIs   = "is"
	wordNot  = string(OpNot)
	wordNull = string(OpNull)
)

// isKeyword reports whether a word is part of the language and thus not a name.
func isKeyword[T ~string | ~[]byte](word T) bool {
	for _, k := range [...]string{string(OpAnd), string(OpOr), string(opLike), wordIs, wordNot, wordNull} {
		if isWord(word, k) {
			return true
		}
	}
	return false
}

// isWord reports whether word is k, in any case.
func isWord[T ~string | ~[]byte](word T, k string) bool {
	return len(word) == len(k) && startsWord(word, k)
}

// startsWord reports whether k starts with word, in any case. k is in lower case.
func startsWord[T ~string | ~[]byte](word T, k string) bool {
	for i := range len(word) {
		if i == len(k) || lower(word[i]) != k[i] {
			return false
		}
	}
	return true
}

// isName reports whether s is a name that a filter can hold.
func isName(s string) bool { return s != "" && wordSize(s) == len(s) && !isKeyword(s) }

// wordSize returns the size of the word that s starts with: letters, digits,
// underscores and dots, the first of them a letter or an underscore.
func wordSize[T ~string | ~[]byte](s T) int {
	n := 0
	for n < len(s) && (isLetter(s[n]) || n > 0 && (isDigit(s[n]) || s[n] == '.')) {
		n++
	}
	return n
}

func isLetter(c byte) bool { return c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isQuote(c byte) bool  { return c == '\'' || c == '"' }
