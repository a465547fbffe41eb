package filter

import "strings"

// Match reports whether the filter matches a server. The function lookup returns
// the server's value of a key. The package documentation has the rules. Match does
// not allocate. For a filter that [Filter.AppendBinary] refuses, the result is
// unspecified.
func (m Filter) Match(lookup func(key string) (value string, ok bool)) bool {
	return m.Op == "" || m.evaluate(lookup, 0).isTrue()
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
	isText             // and no number
	isNumericText      // the value of a key or a text in quotes
	isNumber           // a number in the filter, or computed
)

// textValue returns the value of a text.
func textValue(s string) value {
	if n, ok := numberOf(s); ok {
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

// evaluate returns the value of m, which is nested in depth operations.
func (m *Filter) evaluate(lookup func(key string) (value string, ok bool), depth int) value {
	switch m.Op {
	case OpName:
		if s, ok := lookup(m.Text); ok && s != "" {
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
	if depth >= MaxDepth {
		return value{}
	}
	if m.Op == OpAnd || m.Op == OpOr {
		for i := range m.Args {
			if m.Args[i].evaluate(lookup, depth+1).isTrue() == (m.Op == OpOr) {
				return truth(m.Op == OpOr)
			}
		}
		return truth(m.Op == OpAnd)
	}
	if m.Op == OpNot && len(m.Args) == 1 {
		return truth(!m.Args[0].evaluate(lookup, depth+1).isTrue())
	}
	if len(m.Args) != 2 {
		return value{} // null, or not a valid filter
	}
	return m.Op.evaluate(m.Args[0].evaluate(lookup, depth+1), m.Args[1].evaluate(lookup, depth+1))
}

// evaluate returns the result of an operation of two operands.
func (op Op) evaluate(a, b value) value {
	switch op {
	case OpLike:
		return truth(like(a.text, b.text))
	case OpEqual:
		return truth(a.equal(b))
	case OpNotEqual:
		return truth(!a.equal(b))
	case OpLess, OpLessEqual, OpGreater, OpGreaterEqual:
		switch c, ok := a.compare(b); {
		case !ok:
			return truth(false)
		case c < 0:
			return truth(op == OpLess || op == OpLessEqual)
		case c > 0:
			return truth(op == OpGreater || op == OpGreaterEqual)
		}
		return truth(op == OpLessEqual || op == OpGreaterEqual)
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
