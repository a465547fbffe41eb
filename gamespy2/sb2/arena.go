package sb2

import (
	"strconv"
	"strings"
)

// An arena holds the texts and the fields of servers. It allocates them in blocks,
// so that a long list costs few allocations.
type arena struct {
	texts  *strings.Builder // a block; nil at the start
	fields []KeyValue       // free
	size   int              // of the last block of fields
}

// Sizes of blocks.
const (
	minTextBlock, maxTextBlock   = 64, 4096 // bytes
	minFieldBlock, maxFieldBlock = 4, 128   // fields
	minServerBlock               = 16
)

// text returns p as a string.
func (a *arena) text(p []byte) string {
	if len(p) == 0 {
		return ""
	}
	start := a.room(len(p))
	a.texts.Write(p)
	return a.texts.String()[start:]
}

// decimal returns n in decimal digits.
func (a *arena) decimal(n uint16) string {
	var digits [len("65535")]byte
	return a.text(strconv.AppendUint(digits[:0], uint64(n), 10))
}

// room makes room for n bytes and returns their offset.
func (a *arena) room(n int) (start int) {
	size := minTextBlock
	if a.texts != nil {
		start = a.texts.Len()
		if n <= a.texts.Cap()-start {
			return start
		}
		size = min(2*a.texts.Cap(), maxTextBlock)
	}
	a.texts = new(strings.Builder)
	a.texts.Grow(max(n, size))
	return 0
}

// pairs returns n fields.
func (a *arena) pairs(n int) []KeyValue {
	if n > len(a.fields) {
		a.size = min(max(2*a.size, minFieldBlock), maxFieldBlock)
		a.fields = make([]KeyValue, max(n, a.size))
	}
	all := a.fields[:n:n]
	a.fields = a.fields[n:]
	return all
}

// A serverList holds servers while their number is unknown. It allocates them in blocks:
// a slice that grows would take up to 120 times the bytes of a list of short servers.
type serverList struct {
	full  [][]Server
	block []Server
	n     int
}

// next adds a server. The rest of the list has size bytes.
func (l *serverList) next(size int) *Server {
	if len(l.block) == cap(l.block) {
		if l.n > 0 {
			l.full = append(l.full, l.block)
		}
		l.block = make([]Server, 0, min(minServerBlock+l.n/4, 1+size/minServer))
	}
	l.n++
	l.block = l.block[:len(l.block)+1]
	return &l.block[len(l.block)-1]
}

// servers returns all servers.
func (l *serverList) servers() []Server {
	if len(l.full) == 0 {
		return l.block[:l.n:l.n]
	}
	all := make([]Server, 0, l.n)
	for _, block := range l.full {
		all = append(all, block...)
	}
	return append(all, l.block...)
}
