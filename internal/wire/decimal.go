package wire

import (
	"math"
	"strconv"
)

// Int0 reads a decimal number that ends with a zero byte, with a minus sign in
// front if it is negative. It must fit a signed integer with the given number of bits.
func (r *Reader) Int0(bits int, field string) int64 {
	at := r.off
	limit := uint64(math.MaxInt64) >> (64 - bits)
	p := r.Peek()
	i := 0
	negative := len(p) > 0 && p[0] == '-'
	if negative {
		i = 1
		limit++
	}
	first := i
	var v uint64
	for ; i < len(p) && p[i] != 0; i++ {
		digit := uint64(p[i] - '0')
		if digit > 9 {
			r.Refuse(field, at, "is not a number")
			return 0
		}
		if v > (limit-digit)/10 {
			r.Refuse(field, at, "is too large a number")
			return 0
		}
		v = v*10 + digit
	}
	if i < len(p) && i == first {
		r.Refuse(field, at, "is not a number")
		return 0
	}
	if r.take(i+1, field) == nil {
		return 0
	}
	n := int64(v)
	if negative {
		n = -n
	}
	note(r, i+1, field, n)
	return n
}

// Int0 appends v in decimal digits and a zero byte.
func (w *Writer) Int0(v int64) {
	b := strconv.AppendInt(w.b, v, 10)
	w.b = append(b, 0)
}
