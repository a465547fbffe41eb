package formats

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/messagejson"
)

// An encoder is a message of any package.
type encoder interface {
	AppendBinary(b []byte) ([]byte, error)
}

// A message is the codec of one message type. It has no type parameter, because the code of
// its methods for each type would be most of a program that only explains.
type message struct {
	empty  encoder // the zero value of the type
	parse  func(b []byte, o Options) (encoder, error)
	fields func(b []byte, o Options) lobbywire.Explanation

	join  func(packets [][]byte, o Options) (encoder, error) // nil if the message is never split
	split func(v encoder) ([][]byte, error)                  // nil if the message is never split

	append func(v encoder) ([]byte, error) // nil if AppendBinary appends the wire form
}

// messageOf returns the codec of the messages of type T.
func messageOf[T encoder](
	parse func(b []byte, o Options) (T, error),
	fields func(b []byte, o Options) lobbywire.Explanation,
) message {
	var empty T
	return message{
		empty:  empty,
		parse:  func(b []byte, o Options) (encoder, error) { return parse(b, o) },
		fields: fields,
	}
}

// splitBy returns m for a message that is split into packets.
func splitBy[T encoder](m message, split func(v T) ([][]byte, error),
	join func(packets [][]byte, o Options) (T, error)) message {
	m.split = func(v encoder) ([][]byte, error) { return split(v.(T)) }
	m.join = func(packets [][]byte, o Options) (encoder, error) { return join(packets, o) }
	return m
}

// newMessage returns the format of a message that is never split.
func newMessage(
	name, doc string,
	empty encoder,
	parse func(b []byte, o Options) (encoder, error),
	explain func(b []byte) lobbywire.Explanation,
) Format {
	return Format{Name: name, Doc: doc, Codec: message{
		empty:  empty,
		parse:  parse,
		fields: func(b []byte, _ Options) lobbywire.Explanation { return explain(b) },
	}}
}

// newMember returns the format of a message that only a function for several
// messages reads. It refuses the others.
func newMember(
	name, doc string,
	empty encoder,
	parse func(b []byte, o Options) (encoder, error),
	explain func(b []byte) lobbywire.Explanation,
) Format {
	m := message{empty: empty}
	m.parse = func(b []byte, o Options) (encoder, error) {
		v, err := parse(b, o)
		if err == nil && !m.holds(v) {
			proto, _, _ := strings.Cut(name, ".")
			return empty, &lobbywire.Error{Proto: proto, Err: lobbywire.ErrUnsupported}
		}
		return v, err
	}
	m.fields = func(b []byte, o Options) lobbywire.Explanation {
		e := explain(b)
		if e.Err == nil {
			_, e.Err = m.parse(b, o) // another message
		}
		return e
	}
	return Format{Name: name, Doc: doc, Codec: m}
}

// withOptions returns the codec of a message that a package parses and explains with
// its Options.
func withOptions[O any, T encoder](
	opts func(Options) O,
	parse func(O, []byte) (T, error),
	explain func(O, []byte) lobbywire.Explanation,
) message {
	return messageOf(func(b []byte, o Options) (T, error) { return parse(opts(o), b) },
		func(b []byte, o Options) lobbywire.Explanation { return explain(opts(o), b) })
}

// newUnknown returns the format of a datagram that is not decoded. explain explains an
// empty one, which is an error.
func newUnknown(name string, unknown func(raw []byte) encoder,
	explain func(b []byte) lobbywire.Explanation) Format {
	return newMessage(name, "any datagram, not taken apart", unknown(nil),
		func(b []byte, _ Options) (encoder, error) {
			if len(b) == 0 {
				return unknown(nil), explain(b).Err
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

func (m message) Decode(w io.Writer, packets [][]byte, o Options) error {
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

func (m message) read(packets [][]byte, o Options) (encoder, error) {
	switch {
	case len(packets) == 1:
		return m.parse(packets[0], o)
	case m.join != nil:
		return m.join(packets, o)
	}
	return nil, ErrOnePacket
}

// ErrOnePacket is the error for several packets of a message that is never split.
var ErrOnePacket = errors.New("several packets, but this message is never split")

func (m message) Kind(name string, b []byte, o Options) (string, error) {
	_, err := m.parse(b, o)
	return name, err
}

func (m message) line(name string, b []byte, o Options) (string, []byte, error) {
	v, err := m.parse(b, o)
	if err != nil {
		return name, nil, err
	}
	text, err := messagejson.Marshal(v)
	return name, withName(name, text), err
}

func (m message) zero() any { return m.empty }

func (m message) holds(v any) bool { return reflect.TypeOf(v) == reflect.TypeOf(m.empty) }

func (m message) Explanation(b []byte, o Options) lobbywire.Explanation { return m.fields(b, o) }

func (m message) Explain(w io.Writer, b []byte, o Options) error {
	return writeExplanation(w, b, m.fields(b, o))
}

func writeExplanation(w io.Writer, b []byte, e lobbywire.Explanation) error {
	if _, err := io.WriteString(w, e.Annotate(b)); err != nil {
		return err
	}
	return e.Err
}

func (m message) Encode(text []byte, split bool) ([][]byte, error) {
	to := reflect.New(reflect.TypeOf(m.empty))
	if err := messagejson.Unmarshal(text, to.Interface()); err != nil {
		return nil, err
	}
	v := to.Elem().Interface().(encoder)
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
