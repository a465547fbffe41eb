package wztext

import (
	"bytes"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// NextFrame cuts the first line off b, with its end, ready for a ParseX. While
// b holds less than a line the error is [lobbywire.ErrTruncated] itself: read
// more and call again. A line of more than limit bytes, with its end, is
// refused with [lobbywire.ErrTooLarge]. After an error rest is b.
func NextFrame(b []byte, limit int) (frame, rest []byte, err error) {
	limit = max(limit, 0)
	n := bytes.IndexByte(b[:min(len(b), limit)], '\n') + 1
	switch {
	case n > 0:
		return b[:n:n], b[n:], nil
	case len(b) >= limit:
		return nil, b, &lobbywire.Error{Proto: proto, Err: lobbywire.ErrTooLarge}
	}
	return nil, b, lobbywire.ErrTruncated
}

// SplitFrames is a bufio.SplitFunc for lines of up to [MaxLine] bytes. Tokens
// are as [NextFrame] cuts them. A last line without end is an error.
func SplitFrames(data []byte, atEOF bool) (advance int, token []byte, err error) {
	frame, _, err := NextFrame(data, MaxLine)
	switch {
	case err == nil:
		return len(frame), frame, nil
	case err != lobbywire.ErrTruncated:
		return 0, nil, err
	case atEOF && len(data) > 0:
		return 0, nil, &lobbywire.Error{Proto: proto, Err: lobbywire.ErrTruncated}
	}
	return 0, nil, nil
}

// AppendFrame appends a line of a first word and columns to b. It fails if the
// word is empty, a separator is in one of them, or the line is too long; then
// it returns b as given.
func AppendFrame(b []byte, command string, columns ...string) ([]byte, error) {
	return Frame{Command: command, Columns: columns}.AppendBinary(b)
}

// A Frame is any line, cut into its first word and columns and not judged
// further.
//
//	command [TAB columns]... LF
type Frame struct {
	Command string   // not empty; in a row of a list it is the ip
	Columns []string // nil if there are none
}

// ParseFrame reads a [Frame].
func ParseFrame(b []byte) (Frame, error) { return Options{}.ParseFrame(b) }

// ParseFrame reads a [Frame].
func (o Options) ParseFrame(b []byte) (Frame, error) {
	r := wire.NewReader(b)
	var m Frame
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return Frame{}, err
	}
	return m, nil
}

// ExplainFrame accounts for every byte of a [Frame].
func ExplainFrame(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "Frame", b, func(r *wire.Reader) { new(Frame).decode(r, Options{}) })
}

func (m *Frame) decode(r *wire.Reader, o Options) {
	l := openLine(r, o)
	m.read(&l)
	r.End()
}

func (m *Frame) read(l *line) {
	r := l.r
	at := r.Offset()
	n, sep := l.find("command", true)
	m.Command = r.TextWithin(0, n, sep, "command")
	if n == 0 || l.o.Strict && !isText(m.Command) {
		r.Fail(lobbywire.ErrInvalid, "command", at)
	}
	if l.more && l.ending > 0 {
		m.Columns = make([]string, 0, 1+bytes.Count(r.Peek(), []byte{'\t'}))
	}
	for i := 0; l.more && !r.Failed(); i++ {
		r.In("columns", i)
		m.Columns = append(m.Columns, l.text(""))
	}
	r.In("", -1)
	l.end()
}

// AppendBinary appends the wire form to b. It fails if Command is empty or
// holds a space, if it or a column holds a TAB, LF, CR, NUL or invalid UTF-8,
// or if the line is too long.
func (m Frame) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	if m.Command == "" || strings.IndexByte(m.Command, ' ') >= 0 || !isText(m.Command) {
		w.Fail(lobbywire.ErrInvalid, "command")
	}
	w.Text(m.Command)
	for i, s := range m.Columns {
		w.In("columns", i)
		appendText(&w, "", s)
	}
	w.In("", -1)
	appendEnd(&w, 0)
	return w.Finish(proto)
}

// MarshalBinary returns the wire form.
func (m Frame) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseFrame] does.
func (m *Frame) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseFrame(b)
	return err
}
