package wire

import "strconv"

// Int appends v in decimal digits, with a minus sign in front if it is negative.
func (w *Writer) Int(v int64) { w.b = strconv.AppendInt(w.b, v, 10) }
