package udp

import "encoding"

// Next returns dst with one more element. The new element is empty and keeps the
// memory that it had; append an answer to it.
func Next(dst [][]byte) [][]byte {
	if len(dst) == cap(dst) {
		return append(dst, nil)
	}
	dst = dst[:len(dst)+1]
	dst[len(dst)-1] = dst[len(dst)-1][:0]
	return dst
}

// Append appends a copy of a datagram to dst, in the memory of [Next].
func Append(dst [][]byte, packet []byte) [][]byte {
	dst = Next(dst)
	last := &dst[len(dst)-1]
	*last = append(*last, packet...)
	return dst
}

// AppendMessage appends a message to dst as a datagram, in the memory of [Next]. On error
// it returns dst.
func AppendMessage[M encoding.BinaryAppender](dst [][]byte, m M) [][]byte {
	out := Next(dst)
	last := &out[len(dst)]
	var err error
	*last, err = m.AppendBinary(*last)
	if err != nil {
		return dst
	}
	return out
}
