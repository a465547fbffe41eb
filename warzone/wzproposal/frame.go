package wzproposal

import (
	"bytes"
	"strings"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// NextFrame cuts the first line off b, with its end, ready for a ParseX. While
// b holds less than a line the error is [lobbywire.ErrTruncated] itself: read
// more behind rest and call again, or use a [Framer], which does not start again.
// A line of more than [MaxLine] bytes, with its
// end, is refused with [lobbywire.ErrTooLarge]; then rest is b.
func NextFrame(b []byte) (frame, rest []byte, err error) { return new(Framer).Next(b) }

// SplitFrames is a bufio.SplitFunc for lines of up to [MaxLine] bytes. Tokens
// are as [NextFrame] cuts them. A last line without end is an error.
func SplitFrames(data []byte, atEOF bool) (advance int, token []byte, err error) {
	return new(Framer).Split(data, atEOF)
}

// AppendFrame appends a line of a first word and columns to b. It fails as
// [Frame.AppendBinary] does and then returns b as given. [Encoding.Append]
// appends a [Frame] in either encoding.
func AppendFrame(b []byte, command string, fields ...string) ([]byte, error) {
	return Frame{Command: command, Fields: fields}.AppendBinary(b)
}

// A Frame is any line or frame, cut into its fields and not judged further.
//
//wire:message Message
type Frame struct {
	// Command is the first word of a line and not empty; of a row of a list it
	// is the ip. The command of a frame is the word that is the first in a line,
	// GAME for a [Game], or its number in decimal if there is no such word.
	Command string

	// Fields are the columns of a line, or the payloads of a frame, which hold
	// any bytes; nil if there are none.
	Fields []string
}

func (m *Frame) decode(r *wire.Reader, o Options) {
	f := reading(r, o)
	m.read(&f)
	r.End()
}

func (m *Frame) read(f *fields) {
	if f.o.Encoding == Binary {
		m.readFrame(f)
	} else {
		m.readLine(f)
	}
	f.r.In("", -1)
	f.end()
}

func (m *Frame) readLine(f *fields) {
	f.openLine()
	r := f.r
	at := r.Offset()
	n, sep := f.findColumn("command", columnFirst)
	m.Command = r.TextWithin(0, n, sep, "command")
	if n == 0 || f.o.Strict && !isText(m.Command) {
		r.Refuse("command", at, notWord)
	}
	if f.more && f.ending > 0 {
		m.Fields = make([]string, 0, 1+bytes.Count(r.Peek(), []byte{'\t'}))
	}
	for i := 0; f.more && !r.Failed(); i++ {
		r.In("fields", i)
		m.Fields = append(m.Fields, "")
		f.text("", columnAny, &m.Fields[i])
	}
}

func (m *Frame) readFrame(f *fields) {
	r := f.r
	c := f.peek()
	f.begin(c)
	m.Command = c.name()
	// The received part of the message bounds the allocation.
	if n := countPayloads(r.Peek()[:min(f.left, r.Len())]); n > 0 {
		m.Fields = make([]string, 0, n)
	}
	for i := 0; f.left > 0 && !r.Failed(); i++ {
		r.In("fields", i)
		before, n, after := f.find("", columnAny)
		m.Fields = append(m.Fields, r.TextWithin(before, n, after, ""))
	}
}

// append fails if Command is empty or holds a space, if it or a field holds a
// TAB, LF, CR, NUL or invalid UTF-8, or if the line is too long.
//
// In the binary encoding, [Encoding.Append] fails if Command is neither a word of
// the protocol nor another number of up to 255, or if a field has more than
// [MaxPayload] bytes or the frame more than [MaxFrame].
func (m *Frame) append(w *wire.Writer) {
	f := writing(w)
	m.write(&f)
}

func (m *Frame) write(f *fields) {
	if f.o.Encoding == Binary {
		m.writeFrame(f)
	} else {
		m.writeLine(f)
	}
	f.w.In("", -1)
	f.end()
}

func (m *Frame) writeLine(f *fields) {
	if m.Command == "" || strings.IndexByte(m.Command, ' ') >= 0 || !isText(m.Command) {
		f.w.Refuse("command", notWord)
	}
	f.start = f.w.Len()
	f.w.Text(m.Command)
	for i := range m.Fields {
		f.w.In("fields", i)
		f.text("", columnAny, &m.Fields[i])
	}
}

func (m *Frame) writeFrame(f *fields) {
	c, ok := commandOf(m.Command)
	if !ok {
		f.w.Refuse("command", "is not the number of a command")
	}
	f.begin(c)
	for i, p := range m.Fields {
		f.w.In("fields", i)
		f.put("", p)
	}
}
