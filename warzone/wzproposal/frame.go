package wzproposal

import (
	"bytes"
	"strings"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// NextFrame cuts the first line off b, with its end, for the Parse functions. If b
// does not contain a whole line, the error is [lobbywire.ErrTruncated] itself: read
// more and call NextFrame again, or use a [Framer], which does not start again. A line
// of more than [MaxLine] bytes, with its end, is refused with
// [lobbywire.ErrTooLarge]. On error, rest is b.
func NextFrame(b []byte) (frame, rest []byte, err error) { return new(Framer).Next(b) }

// SplitFrames is a bufio.SplitFunc that returns lines, as [NextFrame] cuts them. A
// last line without its end is an error.
func SplitFrames(data []byte, atEOF bool) (advance int, token []byte, err error) {
	return new(Framer).Split(data, atEOF)
}

// AppendFrame appends a line to b: a first word and columns. It fails as
// [Frame.AppendBinary] does. [Encoding.Append] appends a [Frame] in either encoding.
func AppendFrame(b []byte, command string, fields ...string) ([]byte, error) {
	return Frame{Command: command, Fields: fields}.AppendBinary(b)
}

// A Frame is any line or frame, split into fields that are not checked further.
//
//wire:message Message
type Frame struct {
	// Command is the first word of a line, which is the ip in the line of a [Game].
	// For a frame, it is the first word of the same message in a line, GAME for a
	// [Game], or the number of an unknown command in decimal. It is not empty.
	Command string

	// Fields are the columns of a line or the payloads of a frame, nil if there are
	// none. Payloads may have any bytes.
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
	// The bytes that have been received bound the allocation.
	if n := countPayloads(r.Peek()[:min(f.left, r.Len())]); n > 0 {
		m.Fields = make([]string, 0, n)
	}
	for i := 0; f.left > 0 && !r.Failed(); i++ {
		r.In("fields", i)
		before, n, after := f.find("", columnAny)
		m.Fields = append(m.Fields, r.TextWithin(before, n, after, ""))
	}
}

// append fails if Command is empty or contains a space, if it or a field contains a
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
