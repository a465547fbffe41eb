package wztext

import (
	"bytes"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// proto names the package in errors.
const proto = "wztext"

// Command words, and the first words of answers.
const (
	wordList      = "LIST"
	wordOpenGame  = "OPENGAME"
	wordStartGame = "STARTGAME"
	wordCloseGame = "CLOSEGAME"
	wordCount     = "COUNT"
	wordDone      = "DONE"
	wordError     = "ERROR"
)

// A line reads one line, column by column.
type line struct {
	r      *wire.Reader
	o      Options
	ending int  // bytes of the line's end; 0 if it has not come yet
	outer  int  // for Leave
	more   bool // a column follows: the line began, or a separator was read
}

// openLine begins the next line.
func openLine(r *wire.Reader, o Options) line {
	l := line{r: r, o: o, outer: -1, more: true}
	if o.Transcript {
		l.passOver()
	}
	p := r.Peek()
	limit := o.maxLine()
	n := bytes.IndexByte(p[:min(len(p), limit)], '\n')
	if n < 0 {
		if len(p) >= limit {
			r.Fail(lobbywire.ErrTooLarge, "", r.Offset())
		}
		return l
	}
	text := trimEnd(p[:n+1], o)
	l.ending = n + 1 - len(text)
	l.outer = r.Enter(len(text), "", r.Offset())
	return l
}

// trimEnd takes the end off a line.
func trimEnd(p []byte, o Options) []byte {
	p = bytes.TrimSuffix(p, []byte{'\n'})
	p = bytes.TrimSuffix(p, []byte{'\r'})
	if o.Transcript {
		p = bytes.TrimRight(p, " ")
	}
	return p
}

// find returns the length of the next column and of the separator behind it,
// none behind the last. What has neither separator nor line end is truncated;
// if the line has ended, Leave turns that into invalid.
func (l *line) find(field string, first bool) (n, sep int) {
	p := l.r.Peek()
	switch {
	case l.o.Transcript:
		n, sep = cutSpaced(p, first, l.ending > 0)
	case first:
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
	if n = bytes.IndexByte(p, '\t'); n < 0 {
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

// cutSpaced finds a TAB or a run of spaces: of two or, behind the first word,
// one. Unless the line has ended, a run at the end of p, or before a CR there,
// may prove to be the end of the line.
func cutSpaced(p []byte, first, ended bool) (n, sep int) {
	least := 2
	if first {
		least = 1
	}
	for n < len(p) {
		if p[n] == '\t' {
			return n, 1
		}
		run := 0
		for n+run < len(p) && p[n+run] == ' ' {
			run++
		}
		rest := p[n+run:]
		if run >= least && (ended || len(rest) > 0 && string(rest) != "\r") {
			return n, run
		}
		n += max(run, 1)
	}
	return len(p), 0
}

// peek returns the first word without reading it.
func (l *line) peek() []byte {
	p := l.r.Peek()
	n, _ := cutWord(p)
	return p[:n]
}

// is tells whether word is the first word called name.
func (l *line) is(word []byte, name string) bool {
	return len(word) == len(name) &&
		(string(word) == name || !l.o.Strict && strings.EqualFold(string(word), name))
}

// command reads the first word and refuses all but name.
func (l *line) command(name string) {
	at := l.r.Offset()
	n, sep := l.find("command", true)
	if !l.is(l.r.ViewWithin(0, n, sep, "command"), name) {
		l.r.Fail(lobbywire.ErrInvalid, "command", at)
	}
}

// text reads a column.
func (l *line) text(field string) string {
	at := l.r.Offset()
	n, sep := l.find(field, false)
	s := l.r.TextWithin(0, n, sep, field)
	if l.o.Strict && !isText(s) {
		l.r.Fail(lobbywire.ErrInvalid, field, at)
	}
	return s
}

// optional reads the last column if there is one.
func (l *line) optional(field string) string {
	if !l.more {
		return ""
	}
	return l.text(field)
}

// number reads a column that is a decimal number from least to most.
func (l *line) number(field string, least, most uint32) uint32 {
	at := l.r.Offset()
	n, sep := l.find(field, false)
	v, ok := parseNumber(l.r.ViewWithin(0, n, sep, field), most, l.o.Strict)
	if !ok || v < least {
		l.r.Fail(lobbywire.ErrInvalid, field, at)
	}
	return v
}

// port reads a column that is a TCP port.
func (l *line) port() uint16 { return uint16(l.number("port", 1, math.MaxUint16)) }

// end ends the line: no column may follow.
func (l *line) end() {
	if l.more {
		l.r.Fail(lobbywire.ErrTrailing, "", l.r.Offset())
	}
	l.r.Leave(l.outer)
	l.r.Skip(l.ending, "lineEnd")
}

// parseNumber reads decimal digits, without leading zeros if strict.
func parseNumber(p []byte, most uint32, strict bool) (v uint32, ok bool) {
	if len(p) == 0 || strict && len(p) > 1 && p[0] == '0' {
		return 0, false
	}
	var sum uint64
	for _, c := range p {
		sum = 10*sum + uint64(c-'0')
		if c < '0' || c > '9' || sum > uint64(most) {
			return 0, false
		}
	}
	return uint32(sum), true
}

// isText tells whether s can be a column: UTF-8 without TAB, LF, CR and NUL.
func isText(s string) bool {
	beyondASCII := false
	for i := range len(s) {
		switch c := s[i]; {
		case '\r' < c && c < utf8.RuneSelf: // nearly always
		case c >= utf8.RuneSelf:
			beyondASCII = true
		case c == 0, c == '\t', c == '\n', c == '\r':
			return false
		}
	}
	return !beyondASCII || utf8.ValidString(s)
}

// appendText appends a separator and a column.
func appendText(w *wire.Writer, field, s string) {
	if !isText(s) {
		w.Fail(lobbywire.ErrInvalid, field)
	}
	w.TextAfter('\t', s)
}

// appendNumber appends a separator and a number.
func appendNumber(w *wire.Writer, v uint32) {
	w.Uint8('\t')
	w.Decimal(uint64(v))
}

// appendPort appends a separator and a port. It refuses 0.
func appendPort(w *wire.Writer, v uint16) {
	if v == 0 {
		w.Fail(lobbywire.ErrInvalid, "port")
	}
	appendNumber(w, uint32(v))
}

// appendEnd ends the line that began when w had start bytes.
func appendEnd(w *wire.Writer, start int) {
	w.Uint8('\n')
	if w.Len()-start > MaxLine {
		w.Fail(lobbywire.ErrTooLarge, "")
	}
}
