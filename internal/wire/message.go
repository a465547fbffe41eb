package wire

// The functions of this file are the bodies of the generated ParseX and AppendBinary. They
// are inlined there, which makes decode and append direct calls: messages and readers stay
// on the stack.

// Parse reads a message of protocol proto with decode.
func Parse[M, O any](proto string, b []byte, o O, decode func(*M, *Reader, O)) (m M, err error) {
	r := NewReader(b)
	decode(&m, &r, o)
	if r.fail != nil {
		return *new(M), r.Err(proto)
	}
	return m, nil
}

// ParseAny reads a message that is one of several types with decode.
func ParseAny[M, O any](proto string, b []byte, o O, decode func(*Reader, O) M) (m M, err error) {
	r := NewReader(b)
	m = decode(&r, o)
	if r.fail != nil {
		return *new(M), r.Err(proto)
	}
	return m, nil
}

// Append appends m, a message of protocol proto, to b with encode.
func Append[M any](proto string, b []byte, m *M, encode func(*M, *Writer)) ([]byte, error) {
	w := Writer{b: b, given: b}
	encode(m, &w)
	return w.Finish(proto)
}
