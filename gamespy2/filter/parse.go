package filter

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// decode accepts the empty filter, and blanks around each part.
func (m *Filter) decode(r *wire.Reader, o Options) {
	if r.Len() > maxFilter {
		r.Exceed("", maxFilter, r.Len(), maxFilter)
		return
	}
	p := parser{r: r, strict: o.Strict}
	if _, rest := p.peek(); len(rest) > 0 {
		*m = p.operation(precedenceOr, 0).Filter
	}
	p.end()
}

// A parser reads a filter by recursive descent. After a failure the Reader is
// empty, so the parser reads nothing more.
type parser struct {
	r      *wire.Reader
	strict bool
	nested int // parentheses and not
}

// An expression is a part of a filter and the number of operations nested in it.
type expression struct {
	Filter
	depth int
}

// peek skips leading blanks. It returns their number and the remaining bytes.
func (p *parser) peek() (before int, rest []byte) {
	all := p.r.Peek()
	rest = bytes.TrimLeft(all, blanks)
	return len(all) - len(rest), rest
}

// refuse fails at the next part of the filter, or at its end.
func (p *parser) refuse(field, reason string) {
	before, rest := p.peek()
	at := p.r.Offset() + before
	if len(rest) == 0 {
		p.r.Fail(lobbywire.ErrTruncated, field, at)
		return
	}
	p.r.Refuse(field, at, reason)
}

// end reads the end of the filter.
func (p *parser) end() {
	before, rest := p.peek()
	switch {
	case len(rest) == 0:
		if before > 0 {
			p.r.Text(before, "blanks")
		}
	case rest[0] == ')':
		p.refuse("parenthesis", "none is open")
	default:
		p.missingOperator(rest)
	}
}

// missingOperator fails because no operator follows an operand, unless rest may be
// the start of one.
func (p *parser) missingOperator(rest []byte) {
	if startsOperator(rest) {
		before, _ := p.peek()
		p.r.Fail(lobbywire.ErrTruncated, "operator", p.r.Offset()+before)
		return
	}
	p.refuse("operator", "missing")
}

// startsOperator reports whether rest is only an operator or the start of one. A word at
// the end of the input may continue.
func startsOperator(rest []byte) bool {
	if string(rest) == "!" || len(rest) > 0 && signOperator(rest).size == len(rest) {
		return true
	}
	n := wordSize(rest)
	words := []string{string(OpAnd), string(OpOr), string(opLike), wordIs, wordNot}
	if isWord(rest[:n], wordNot) && n < len(rest) {
		rest = bytes.TrimLeft(rest[n:], blanks)
		n, words = wordSize(rest), []string{string(opLike)}
	}
	return n == len(rest) && slices.ContainsFunc(words, func(word string) bool { return startsWord(rest, word) })
}

// operation reads operands and the operators between them, nested in depth
// operations. It stops at an operator whose precedence is lower than least.
func (p *parser) operation(least, depth int) expression {
	left := p.operand(depth)
	var last Op // of the operation that left is, if it is not in parentheses
	for {
		o := p.operator()
		if o.op == "" || o.op.precedence() < least {
			return left
		}
		before, rest := p.peek()
		at := p.r.Offset() + before
		if o.size > 0 {
			p.r.ViewWithin(before, o.size, 0, "operator")
		}
		added := 1
		if o.isNegated {
			added = 2
		}
		longer := o.op == last && (last == OpAnd || last == OpOr)
		if !longer {
			p.checkDepth(depth+left.depth+added, at, rest)
		}
		right := p.operation(o.op.precedence()+1, depth+added)
		if longer {
			left.Args = append(left.Args, right.Filter)
			left.depth = max(left.depth, right.depth+1)
		} else {
			left = expression{Filter{Op: o.op, Args: []Filter{left.Filter, right.Filter}},
				max(left.depth, right.depth) + 1}
		}
		last = o.op
		if o.isNegated {
			left, last = not(left), OpNot
		}
	}
}

