package wire

import "strconv"

// Int appends v in decimal digits, after a minus sign if it is negative.
func (w *Writer) Int(v int64) {
	if 0 <= v && v <= 9 { // as most counts and coordinates are
		w.b = append(w.b, byte('0'+v))
		return
	}
	w.b = strconv.AppendInt(w.b, v, 10)
}
