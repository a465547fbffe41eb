package filter

import (
	"strings"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// String returns the filter as [Filter.AppendBinary] appends it, or "invalid" if
// that fails.
func (m Filter) String() string {
	b, err := m.AppendBinary(nil)
	if err != nil {
		return "invalid"
	}
	return string(b)
}

// append puts each nested operation in parentheses, except comparisons and OpNot
// within OpAnd and OpOr, so that programs with other precedences read the same
// filter. It fails if an operation has the wrong number of operands, if
// operations are nested too deep, or if the result is too long.
func (m *Filter) append(w *wire.Writer) {
	if m.Op == "" && m.Text == "" && len(m.Args) == 0 {
		return
	}
	m.print(w, 0)
	if n := w.Len(); n > maxFilter {
		w.Exceed("", n, maxFilter)
	}
}

// print appends m, which is nested in depth operations.
func (m *Filter) print(w *wire.Writer, depth int) {
	switch {
	case m.Op == OpNot:
		m.checkOperation(w, 1, 1, depth)
		w.Text(string(OpNot) + " ")
	case m.Op == OpAnd || m.Op == OpOr:
		m.checkOperation(w, 2, maxFilter, depth)
	case m.Op.precedence() > 0:
		m.checkOperation(w, 2, 2, depth)
	default:
		m.printOperand(w)
	}
	for i := range m.Args {
		if w.Failed() {
			return
		}
		if i > 0 {
			w.Text(" " + string(m.Op) + " ")
		}
		arg := &m.Args[i]
		condition := arg.Op == OpNot || arg.Op.precedence() == precedenceCompare
		if len(arg.Args) == 0 || condition && (m.Op == OpAnd || m.Op == OpOr) {
			arg.print(w, depth+1)
			continue
		}
		w.Uint8('(')
		arg.print(w, depth+1)
		w.Uint8(')')
	}
}

// checkOperation fails if m, nested in depth operations, is nested too deep or
// does not have least to most operands.
func (m *Filter) checkOperation(w *wire.Writer, least, most, depth int) {
	switch {
	case depth >= maxDepth:
		w.Exceed("args", depth+1, maxDepth)
	case len(m.Args) < least:
		w.Refuse("args", "too few")
	case len(m.Args) > most:
		w.Exceed("args", len(m.Args), most)
	case m.Text != "":
		w.Refuse("text", "belongs to an operation")
	}
}

// printOperand appends m, which is a leaf.
func (m *Filter) printOperand(w *wire.Writer) {
	if len(m.Args) > 0 {
		w.Exceed("args", len(m.Args), 0)
	}
	switch m.Op {
	case OpName:
		if !isName(m.Text) {
			w.Refuse("text", "is not a name")
		}
		w.Text(m.Text)
	case OpNumber:
		if _, ok := numberOf(m.Text); !ok {
			w.Refuse("text", "is not a number")
		}
		w.Text(m.Text)
	case OpText:
		if strings.IndexByte(m.Text, 0) >= 0 {
			w.Refuse("text", "contains a zero byte")
		}
		w.Text("'" + strings.ReplaceAll(m.Text, "'", "''") + "'")
	case OpNull:
		if m.Text != "" {
			w.Refuse("text", "belongs to null")
		}
		w.Text(wordNull)
	default:
		w.Refuse("op", "is not an operation")
	}
}
