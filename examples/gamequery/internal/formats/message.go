package formats

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
	"github.com/lobbywire/lobbywire/internal/messagejson"
)

// An encoder is a message of any package.
type encoder interface {
	AppendBinary(b []byte) ([]byte, error)
}

// A message is the codec of one message type.
type message[T encoder] struct {
	parse  func(b []byte, o Options) (T, error)
	fields func(b []byte, o Options) lobbywire.Explanation

	join  func(packets [][]byte, o Options) (T, error) // nil if the message is never split
	split func(v T) ([][]byte, error)                  // nil if the message is never split

	append func(v T) ([]byte, error) // nil if AppendBinary has the wire form
}

// newMessage returns the format of a message that is never split.
func newMessage[T encoder](
	name, doc string,
	parse func(b []byte, o Options) (T, error),
	explain func(b []byte) lobbywire.Explanation,
) Format {
	return Format{Name: name, Doc: doc, Codec: message[T]{
		parse:  parse,
		fields: func(b []byte, _ Options) lobbywire.Explanation { return explain(b) },
	}}
}

// newMember returns the format of a message that only a function for several
// messages reads. It refuses the others.
func newMember[T encoder, U any](
	name, doc string,
	parse func(b []byte, o Options) (U, error),
	explain func(b []byte) lobbywire.Explanation,
) Format {
	parseT := func(b []byte, o Options) (T, error) {
		m, err := parse(b, o)
		v, ok := any(m).(T)
		if err == nil && !ok {
			proto, _, _ := strings.Cut(name, ".")
			err = &lobbywire.Error{Proto: proto, Err: lobbywire.ErrUnsupported}
		}
		return v, err
	}
	return Format{Name: name, Doc: doc, Codec: message[T]{
		parse: parseT,
		fields: func(b []byte, o Options) lobbywire.Explanation {
			e := explain(b)
			if e.Err == nil {
				_, e.Err = parseT(b, o) // another message
			}
			return e
		},
	}}
}

// plain is for messages that are parsed in one way only.
func plain[T any](parse func(b []byte) (T, error)) func([]byte, Options) (T, error) {
	return func(b []byte, _ Options) (T, error) { return parse(b) }
}

// with is for messages that a method of a package's Options parses.
func with[O, T any](opts func(Options) O, parse func(O, []byte) (T, error)) func([]byte, Options) (T, error) {
	return func(b []byte, o Options) (T, error) { return parse(opts(o), b) }
}

// withOptions returns the codec of a message that a package parses and explains with
// its Options.
func withOptions[O any, T encoder](
	opts func(Options) O,
	parse func(O, []byte) (T, error),
	explain func(O, []byte) lobbywire.Explanation,
) message[T] {
	return message[T]{
		parse:  with(opts, parse),
		fields: func(b []byte, o Options) lobbywire.Explanation { return explain(opts(o), b) },
	}
}

// newUnknown returns the format of a datagram that is not decoded. explain explains an
// empty one, which is an error.
func newUnknown[T encoder](name string, unknown func(raw []byte) T,
	explain func(b []byte) lobbywire.Explanation) Format {
	return newMessage(name, "any datagram, not taken apart",
		func(b []byte, _ Options) (m T, err error) {
			if len(b) == 0 {
				return m, explain(b).Err
			}
			return unknown(slices.Clone(b)), nil
		},
		func(b []byte) lobbywire.Explanation {
			if len(b) == 0 {
				return explain(b)
			}
			return lobbywire.Explanation{Fields: []lobbywire.Field{{Name: "raw", Length: len(b)}}}
		})
}

func (m message[T]) Decode(w io.Writer, packets [][]byte, o Options) error {
	v, err := m.read(packets, o)
	if err != nil {
		return err
	}
	line, err := messagejson.Marshal(v)
	if err != nil {
		return err
	}
	return WriteIndented(w, line)
}

// WriteIndented writes an object with line breaks and indents of two blanks.
func WriteIndented(w io.Writer, line []byte) error {
	var text bytes.Buffer
	if err := json.Indent(&text, line, "", "  "); err != nil {
		return err
	}
	text.WriteByte('\n')
	_, err := text.WriteTo(w)
	return err
}

func (m message[T]) read(packets [][]byte, o Options) (T, error) {
	switch {
	case len(packets) == 1:
		return m.parse(packets[0], o)
	case m.join != nil:
		return m.join(packets, o)
	}
	var zero T
	return zero, errOnePacket()
}

// errOnePacket returns the error for several packets of a message that is never
// split.
func errOnePacket() error {
	return &usage.Error{
		Problem: "several files, but this message is never split",
		Advice:  "Give one file at a time.",
	}
}

func (m message[T]) Kind(name string, b []byte, o Options) (string, error) {
	_, err := m.parse(b, o)
	return name, err
}

func (m message[T]) line(name string, b []byte, o Options) (string, []byte, error) {
	v, err := m.parse(b, o)
	if err != nil {
		return name, nil, err
	}
	text, err := messagejson.Marshal(v)
	return name, withName(name, text), err
}

func (m message[T]) zero() any {
	var v T
	return v
}

func (m message[T]) holds(v any) bool {
	_, ok := v.(T)
	return ok
}

func (m message[T]) Explanation(b []byte, o Options) lobbywire.Explanation { return m.fields(b, o) }

func (m message[T]) Explain(w io.Writer, b []byte, o Options) error {
	return writeExplanation(w, b, m.fields(b, o))
}

func writeExplanation(w io.Writer, b []byte, e lobbywire.Explanation) error {
	if _, err := io.WriteString(w, e.Annotate(b)); err != nil {
		return err
	}
	return e.Err
}

func (m message[T]) Encode(text []byte, split bool) ([][]byte, error) {
	var v T
	if err := messagejson.Unmarshal(text, &v); err != nil {
		return nil, err
	}
	if split && m.split != nil {
		return m.split(v)
	}
	if m.append != nil {
		b, err := m.append(v)
		return [][]byte{b}, err
	}
	b, err := v.AppendBinary(nil)
	return [][]byte{b}, err
}

// An assembler joins the packets of a split answer.
type assembler interface {
	Add(b []byte) (done bool, err error)
	Missing() []int
}

// joined passes packets to an assembler and returns its result. The error has the
// numbers of missing packets.
func joined[T any](packets [][]byte, a assembler, result func() (T, error)) (m T, err error) {
	for i, b := range packets {
		if _, err := a.Add(b); err != nil {
			return m, fmt.Errorf("packet %d: %w", i+1, err)
		}
	}
	m, err = result()
	if missing := a.Missing(); err != nil && len(missing) > 0 {
		err = fmt.Errorf("%w; packets missing, counted from 0: %v", err, missing)
	}
	return m, err
}
