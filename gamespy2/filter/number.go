package filter

import (
	"cmp"
	"strconv"
)

// A number is an integer or, if it has a decimal point or does not fit 64 bits, a
// floating-point number.
type number struct {
	integer int64
	float   float64
	isFloat bool
}

// numberOf parses s as a number.
func numberOf(s string) (n number, ok bool) {
	size := numberSize(s)
	if size == 0 || size != len(s) || size > maxNumber || !isDigit(s[size-1]) {
		return number{}, false
	}
	digits, negative := s, s[0] == '-'
	if negative {
		digits = s[1:]
	}
	for i := range len(digits) {
		d := int64(digits[i]) - '0'
		if digits[i] == '.' || n.integer > (1<<63-1-d)/10 {
			// This cannot fail: the syntax is valid and the length bounds the value.
			f, _ := strconv.ParseFloat(s, 64)
			return number{float: f, isFloat: true}, true
		}
		n.integer = n.integer*10 + d
	}
	if negative {
		n.integer = -n.integer
	}
	return n, true
}

// numberSize returns the size of the number that s starts with: a minus sign,
// digits, a point and digits. It counts a sign or point that no digit follows.
func numberSize[T ~string | ~[]byte](s T) int {
	n := 0
	if n < len(s) && s[n] == '-' {
		n++
	}
	first := n
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	if n > first && n < len(s) && s[n] == '.' {
		n++
		for n < len(s) && isDigit(s[n]) {
			n++
		}
	}
	return n
}

// asFloat returns n as a floating-point number.
func (n number) asFloat() float64 {
	if n.isFloat {
		return n.float
	}
	return float64(n.integer)
}

// asInteger returns n without its decimal places, and 0 if it does not fit 64 bits.
func (n number) asInteger() int64 {
	if !n.isFloat {
		return n.integer
	}
	if n.float <= -(1<<63) || n.float >= 1<<63 {
		return 0
	}
	return int64(n.float)
}

// compare returns -1 if n is less than m, 0 if they are equal and 1 otherwise.
func (n number) compare(m number) int {
	if n.isFloat || m.isFloat {
		return cmp.Compare(n.asFloat(), m.asFloat())
	}
	return cmp.Compare(n.integer, m.integer)
}

// arithmetic returns the result of an operation. Integers wrap around. A shift by
// less than 0 or more than 63 bits gives 0.
func (op Op) arithmetic(a, b number) number {
	x, y := a.asInteger(), b.asInteger()
	shift, float := 0 <= y && y <= 63, a.isFloat || b.isFloat
	switch {
	case op == opAdd && float:
		return number{float: a.asFloat() + b.asFloat(), isFloat: true}
	case op == opSubtract && float:
		return number{float: a.asFloat() - b.asFloat(), isFloat: true}
	case op == opAdd:
		x += y
	case op == opSubtract:
		x -= y
	case op == opBitAnd:
		x &= y
	case op == opBitOr:
		x |= y
	case op == opBitXor:
		x ^= y
	case op == opShiftLeft && shift:
		x <<= y
	case op == opShiftRight && shift:
		x >>= y
	default:
		x = 0
	}
	return number{integer: x}
}
