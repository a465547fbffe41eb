package wzbin

import (
	"math"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// proto names the package in errors.
const proto = "wzbin"

// A message reads one frame, payload by payload.
type message struct {
	r    *wire.Reader
	o    Options
	left int // bytes of the message that have not been read
}

// openFrame begins the next frame. Its command must be want.
func openFrame(r *wire.Reader, o Options, want Command) message {
	at := r.Offset()
	if Command(r.Uint8("command")) != want {
		r.Fail(lobbywire.ErrInvalid, "command", at)
	}
	return message{r: r, o: o, left: int(r.Uint8("size"))}
}

// peekCommand returns the command of the next frame without reading it, 0 if
// there is none.
func peekCommand(r *wire.Reader) Command {
	if p := r.Peek(); len(p) > 0 {
		return Command(p[0])
	}
	return 0
}

// find returns the size of the next payload. One that is missing, or reaches
// beyond the message, is invalid, since no longer frame mends it.
func (m *message) find(field string) (n int) {
	p := m.r.Peek()
	at := m.r.Offset()
	switch {
	case m.left == 0:
		m.r.Fail(lobbywire.ErrInvalid, field, at)
	case len(p) == 0:
		m.r.Fail(lobbywire.ErrTruncated, field, at)
	case int(p[0]) >= m.left:
		m.r.Fail(lobbywire.ErrInvalid, field, at)
	default:
		m.left -= 1 + int(p[0])
		return int(p[0])
	}
	return 0
}

// text reads a payload that is text.
func (m *message) text(field string) string {
	at := m.r.Offset()
	s := m.r.TextWithin(1, m.find(field), 0, field)
	if m.o.Strict && !isText(s) {
		m.r.Fail(lobbywire.ErrInvalid, field, at)
	}
	return s
}

// optional reads the last payload, text, if there is one.
func (m *message) optional(field string) string {
	if m.left == 0 {
		return ""
	}
	return m.text(field)
}

// number reads a payload that is a decimal number from least to most.
func (m *message) number(field string, least, most uint32) uint32 {
	at := m.r.Offset()
	v, ok := parseNumber(m.r.ViewWithin(1, m.find(field), 0, field), most, m.o.Strict)
	if !ok || v < least {
		m.r.Fail(lobbywire.ErrInvalid, field, at)
	}
	return v
}

// port reads a payload that is a TCP port.
func (m *message) port() uint16 { return uint16(m.number("port", 1, math.MaxUint16)) }

// end ends the message: no payload may follow.
func (m *message) end() {
	if m.left > 0 {
		m.r.Fail(lobbywire.ErrTrailing, "", m.r.Offset())
	}
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

// isText tells whether s can be a column of the text proposal: UTF-8 without
// TAB, LF, CR and NUL.
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

// appendHeader appends a command and a place for the size, which is its result.
func appendHeader(w *wire.Writer, c Command) (at int) {
	w.Uint8(uint8(c))
	return w.Size8()
}

// appendText appends a payload.
func appendText(w *wire.Writer, field, s string) {
	if len(s) > MaxPayload {
		w.Fail(lobbywire.ErrTooLarge, field)
		return
	}
	if !isText(s) {
		w.Fail(lobbywire.ErrInvalid, field)
	}
	w.TextAfter(byte(len(s)), s)
}

// appendNumber appends a payload that is a number.
func appendNumber(w *wire.Writer, v uint32) {
	at := w.Size8()
	w.Decimal(uint64(v))
	w.SetSize8(at, "")
}

// appendPort appends a payload that is a port. It refuses 0.
func appendPort(w *wire.Writer, v uint16) {
	if v == 0 {
		w.Fail(lobbywire.ErrInvalid, "port")
	}
	appendNumber(w, uint32(v))
}