// not returns the negation of e.
func not(e expression) expression {
	return expression{Filter{Op: OpNot, Args: []Filter{e.Filter}}, e.depth + 1}
}

// checkDepth fails if the operator at offset at, the start of rest, makes the filter too
// deep: depth operations, whatever the operands are. If rest ends within the operator, a
// longer filter may contain another operator there, which is less deep.
func (p *parser) checkDepth(depth, at int, rest []byte) {
	switch {
	case depth <= maxDepth:
	case startsOperator(rest):
		p.r.Fail(lobbywire.ErrTruncated, "operator", at)
	default:
		p.r.Exceed("operator", at, depth, maxDepth)
	}
}

// An operator is the operator between two operands.
type operator struct {
	op        Op
	size      int  // in bytes, without leading blanks
	isNegated bool // not like
}

// operator returns the operator that follows. Between two conditions without one it
// is an OpAnd of size 0, unless the parser is strict. The zero operator is none.
func (p *parser) operator() operator {
	_, rest := p.peek()
	if len(rest) == 0 {
		return operator{}
	}
	o := wordOperator(rest)
	if o.op == "" {
		o = signOperator(rest)
	}
	startsOperand := isLetter(rest[0]) || rest[0] == '(' || rest[0] == '!'
	if o.op == "" && startsOperand && !p.strict {
		return operator{op: OpAnd}
	}
	return o
}

// wordOperator returns the operator that rest starts with, if it is one or two words.
func wordOperator(rest []byte) operator {
	n := wordSize(rest)
	second := len(rest) - len(bytes.TrimLeft(rest[n:], blanks)) // where the second word starts
	end := second + wordSize(rest[second:])
	switch first := rest[:n]; {
	case isWord(first, string(OpAnd)):
		return operator{op: OpAnd, size: n}
	case isWord(first, string(OpOr)):
		return operator{op: OpOr, size: n}
	case isWord(first, string(opLike)):
		return operator{op: opLike, size: n}
	case isWord(first, wordIs) && isWord(rest[second:end], wordNot):
		return operator{op: opNotEqual, size: end}
	case isWord(first, wordIs):
		return operator{op: opEqual, size: n}
	case isWord(first, wordNot) && isWord(rest[second:end], string(opLike)):
		return operator{op: opLike, size: end, isNegated: true}
	}
	return operator{}
}

// signs are the operators that are not words, ordered so that none is a prefix
// of a later one.
var signs = [...]struct {
	sign string
	op   Op
}{
	{"==", opEqual}, {"<>", opNotEqual}, {"&&", OpAnd}, {"||", OpOr},
	{"!=", opNotEqual}, {"<=", opLessEqual}, {">=", opGreaterEqual}, {"<<", opShiftLeft}, {">>", opShiftRight},
	{"=", opEqual}, {"<", opLess}, {">", opGreater},
	{"|", opBitOr}, {"^", opBitXor}, {"&", opBitAnd}, {"+", opAdd}, {"-", opSubtract},
}

// signOperator returns the operator that rest starts with, if it is one of signs.
func signOperator(rest []byte) operator {
	for _, s := range signs {
		if len(rest) >= len(s.sign) && string(rest[:len(s.sign)]) == s.sign {
			return operator{op: s.op, size: len(s.sign)}
		}
	}
	return operator{}
}

