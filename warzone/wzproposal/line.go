package wzproposal

import (
	"bytes"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// openLine begins the next line unless it has begun.
func (f *fields) openLine() {
	if f.open {
		return
	}
	f.open, f.ending, f.outer, f.more = true, 0, -1, true
	if f.o.Transcript {
		f.skipComments()
	}
	p := f.r.Peek()
	limit := f.o.maxLine()
	n := bytes.IndexByte(p[:min(len(p), limit)], '\n')
	if n < 0 {
		if len(p) >= limit {
			f.r.Fail(wire.Over(limit), "", f.r.Offset())
		}
		return
	}
	text := trimEnd(p[:n+1], *f.o)
	f.ending = n + 1 - len(text)
	f.outer = f.r.Enter(len(text), "", f.r.Offset())
}

// endLine ends a line whose columns have all been read.
func (f *fields) endLine() {
	f.open = false
	f.r.Leave(f.outer)
	f.r.Skip(f.ending, "lineEnd")
}

// trimEnd removes the end of a line.
func trimEnd(p []byte, o Options) []byte {
	p = bytes.TrimSuffix(p, []byte{'\n'})
	p = bytes.TrimSuffix(p, []byte{'\r'})
	if o.Transcript {
		p = bytes.TrimRight(p, " ")
	}
	return p
}

// readWord reads the first word of a line, unless c is commandGame, which has none. It
// refuses any word except the one of c.
func (f *fields) readWord(c command) {
	f.openLine()
	if c == commandGame {
		return
	}
	at := f.r.Offset()
	n, sep := f.findColumn("command", columnFirst)
	if !f.isWord(f.r.ViewWithin(0, n, sep, "command"), c) {
		f.r.Refuse("command", at, otherCommand)
	}
}

// peekWord returns the command of the line, 0 if it is unknown. Its word may be in another
// case, which readWord refuses if strict.
func (f *fields) peekWord() command {
	f.openLine()
	p := f.r.Peek()
	n, _ := cutWord(p)
	for c := commandList; c <= commandError; c++ {
		if c != commandGame && strings.EqualFold(string(p[:n]), words[c]) {
			return c
		}
	}
	return 0
}

// isWord reports whether p is the word of c.
func (f *fields) isWord(p []byte, c command) bool {
	word := words[c]
	return len(p) == len(word) &&
		(string(p) == word || !f.o.Strict && strings.EqualFold(string(p), word))
}

// findColumn returns the lengths of the next column and of the separator after it,
// which is 0 after the last column. A column without a separator or the end of the line
// is truncated; if the line has ended, Leave makes that invalid.
func (f *fields) findColumn(field string, c column) (n, sep int) {
	p := f.r.Peek()
	switch {
	case f.o.Transcript:
		n, sep = f.cutTranscript(p, c)
	case c == columnFirst:
		n, sep = cutWord(p)
	default:
		n, sep = cutColumn(p)
	}
	if !f.more || sep == 0 && f.ending == 0 {
		f.r.Fail(lobbywire.ErrTruncated, field, f.r.Offset())
		return 0, 0
	}
	f.more = sep > 0
	return n, sep
}

// cutColumn finds a TAB.
func cutColumn(p []byte) (n, sep int) {
	n = bytes.IndexByte(p, '\t')
	if n < 0 {
		return len(p), 0
	}
	return n, 1
}

// cutWord finds a TAB or a space.
func cutWord(p []byte) (n, sep int) {
	for n, c := range p {
		if c == '\t' || c == ' ' {
			return n, 1
		}
	}
	return len(p), 0
}
