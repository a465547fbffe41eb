package filter

import (
	"math"
	"strings"
)

// Match reports whether the filter matches a server. The function lookup returns the
// server's value of a key. The package documentation lists the rules. Match does not
// allocate. For a filter that [Filter.AppendBinary] refuses, the result is unspecified.
func (m Filter) Match(lookup func(key string) (value string, ok bool)) bool {
	e := evaluation{lookup: lookup, steps: math.MaxInt}
	return m.Op == "" || e.evaluate(&m, 0).isTrue()
}

// MatchWithin is Match with a limit on its work, in steps of about a nanosecond each. left
// is the rest of the limit after the work, which does not include that of lookup. If it is
// below 0, the work would exceed the limit, and matches is false.
func (m Filter) MatchWithin(limit int, lookup func(key string) (value string, ok bool)) (matches bool, left int) {
	if m.Op == "" {
		return true, limit
	}
	e := evaluation{lookup: lookup, steps: limit}
	matches = e.evaluate(&m, 0).isTrue()
	return matches && e.steps >= 0, e.steps
}

// An evaluation applies a filter to a server.
type evaluation struct {
	lookup func(key string) (value string, ok bool)
	steps  int // the remaining steps; below 0, evaluation stops
}

// The steps of an operation for each operand, and for each byte of their texts.
const (
	operandSteps = 24
	byteSteps    = 2
)

// spend subtracts steps for work, and reports whether enough remained.
func (e *evaluation) spend(steps int) bool {
	e.steps -= steps
	return e.steps >= 0
}

// A value is the result of an operation or an operand.
type value struct {
	kind     kind
	isQuoted bool // a text in quotes in the filter
	text     string
	number   number // of isNumber and isNumericText
}

// A kind is the kind of a value.
type kind uint8

const (
	isNull        kind = iota
	isText             // and not a number
	isNumericText      // the value of a key or a text in quotes
	isNumber           // a number in the filter, or computed
)

// textValue returns the value of a text. Games send blanks around numbers.
func textValue(s string) value {
	if n, ok := numberOf(strings.TrimSpace(s)); ok {
		return value{kind: isNumericText, text: s, number: n}
	}
	return value{kind: isText, text: s}
}

func truth(t bool) value {
	v := value{kind: isNumber}
	if t {
		v.number.integer = 1
	}
	return v
}

// isTrue reports whether v is true as a condition.
func (v value) isTrue() bool {
	switch v.kind {
	case isNull:
		return false
	case isText:
		return v.text != ""
	}
	return v.number.compare(number{}) != 0
}

// evaluate returns the value of m, which is nested in depth operations. An operation
// pays for its operands, a key for its value.
func (e *evaluation) evaluate(m *Filter, depth int) value {
	switch m.Op {
	case OpName:
		if s, ok := e.lookup(m.Text); ok && s != "" && e.spend(len(s)) {
			return textValue(s)
		}
		return value{}
	case OpNumber:
		n, _ := numberOf(m.Text)
		return value{kind: isNumber, text: m.Text, number: n}
	case OpText:
		v := textValue(m.Text)
		v.isQuoted = true
		return v
	}
	if depth >= maxDepth || !e.spend(operandSteps*len(m.Args)) {
		return value{}
	}
	if m.Op == OpAnd || m.Op == OpOr {
		for i := range m.Args {
			if e.evaluate(&m.Args[i], depth+1).isTrue() == (m.Op == OpOr) {
				return truth(m.Op == OpOr)
			}
		}
		return truth(m.Op == OpAnd)
	}
	if m.Op == OpNot && len(m.Args) == 1 {
		return truth(!e.evaluate(&m.Args[0], depth+1).isTrue())
	}
	if len(m.Args) != 2 {
		return value{} // null, or not a valid filter
	}
	a, b := e.evaluate(&m.Args[0], depth+1), e.evaluate(&m.Args[1], depth+1)
	if !e.spend(byteSteps * (len(a.text) + len(b.text))) {
		return value{}
	}
	return m.Op.evaluate(a, b)
}

// evaluate returns the result of an operation of two operands.
func (op Op) evaluate(a, b value) value {
	switch op {
	case opLike:
		return truth(like(a.text, b.text))
	case opEqual:
		return truth(a.equal(b))
	case opNotEqual:
		return truth(!a.equal(b))
	case opLess, opLessEqual, opGreater, opGreaterEqual:
		switch c, ok := a.compare(b); {
		case !ok:
			return truth(false)
		case c < 0:
			return truth(op == opLess || op == opLessEqual)
		case c > 0:
			return truth(op == opGreater || op == opGreaterEqual)
		}
		return truth(op == opLessEqual || op == opGreaterEqual)
	}
	return value{kind: isNumber, number: op.arithmetic(a.number, b.number)}
}

// equal reports whether a and b are equal, by the rules in the package documentation.
func (a value) equal(b value) bool {
	switch {
	case a.kind == isNumber || b.kind == isNumber:
		return a.kind != isText && b.kind != isText && a.number.compare(b.number) == 0
	case a.kind == isNumericText && b.kind == isNumericText && !a.isQuoted && !b.isQuoted:
		return a.number.compare(b.number) == 0
	}
	return a.text == b.text
}

// compare returns the order of a and b, by the same rules. ok is false if there is none.
func (a value) compare(b value) (order int, ok bool) {
	switch {
	case a.kind != isText && b.kind != isText:
		return a.number.compare(b.number), true
	case a.kind == isNumber || b.kind == isNumber:
		return 0, false
	}
	return strings.Compare(a.text, b.text), true
}
