package formats

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/messagejson"
)

// A choice is the codec of a function that parses several messages. Its JSON form is the
// form of the message, with the name in front.
type choice struct {
	parse  func(b []byte, o Options) (encoder, error)
	fields func(b []byte) lobbywire.Explanation
	members
}

// members are the messages that a [choice] or a [stream] can hold.
type members []Format

// newChoice returns the format of a choice.
func newChoice(
	name, doc string,
	parse func(b []byte, o Options) (encoder, error),
	explain func(b []byte) lobbywire.Explanation,
	m members,
) Format {
	return Format{Name: name, Doc: doc, Codec: choice{parse, explain, m}}
}

func (c choice) Decode(w io.Writer, packets [][]byte, o Options) error {
	if len(packets) > 1 {
		return ErrOnePacket
	}
	_, line, err := c.line("", packets[0], o)
	if err != nil {
		return err
	}
	return WriteIndented(w, line)
}

func (c choice) Kind(name string, b []byte, o Options) (string, error) {
	_, name, err := c.read(name, b, o)
	return name, err
}

func (c choice) line(name string, b []byte, o Options) (string, []byte, error) {
	v, name, err := c.read(name, b, o)
	if err != nil {
		return name, nil, err
	}
	text, err := messagejson.Marshal(v)
	return name, withName(name, text), err
}

// read reads a message and finds its name.
func (c choice) read(name string, b []byte, o Options) (v encoder, foundName string, err error) {
	v, err = c.parse(b, o)
	if err != nil {
		return v, name, err
	}
	for _, f := range c.members {
		if m, ok := f.Codec.(Member); ok && m.holds(v) {
			return v, f.Name, nil
		}
	}
	return v, name, fmt.Errorf("%T is not known", v)
}

func (c choice) zero() any { return nil }

func (c choice) holds(any) bool { return false }

func (c choice) Explanation(b []byte, _ Options) lobbywire.Explanation { return c.fields(b) }

func (c choice) Explain(w io.Writer, b []byte, o Options) error {
	return writeExplanation(w, b, c.fields(b))
}

func (c choice) Encode(text []byte, split bool) ([][]byte, error) {
	return c.encodeNamed(text, split)
}

// Keys of a message that has its name in front.
const (
	nameKey  = "message" // the type, always the first
	valueKey = "value"   // the message, if it has a member "message" itself
)

// withName puts the name of a message in front of its JSON form, an object.
func withName(name string, text []byte) []byte {
	named := fmt.Appendf(nil, `{"%s":"%s"`, nameKey, name)
	switch {
	case bytes.Equal(text, []byte("{}")):
		return append(named, '}')
	case hasName(text):
		return fmt.Appendf(named, `,"%s":%s}`, valueKey, text)
	}
	return append(append(named, ','), text[1:]...)
}

// hasName reports whether an object has a member for the name.
func hasName(text []byte) bool {
	if !bytes.Contains(text, []byte(`"`+nameKey+`":`)) {
		return false
	}
	var object map[string]json.RawMessage
	return json.Unmarshal(text, &object) == nil && object[nameKey] != nil
}

// withoutName undoes withName.
func withoutName(text []byte) (name string, rest []byte, err error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(text, &object); err != nil {
		return "", nil, err
	}
	if err := json.Unmarshal(object[nameKey], &name); err != nil {
		return "", nil, fmt.Errorf("member %q has to name the type of the message", nameKey)
	}
	delete(object, nameKey)
	if value := object[valueKey]; len(object) == 1 && hasName(value) {
		return name, value, nil
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false) // raw values stay as they are
	err = enc.Encode(object)
	return name, buf.Bytes(), err
}

// encodeNamed encodes the message that text names.
func (m members) encodeNamed(text []byte, split bool) ([][]byte, error) {
	name, rest, err := withoutName(text)
	if err != nil {
		return nil, err
	}
	f, ok := Find(m, name)
	if !ok {
		return nil, fmt.Errorf("member %q: %q is not one of the messages here", nameKey, name)
	}
	return f.Encode(rest, split)
}
