package wzproposal_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/internal/test/golden"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// A codec tests one type of message in both encodings.
type codec[T wzproposal.Message] struct {
	text, binary codectest.Codec[T]

	with func(o options) codectest.Codec[T] // for other options
}

//wire:test
func codecOf[T wzproposal.Message](
	parse func(b []byte) (T, error),
	parseWith func(o options, b []byte) (T, error),
	explain func(o options, b []byte) lobbywire.Explanation,
	canonical bool,
) codec[T] {
	with := func(o options) codectest.Codec[T] {
		return codectest.Codec[T]{
			Parse:     func(b []byte) (T, error) { return parseWith(o, b) },
			Strict:    func(b []byte) (T, error) { return parseWith(strict(o.Encoding), b) },
			Explain:   func(b []byte) lobbywire.Explanation { return explain(o, b) },
			Append:    func(m T, b []byte) ([]byte, error) { return o.Encoding.Append(b, m) },
			Loose:     loose,
			Canonical: canonical,
			Compare:   compare,
		}
	}
	c := codec[T]{with(options{}), with(options{Encoding: wzproposal.Binary}), with}
	c.text.Parse, c.text.Append = parse, nil
	return c
}

// strictly is c with Options.Strict.
func (c codec[T]) strictly() codec[T] {
	return codec[T]{c.with(strict(wzproposal.Text)), c.with(strict(wzproposal.Binary)), c.with}
}

// Law returns the law of a golden file, whose header names the encoding.
func (c codec[T]) Law(f golden.File) codectest.Law {
	if f.Header["Proposal"] == "binary" {
		return c.binary
	}
	return c.text
}

// RandomValues tests random values in both encodings.
func (c codec[T]) RandomValues(t *testing.T) {
	t.Run("text", c.text.RandomValues)
	t.Run("binary", c.binary.RandomValues)
}

// Fuzz fuzzes both encodings. Each is hostile input to the other.
func (c codec[T]) Fuzz(f *testing.F) { c.fuzz(f) }

// fuzz is Fuzz with samples as seeds, besides the golden files.
func (c codec[T]) fuzz(f *testing.F, samples ...T) {
	addGolden(f)
	for _, s := range samples {
		for _, e := range encodings {
			f.Add(mustAppend(f, e, s))
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c.text.Check(t, b)
		c.binary.Check(t, b)
	})
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
	Differs, Refused bool  // as in codectest.Case
}

// table tests rows in both encodings.
func (c codec[T]) table(t *testing.T, rows []row[T]) {
	var text, binary []codectest.Case[T]
	for _, r := range rows {
		text = append(text, codectest.Case[T]{Name: r.Name + ", text", In: r.Text, Want: r.Want,
			Err: r.Err, Field: r.Field, Offset: r.TextAt,
			Strict: r.Strict, Differs: r.Differs, Refused: r.Refused})
		binary = append(binary, codectest.Case[T]{Name: r.Name + ", binary", In: r.Binary, Want: r.Want,
			Err: r.Err, Field: r.Field, Offset: r.BinaryAt, Strict: r.Strict, Differs: r.Differs, Refused: r.Refused})
	}
	c.text.Table(t, text)
	c.binary.Table(t, binary)
}

// encodings are both.
var encodings = [...]wzproposal.Encoding{wzproposal.Text, wzproposal.Binary}

// inBinary is a message whose AppendBinary writes the binary encoding.
type inBinary struct{ wzproposal.Message }

func (m inBinary) AppendBinary(b []byte) ([]byte, error) {
	return wzproposal.Binary.Append(b, m.Message)
}

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
