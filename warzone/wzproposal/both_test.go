package wzproposal_test

import (
	"testing"

	"github.com/lobbywire/lobbywire/internal/codectest"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// A codec judges one type of message in both encodings.
type codec[T wzproposal.Message] struct{ text, binary codectest.Codec[T] }

// inBoth returns the codec of a message, which with makes for options.
func inBoth[T wzproposal.Message](with func(o options) codectest.Codec[T]) codec[T] {
	return codec[T]{with(options{}), with(options{Encoding: wzproposal.Binary})}
}

// strictly is inBoth with Options.Strict.
func strictly[T wzproposal.Message](with func(o options) codectest.Codec[T]) codec[T] {
	return codec[T]{with(strict(wzproposal.Text)), with(strict(wzproposal.Binary))}
}

// appendWith returns the function that appends messages in the encoding of o, or nil
// if AppendBinary does.
//
//wire:test
func appendWith[T wzproposal.Message](o options) func(m T, b []byte) ([]byte, error) {
	if o == (options{}) {
		return nil
	}
	return func(m T, b []byte) ([]byte, error) { return o.Encoding.Append(b, m) }
}

// A row is a case in both encodings.
type row[T wzproposal.Message] struct {
	Name         string
	Text, Binary string
	Want         T
	Err          error
	Field        string

	TextAt, BinaryAt int   // offsets, with Err
	Strict           error // as in codectest.Case
	Differs          bool  // as in codectest.Case
}

// table tests rows in both encodings.
func (c codec[T]) table(t *testing.T, rows []row[T]) {
	var text, binary []codectest.Case[T]
	for _, r := range rows {
		text = append(text, codectest.Case[T]{Name: r.Name + ", text", In: r.Text, Want: r.Want,
			Err: r.Err, Field: r.Field, Offset: r.TextAt,
			Strict: r.Strict, Differs: r.Differs})
		binary = append(binary, codectest.Case[T]{Name: r.Name + ", binary", In: r.Binary, Want: r.Want,
			Err: r.Err, Field: r.Field, Offset: r.BinaryAt, Strict: r.Strict, Differs: r.Differs})
	}
	c.text.Table(t, text)
	c.binary.Table(t, binary)
}

// fuzz fuzzes both encodings of a message, which with makes for options. Each is
// hostile input to the other.
//
//wire:test
func fuzz[T wzproposal.Message](f *testing.F, with func(o options) codectest.Codec[T], samples ...T) {
	addGolden(f)
	for _, s := range samples {
		for _, e := range encodings {
			f.Add(mustAppend(f, e, s))
		}
	}
	c := inBoth(with)
	f.Fuzz(func(t *testing.T, b []byte) {
		c.text.Check(t, b)
		c.binary.Check(t, b)
	})
}

// encodings are both.
var encodings = [...]wzproposal.Encoding{wzproposal.Text, wzproposal.Binary}

// inBinary is a message whose AppendBinary writes the binary encoding.
type inBinary struct{ wzproposal.Message }

func (m inBinary) AppendBinary(b []byte) ([]byte, error) {
	return wzproposal.Binary.Append(b, m.Message)
}

func (m inBinary) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// refusals tests that neither encoding carries the values.
func refusals(t *testing.T, cases []codectest.Refusal) {
	codectest.Refusals(t, cases)
	binaryRefusals(t, cases)
}

// binaryRefusals tests that the binary encoding does not carry the values.
func binaryRefusals(t *testing.T, cases []codectest.Refusal) {
	for i := range cases {
		cases[i].Name += ", binary"
		cases[i].Value = inBinary{cases[i].Value.(wzproposal.Message)}
	}
	codectest.Refusals(t, cases)
}

// mustAppend returns the wire form of a message that has one.
func mustAppend(t testing.TB, e wzproposal.Encoding, m wzproposal.Message) []byte {
	t.Helper()
	b, err := e.Append(nil, m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// randomValues runs RandomValues in both encodings of a message, which with makes
// for options.
//
//wire:test
func randomValues[T wzproposal.Message](with func(o options) codectest.Codec[T]) func(t *testing.T) {
	return func(t *testing.T) {
		c := inBoth(with)
		t.Run("text", c.text.RandomValues)
		t.Run("binary", c.binary.RandomValues)
	}
}