// operand reads an operand, or the word not and a condition, nested in depth
// operations.
func (p *parser) operand(depth int) expression {
	before, rest := p.peek()
	if len(rest) == 0 {
		p.refuse("operand", "")
		return expression{}
	}
	c, n := rest[0], wordSize(rest)
	word := rest[:n]
	whole := max(n, 1) < len(rest) // not cut by the end of the input
	switch {
	case c == '(':
		p.enter("parenthesis", before, 1)
		e := p.operation(precedenceOr, depth)
		p.close()
		p.nested--
		return e
	case whole && (c == '!' || isWord(word, wordNot)):
		at := p.r.Offset() + before
		p.enter("operator", before, max(n, 1))
		p.checkDepth(depth+1, at, rest)
		e := not(p.operation(precedenceCompare, depth+1))
		p.nested--
		return e
	case isQuote(c):
		return expression{Filter: Filter{Op: OpText, Text: p.text(before, rest)}}
	case isDigit(c) || c == '-':
		return expression{Filter: Filter{Op: OpNumber, Text: p.number(before, rest)}}
	case isWord(word, wordNull):
		p.r.ViewWithin(before, n, 0, "null")
		return expression{Filter: Filter{Op: OpNull}}
	case n > 0 && !isKeyword(word):
		return expression{Filter: Filter{Op: OpName, Text: p.r.TextWithin(before, n, 0, "name")}}
	case !whole && (n > 0 || c == '!'):
		p.r.Fail(lobbywire.ErrTruncated, "operand", p.r.Offset()+before) // it may be the start of a name, or of !=
	default:
		p.refuse("operand", "missing")
	}
	return expression{}
}

// enter reads n bytes that start a nested part.
func (p *parser) enter(field string, before, n int) {
	p.nested++
	if p.nested > 2*maxDepth {
		p.r.Exceed(field, p.r.Offset()+before, p.nested, 2*maxDepth)
	}
	p.r.ViewWithin(before, n, 0, field)
}

// close reads the parenthesis that ends a group.
func (p *parser) close() {
	before, rest := p.peek()
	switch {
	case len(rest) == 0:
		p.refuse("parenthesis", "")
	case rest[0] == ')':
		p.r.ViewWithin(before, 1, 0, "parenthesis")
	default:
		p.missingOperator(rest)
	}
}

// number reads the number that rest starts with.
func (p *parser) number(before int, rest []byte) string {
	at := p.r.Offset() + before
	n := numberSize(rest)
	switch {
	case n > maxNumber:
		p.r.Exceed("number", at, n, maxNumber)
	case n < len(rest) || isDigit(rest[n-1]):
		if isDigit(rest[n-1]) {
			return p.r.TextWithin(before, n, 0, "number")
		}
		p.r.Refuse("number", at, "ends without a digit")
	default:
		p.r.Fail(lobbywire.ErrTruncated, "number", at)
	}
	return ""
}

// text reads the quoted text that rest starts with.
func (p *parser) text(before int, rest []byte) string {
	at := p.r.Offset() + before
	quote := rest[0]
	doubled := false
	for n := 1; n < len(rest); n++ {
		switch {
		case rest[n] == 0:
			p.r.Refuse("text", at, "contains a zero byte")
			return ""
		case rest[n] != quote:
		case n+1 < len(rest) && rest[n+1] == quote:
			doubled = true
			n++
		case p.strict || endsText(rest[n+1:]):
			s := p.r.TextWithin(before+1, n-1, 1, "text")
			if doubled {
				s = strings.ReplaceAll(s, string([]byte{quote, quote}), string(quote))
			}
			return s
		}
	}
	p.r.Fail(lobbywire.ErrTruncated, "text", at)
	return ""
}

// endsText reports whether a quote ends a text, judging by what follows it: the end of the
// filter, a parenthesis, an operator, or a name and an operator. Battlefield 2 quotes the
// text that the player types without doubling the quotes in it.
func endsText(rest []byte) bool {
	rest = bytes.TrimLeft(rest, blanks)
	n := wordSize(rest)
	if n == 0 {
		return len(rest) == 0 || rest[0] == '(' || rest[0] == ')' || rest[0] == '!' || signOperator(rest).op != ""
	}
	if isKeyword(rest[:n]) && !isWord(rest[:n], wordNull) {
		return true
	}
	rest = bytes.TrimLeft(rest[n:], blanks)
	o := cmp.Or(wordOperator(rest), signOperator(rest))
	return o.op.precedence() == precedenceCompare && !startsOperator(rest)
}
