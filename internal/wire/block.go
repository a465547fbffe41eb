package wire

import (
	"encoding/binary"
	"slices"
	"strings"
)

// A Block is a part of a message with a fixed size. Its fields are written in order;
// bytes that are not written are zero. For fields with much padding, this is faster
// than appending.
type Block struct {
	w  *Writer
	p  []byte
	at int
}

// Block appends a Block of n bytes. All fields must fit in it.
func (w *Writer) Block(n int) Block {
	start := len(w.b)
	w.b = slices.Grow(w.b, n)[:start+n]
	p := w.b[start:]
	clear(p)
	return Block{w: w, p: p}
}

// Uint16 writes a 16-bit number, big-endian.
func (b *Block) Uint16(v uint16) {
	binary.BigEndian.PutUint16(b.p[b.at:], v)
	b.at += 2
}

// Uint32 writes a 32-bit number, big-endian.
func (b *Block) Uint32(v uint32) {
	binary.BigEndian.PutUint32(b.p[b.at:], v)
	b.at += 4
}

// Uint32LE writes a 32-bit number, little-endian.
func (b *Block) Uint32LE(v uint32) {
	binary.LittleEndian.PutUint32(b.p[b.at:], v)
	b.at += 4
}

// TextFixed writes s in a field of n bytes, with at least one zero byte after it. It
// fails if s is too long or contains a zero byte.
func (b *Block) TextFixed(n int, field, s string) {
	switch {
	case s == "":
	case len(s) >= n:
		b.w.Exceed(field, len(s), n-1)
	case strings.IndexByte(s, 0) >= 0:
		b.w.Refuse(field, hasZero)
	default:
		copy(b.p[b.at:], s)
	}
	b.at += n
}
