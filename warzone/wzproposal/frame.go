package wzproposal

import (
	"bytes"
	"strings"
)

// A Frame is any line or frame, split into fields that are not checked further.
//
//wire:message Message
type Frame struct {
	// Command is the first word of a line; in the line of a [Game], that is the ip. For a
	// frame, it is the first word of the same message as a line, GAME for a [Game], or the
	// number of an unknown command in decimal. It is not empty.
	Command string

	// Fields are the columns of a line or the payloads of a frame, nil if there are none.
	// Payloads may contain any bytes.
	Fields []string
}

// layout fails if Command is empty or contains a space, if it or a field contains a
// TAB, LF, CR, NUL or invalid UTF-8, or if the line is too long.
//
// In the binary encoding, [Encoding.Append] fails if Command is neither a word of
// the protocol nor another number of up to 255, or if a field has more than
// [MaxPayload] bytes or the frame more than [MaxFrame].
func (m *Frame) layout(f *fields) {
	f.beginAny(&m.Command)
	if f.reads() {
		if n := f.count(); n > 0 {
			m.Fields = make([]string, 0, n)
		}
	}
	for i := 0; m.hasField(i, f); i++ {
		f.in("fields", i)
		if f.reads() {
			m.Fields = append(m.Fields, "")
		}
		f.text("", columnAny, &m.Fields[i])
	}
	f.in("", -1)
	f.end()
}

// hasField reports whether there is a field i to read or write.
func (m *Frame) hasField(i int, f *fields) bool {
	if f.reads() {
		return f.hasMore() && !f.r.Failed()
	}
	return i < len(m.Fields)
}

// beginAny reads or writes the command of a Frame.
func (f *fields) beginAny(name *string) {
	switch {
	case f.reads() && f.e == Binary:
		c := f.peek()
		f.begin(c)
		*name = c.name()
	case f.reads():
		f.openLine()
		at := f.r.Offset()
		n, sep := f.findColumn("command", columnFirst)
		*name = f.r.TextWithin(0, n, sep, "command")
		if n == 0 || f.o.Strict && !isText(*name) {
			f.r.Refuse("command", at, notWord)
		}
	case f.e == Binary:
		c, ok := commandOf(*name)
		if !ok {
			f.w.Refuse("command", "is not the number of a command")
		}
		f.begin(c)
	default:
		if *name == "" || strings.IndexByte(*name, ' ') >= 0 || !isText(*name) {
			f.w.Refuse("command", notWord)
		}
		f.start = f.w.Len()
		f.w.Text(*name)
	}
}

// count returns the number of fields that follow. The bytes that have been received
// bound it.
func (f *fields) count() (n int) {
	p := f.r.Peek()
	switch {
	case f.e == Binary:
		for p = p[:min(f.left, len(p))]; len(p) > 0; n++ {
			p = p[min(1+int(p[0]), len(p)):]
		}
	case f.more && f.ending > 0:
		n = 1 + bytes.Count(p, []byte{'\t'})
	}
	return n
}
