package wzproposal

import (
	"bytes"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A lineReader reads the columns of lines.
type lineReader struct {
	r *wire.Reader // nil when writing
	o *Options     // nil when writing

	open   bool // the line has begun
	ending int  // size of its end; 0 if the end is missing
	outer  int  // for Leave
	more   bool // a column follows
	words  int  // number of columns after the map; see nameAndMap
}

// openLine begins the next line unless it has begun.
func (l *lineReader) openLine() {
	if l.open {
		return
	}
	l.open, l.ending, l.outer, l.more = true, 0, -1, true
	if l.o.Transcript {
		skipComments(l.r, l.o.maxLine())
	}
	p := l.r.Peek()
	limit := l.o.maxLine()
	n := bytes.IndexByte(p[:min(len(p), limit)], '\n')
	if n < 0 {
		if len(p) >= limit {
			l.r.Fail(wire.Over(limit), "", l.r.Offset())
		}
		return
	}
	text := trimEnd(p[:n+1], *l.o)
	l.ending = n + 1 - len(text)
	l.outer = l.r.Enter(len(text), "", l.r.Offset())
}

// endLine ends a line whose columns have all been read.
func (l *lineReader) endLine() {
	l.open = false
	l.r.Leave(l.outer)
	l.r.Skip(l.ending, "lineEnd")
}

// readWord reads the first word of a line, which must be that of c, unless c is
// commandGame, which has none.
func (l *lineReader) readWord(c command) {
	l.openLine()
	if c == commandGame {
		return
	}
	at := l.r.Offset()
	n, sep := l.findColumn("command", columnFirst)
	if !l.isWord(l.r.ViewWithin(0, n, sep, "command"), c) {
		l.r.Refuse("command", at, otherCommand)
	}
}

// peekWord returns the command of the line, or 0 if it is unknown. It accepts the word in
// another case, which readWord refuses if strict.
func (l *lineReader) peekWord() command {
	l.openLine()
	p := l.r.Peek()
	n, _ := cutWord(p)
	for c := commandList; c <= commandError; c++ {
		if c != commandGame && strings.EqualFold(string(p[:n]), words[c]) {
			return c
		}
	}
	return 0
}

// isWord reports whether p is the word of c.
func (l *lineReader) isWord(p []byte, c command) bool {
	word := words[c]
	return len(p) == len(word) &&
		(string(p) == word || !l.o.Strict && strings.EqualFold(string(p), word))
}

// findColumn returns the lengths of the next column and of the separator after it,
// which is 0 after the last column. A column without a separator or the end of the line
// is truncated; if the line has ended, Leave makes that invalid.
func (l *lineReader) findColumn(field string, c column) (n, sep int) {
	p := l.r.Peek()
	switch {
	case l.o.Transcript:
		n, sep = cutTranscript(p, c, l.ending > 0, l.words)
	case c == columnFirst:
		n, sep = cutWord(p)
	default:
		n, sep = cutColumn(p)
	}
	if !l.more || sep == 0 && l.ending == 0 {
		l.r.Fail(lobbywire.ErrTruncated, field, l.r.Offset())
		return 0, 0
	}
	l.more = sep > 0
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
