package formats

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire"
)

// A Stream is the codec of a connection: a sequence of messages. Its JSON form is a
// line for each message, which starts with the name.
type Stream struct {
	proto   string
	open    func(o Options) cutter
	members // what a message can be

	// decrypt returns the bytes that the messages consist of. Explanations show the
	// encrypted ones. nil is for streams that are not encrypted.
	decrypt func(b []byte, o Options) []byte
}

// A cutter returns the size and format of the message that rest, which is not empty,
// starts with. The format is empty for bytes between messages, such as white space. If
// the size is unknown, it is 0, and the error is the reason.
type cutter func(rest []byte) (size int, f Format, err error)

// newStream returns the format of a stream whose messages can be cut independently of
// earlier ones.
func newStream(
	name, doc, proto string,
	cut func(rest []byte, o Options) (size int, f Format, err error),
	m members,
) Format {
	return Format{Name: name, Doc: doc, Codec: Stream{
		proto:   proto,
		open:    func(o Options) cutter { return func(rest []byte) (int, Format, error) { return cut(rest, o) } },
		members: m,
	}}
}

// A Piece is a message of a stream.
type Piece struct {
	Format
	Member
	Offset int
	Bytes  []byte // of the message or, if lost is set, the rest of the stream
	Lost   error  // if not nil, the reason why the stream cannot be cut here
}

// Pieces calls do for each message of b, until the end or an error.
func (s Stream) Pieces(b []byte, o Options, do func(p Piece) error) error {
	cut := s.open(o)
	if s.decrypt != nil {
		b = s.decrypt(b, o)
	}
	for at := 0; at < len(b); {
		size, f, err := cut(b[at:])
		m, _ := f.Codec.(Member)
		p := Piece{Format: f, Member: m, Offset: at, Bytes: b[at : at+size]}
		if size == 0 {
			p.Bytes = b[at:]
			p.Lost = s.whyLost(p, err, o)
		}
		if err := do(p); err != nil || size == 0 {
			return err
		}
		at += size
	}
	return nil
}

// whyLost returns err. If the stream ends within a message, it returns the error
// about the incomplete field instead.
func (s Stream) whyLost(p Piece, err error, o Options) error {
	if p.Member != nil && errors.Is(err, lobbywire.ErrTruncated) {
		if e := p.Explanation(p.Bytes, o).Err; errors.Is(e, lobbywire.ErrTruncated) {
			return e
		}
	}
	if e := new(lobbywire.Error); errors.As(err, &e) {
		return err
	}
	return &lobbywire.Error{Proto: s.proto, Err: lobbywire.ErrTruncated}
}

// shifted returns err with its offset increased.
func shifted(err error, by int) error {
	e := new(lobbywire.Error)
	if !errors.As(err, &e) {
		return err
	}
	moved := *e
	moved.Offset += by
	return &moved
}

func (s Stream) Decode(w io.Writer, packets [][]byte, o Options) error {
	return s.Pieces(slices.Concat(packets...), o, func(p Piece) error {
		switch {
		case p.Lost != nil:
			return shifted(p.Lost, p.Offset)
		case p.Member == nil:
			return nil
		}
		name, line, err := p.line(p.Name, p.Bytes, o)
		if err != nil {
			line = brokenLine(name, p.Bytes, shifted(err, p.Offset))
		}
		_, err = w.Write(append(line, '\n'))
		return err
	})
}

// brokenLine is the JSON form of a message with broken content: the error, and the
// bytes for encode.
func brokenLine(name string, frame []byte, err error) []byte {
	var e struct {
		Field  string `json:"field"`
		Offset int    `json:"offset"`
		Kind   string `json:"kind"`
		Reason string `json:"reason,omitempty"`
	}
	e.Kind = err.Error()
	if le := new(lobbywire.Error); errors.As(err, &le) {
		e.Field, e.Offset = le.Field, le.Offset
		e.Kind, e.Reason, _ = strings.Cut(le.Err.Error(), ": ")
	}
	// Texts and numbers can always be marshaled.
	text, _ := json.Marshal(e)
	return fmt.Appendf(nil, `{"%s":"%s","error":%s,"%s":"%x"}`, nameKey, name, text, frameKey, frame)
}

// frameKey is the member that holds the bytes of a broken message.
const frameKey = "frame"

func (s Stream) Explain(w io.Writer, b []byte, o Options) error {
	var first error
	err := s.Sections(b, o, func(part Section) error {
		if part.Name != "" {
			fmt.Fprintf(w, "# %s, %d bytes from %d\n", part.Name, part.Length, part.Offset)
		}
		first = cmp.Or(first, part.Err)
		_, err := io.WriteString(w, part.Annotate(b))
		return err
	})
	return cmp.Or(err, first)
}

// A Section is the explanation of a message of a stream.
type Section struct {
	Name                  string // of the format, "" for bytes between messages
	Offset, Length        int    // of the bytes in the stream
	lobbywire.Explanation        // its offsets are in the stream
}

// Sections calls do with the explanation of b, or of each message of a stream, until an error.
func (f Format) Sections(b []byte, o Options, do func(s Section) error) error {
	switch c := f.Codec.(type) {
	case Stream:
		return c.Sections(b, o, do)
	case Member:
		name, _ := c.Kind(f.Name, b, o)
		return do(Section{Name: name, Length: len(b), Explanation: c.Explanation(b, o)})
	}
	return nil
}

// Sections calls do for each message of b, until the end or an error.
func (s Stream) Sections(b []byte, o Options, do func(s Section) error) error {
	return s.Pieces(b, o, func(p Piece) error {
		part := Section{Offset: p.Offset, Length: len(p.Bytes)}
		part.Fields = []lobbywire.Field{{Name: "unread", Length: len(p.Bytes)}}
		if p.Member != nil {
			part.Name, _ = p.Kind(p.Name, p.Bytes, o)
			part.Explanation = p.Explanation(p.Bytes, o)
		}
		if p.Lost != nil {
			part.Err = p.Lost
		}
		for i := range part.Fields {
			part.Fields[i].Offset += p.Offset
		}
		if part.Err != nil {
			part.Err = shifted(part.Err, p.Offset)
		}
		return do(part)
	})
}

func (s Stream) Encode(text []byte, split bool) ([][]byte, error) {
	if s.decrypt != nil {
		return nil, errors.New("an encrypted stream cannot be encoded")
	}
	var frames [][]byte
	lines := json.NewDecoder(bytes.NewReader(text))
	for {
		var line json.RawMessage
		if err := lines.Decode(&line); errors.Is(err, io.EOF) {
			return frames, nil
		} else if err != nil {
			return nil, fmt.Errorf("message %d: %w", len(frames)+1, err)
		}
		f, err := s.encodeLine(line, split)
		if err != nil {
			return nil, fmt.Errorf("message %d: %w", len(frames)+1, err)
		}
		frames = append(frames, f...)
	}
}

func (s Stream) encodeLine(line []byte, split bool) ([][]byte, error) {
	var broken struct {
		Error json.RawMessage `json:"error"`
		Frame *string         `json:"frame"`
	}
	// A line that is not such an object has another meaning, or another error.
	if err := json.Unmarshal(line, &broken); err == nil && broken.Error != nil && broken.Frame != nil {
		frame, err := hex.DecodeString(*broken.Frame)
		return [][]byte{frame}, err
	}
	return s.encodeNamed(line, split)
}
