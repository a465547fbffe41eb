package filter

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

// An Op is an operation, or a kind of operand. Operations of two operands have their names
// in the language: =, !=, <, <=, >, >=, like, |, ^, &, <<, >>, + and -.
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
	precedenceCompare // "not" is between "and" and comparisons
	precedenceBitOr
	precedenceBitXor
	precedenceBitAnd
	precedenceShift
	precedenceAdd
)

// precedence returns the precedence of an operator between operands, or 0 for other
// operations.
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
