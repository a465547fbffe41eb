package filter

import "github.com/lobbywire/lobbywire/internal/wire"

const proto = "filter"

// A Filter is a condition that servers must meet to be listed. An example:
//
//	(country = 'US' and numplayers > 5) or hostname like '%GameSpy%'
//
// A Filter is a tree of operations. Its leaves, without Args, are keys, numbers,
// texts and null. The zero Filter is empty and matches every server.
//
//wire:message
type Filter struct {
	Op   Op
	Text string   // of OpName, OpNumber and OpText
	Args []Filter // the operands
}

// An Op is an operation, or a kind of operand. Operations of two operands are named as in
// the language: =, !=, <, <=, >, >=, like, |, ^, &, <<, >>, + and -.
type Op string

// Operands. They have no Args.
const (
	OpName   Op = "name"   // the value of the key Text
	OpNumber Op = "number" // the number Text: digits, with a minus sign and a decimal point if needed
	OpText   Op = "text"   // the text Text, in quotes
	OpNull   Op = "null"   // the value of a missing key
)

// Logical operations. OpOr and OpAnd have two or more operands, OpNot has one.
const (
	OpOr  Op = "or"
	OpAnd Op = "and"
	OpNot Op = "not"
)

// Operations of two operands.
const (
	opEqual        Op = "="
	opNotEqual     Op = "!="
	opLess         Op = "<"
	opLessEqual    Op = "<="
	opGreater      Op = ">"
	opGreaterEqual Op = ">="
	opLike         Op = "like"

	opBitOr      Op = "|"
	opBitXor     Op = "^"
	opBitAnd     Op = "&"
	opShiftLeft  Op = "<<"
	opShiftRight Op = ">>"
	opAdd        Op = "+"
	opSubtract   Op = "-"
)

// The precedences of operators. Operators of a higher one bind tighter.
const (
	precedenceOr = 1 + iota
	precedenceAnd
	precedenceCompare // that of not is between those of and and comparisons
	precedenceBitOr
	precedenceBitXor
	precedenceBitAnd
	precedenceShift
	precedenceAdd
)

// precedence returns the precedence of an operator between operands, and 0 for
// everything else.
func (o Op) precedence() int {
	switch o {
	case OpOr:
		return precedenceOr
	case OpAnd:
		return precedenceAnd
	case opEqual, opNotEqual, opLess, opLessEqual, opGreater, opGreaterEqual, opLike:
		return precedenceCompare
	case opBitOr:
		return precedenceBitOr
	case opBitXor:
		return precedenceBitXor
	case opBitAnd:
		return precedenceBitAnd
	case opShiftLeft, opShiftRight:
		return precedenceShift
	case opAdd, opSubtract:
		return precedenceAdd
	}
	return 0
}

// decode accepts the empty filter, and blanks around each part.
func (m *Filter) decode(r *wire.Reader, o Options) {
	if r.Len() > MaxFilter {
		r.Exceed("", MaxFilter, r.Len(), MaxFilter)
		return
	}
	p := parser{r: r, strict: o.Strict}
	if _, rest := p.peek(); len(rest) > 0 {
		*m = p.operation(precedenceOr, 0).Filter
	}
	p.end()
}

// String returns the filter as [Filter.AppendBinary] appends it, or "invalid" if
// that fails.
func (m Filter) String() string {
	b, err := m.AppendBinary(nil)
	if err != nil {
		return "invalid"
	}
	return string(b)
}

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
