// Package codectest checks the laws that all codecs obey: golden files decode and encode,
// prefixes are truncated or valid, appending does not change the bytes before it, results
// own their memory, and explanations cover every byte.
//
// # Encoding again
//
// A message that was parsed and is encoded again parses to the same value, or encoding
// refuses it, as the comment of its AppendBinary says. Parsing keeps more than encoding
// sends: text that is not UTF-8 in sqp and wzproposal, parts of split responses, and
// messages that are longer than clients read.
//
// Two fields are exceptions, which [Codec.Sent] declares:
//
//   - Version of the messages of sqp: 0 is sent as 1, because most servers ignore queries
//     of version 0.
//   - Cut of gameagent.Status: a message of 255 bytes may be cut, so reading it sets Cut.
//     A Status that is cut is not sent as a message of another size.
package codectest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/messagejson"
	"github.com/lobbywire/lobbywire/internal/test/golden"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// A Message can be encoded.
type Message interface {
	AppendBinary(b []byte) ([]byte, error)
}

// A Codec is the codec of one message type, to be tested by its methods.
type Codec[T Message] struct {
	Parse   func(b []byte) (T, error)
	Explain func(b []byte) lobbywire.Explanation

	// Append appends m to b in another encoding than AppendBinary. nil means
	// AppendBinary.
	Append func(m T, b []byte) ([]byte, error)

	// Strict parses with Options.Strict. nil means that the message has no options.
	Strict func(b []byte) (T, error)

	// ParseFor returns a parser of the encoding of m, with or without Options.Strict, for
	// messages whose parser depends on the request. nil means Strict and Parse.
	ParseFor func(m T, strict bool) func(b []byte) (T, error)

	// Loose reports whether Strict may refuse the encoding of m, because m keeps a value
	// that other programs send. nil means that it never may. Strict may always refuse Extra
	// and an Unknown.
	Loose func(m any) bool

	// Sent returns m as it is sent in an encoding of a size, with the fields that encoding
	// changes. nil means that it changes none. The package documentation lists these fields.
	Sent func(m any, size int) any

	// Canonical means that each value has only one wire form: encoding a parsed message
	// returns the same bytes.
	Canonical bool

	// Memory is how many bytes parsing may allocate besides 64 for each byte of the
	// input. 0 means 24 KiB.
	Memory int

	// Compare holds options for comparing values, such as equal NaNs.
	Compare cmp.Options
}

// sendable is a message in the encoding of its codec.
type sendable[T Message] struct {
	m      T
	append func(m T, b []byte) ([]byte, error)
}

func (f sendable[T]) AppendBinary(b []byte) ([]byte, error) { return f.append(f.m, b) }

// sendable returns m in the encoding of c.
func (c Codec[T]) sendable(m T) Message {
	if c.Append == nil {
		return m
	}
	return sendable[T]{m, c.Append}
}

// A Law tests inputs of one message type.
type Law interface {
	Golden(t *testing.T, f golden.File)
	CheckPrefixes(t testing.TB, b []byte)
}

// A memoryLaw also tests what parsing allocates.
type memoryLaw interface {
	CheckMemory(t testing.TB, b []byte)
}

// kinds are the five kinds of failure.
var kinds = []error{
	lobbywire.ErrTruncated, lobbywire.ErrTrailing, lobbywire.ErrTooLarge,
	lobbywire.ErrInvalid, lobbywire.ErrUnsupported,
}

// Golden tests every golden file of the package by the law of its message, which lawOf
// returns, and the views of all golden files.
func Golden(t *testing.T, lawOf func(t testing.TB, f golden.File) Law) {
	for _, f := range golden.Load(t) {
		t.Run(f.Name, func(t *testing.T) {
			law := lawOf(t, f)
			if law == nil {
				t.Fatalf("no codec for message %q", f.Message())
			}
			law.Golden(t, f)
			law.CheckPrefixes(t, f.Data)
			if law, ok := law.(memoryLaw); ok {
				law.CheckMemory(t, f.Data)
			}
		})
	}
	t.Run("views", func(t *testing.T) { goldenViews(t, lawOf) })
}

// Law returns the law of a golden file of the message: the codec itself.
func (c Codec[T]) Law(golden.File) Law { return c }

// Fuzz fuzzes one message type. The seeds are the golden files of all messages of the
// package, since each message is hostile input for the others.
func (c Codec[T]) Fuzz(f *testing.F) {
	for _, g := range golden.Load(f) {
		f.Add(g.Data)
	}
	f.Fuzz(func(t *testing.T, b []byte) { c.Check(t, b) })
}

// Golden compares the decoded form of f with its .json, both ways.
func (c Codec[T]) Golden(t *testing.T, f golden.File) {
	CheckComments(t, f, c.Explain(f.Data).Annotate(f.Data))
	v, err := c.Parse(f.Data)
	if err != nil {
		var e *lobbywire.Error
		if !errors.As(err, &e) {
			t.Fatalf("error is %T, want *lobbywire.Error", err)
		}
		got, err := indented(golden.ErrorOf(e))
		if err != nil {
			t.Fatal(err)
		}
		same(t, "error (-want +got)", string(golden.JSON(t, f.Name, got)), string(got))
		return
	}
	got, err := indented(v)
	if err != nil {
		t.Fatal(err)
	}
	want := golden.JSON(t, f.Name, got)
	same(t, "decoded (-want +got)", string(want), string(got))
	var back T
	if err := messagejson.Unmarshal(want, &back); err != nil {
		t.Fatalf("reading the JSON: %v", err)
	}
	same(t, "from JSON (-decoded +read)", v, back, c.Compare)
	if reflect.TypeFor[T]().Kind() != reflect.Interface {
		c.checkUsed(t, v)
	}
	encoded, err := c.sendable(back).AppendBinary(nil)
	if f.Header["Encoding"] == "differs" {
		if err == nil && bytes.Equal(encoded, f.Data) {
			t.Error("encodes to the same bytes, though the header says that it differs")
		}
		return
	}
	if err != nil {
		t.Fatalf("encoding: %v", err)
	}
	same(t, "encoded (-want +got)", f.Data, encoded)
}

// indented returns the JSON form of v as golden files hold it.
func indented(v any) ([]byte, error) {
	text, err := messagejson.Marshal(v)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = json.Indent(&out, append(text, '\n'), "", "  ")
	return out.Bytes(), err
}

// CheckComments tests that the comments of f agree with the explanation.
func CheckComments(t *testing.T, f golden.File, explained string) {
	t.Helper()
	if diff := Diff(f.Body, explained); diff != "" {
		t.Errorf("comments (-file +explained):\n%s", diff)
	}
}

// Check tests the laws for one input, which may be any bytes.
func (c Codec[T]) Check(t testing.TB, b []byte) {
	if v, ok := c.checkInput(t, b); ok {
		c.checkValue(t, b, v)
	}
}

// CheckPrefixes judges all prefixes of b; in the short suite, it judges long ones only near
// the ends of fields. It judges values only where a field of b ends, because in between they
// differ only in the end of one field.
func (c Codec[T]) CheckPrefixes(t testing.TB, b []byte) {
	ends := map[int]bool{0: true}
	for _, f := range c.Explain(b).Fields {
		ends[f.Offset+f.Length] = true
	}
	for n := range len(b) + 1 {
		if n > fewBytes && !suite.IsLong() && !ends[n-1] && !ends[n] && !ends[n+1] {
			continue
		}
		if v, ok := c.checkInput(t, b[:n]); ok && ends[n] {
			c.checkValue(t, b[:n], v)
		}
	}
}

// fewBytes is the size up to which the short suite judges every prefix.
const fewBytes = 256

// checkInput judges how Parse, Explain and Strict take an input. It returns the value
// and whether Parse accepts the input.
func (c Codec[T]) checkInput(t testing.TB, b []byte) (v T, ok bool) {
	in := slices.Clone(b)
	v, err := c.Parse(in)
	if !bytes.Equal(in, b) {
		t.Fatalf("Parse changed its input %x", b)
	}
	c.checkExplanation(t, b, err)
	c.checkStrict(t, b, v, err)
	checkTruncation(t, "Parse", b, err, c.Parse)
	if err != nil {
		CheckError(t, err, len(b))
		var zero T
		same(t, "value beside an error (-want +got)", zero, v, c.Compare)
		return v, false
	}
	clear(in)
	again, err := c.Parse(slices.Clone(b))
	if err != nil {
		t.Fatalf("parsing again: %v", err)
	}
	same(t, "clearing the input changed the result (-want +got)", again, v, c.Compare)
	return v, true
}

// checkTruncation tests that b without its last byte is truncated or valid, if b is. err is the
// error of parsing b.
func checkTruncation[T any](t testing.TB, name string, b []byte, err error, parse func(b []byte) (T, error)) {
	if len(b) == 0 || err != nil && !errors.Is(err, lobbywire.ErrTruncated) {
		return
	}
	if _, err := parse(b[:len(b)-1]); err != nil && !errors.Is(err, lobbywire.ErrTruncated) {
		t.Fatalf("%s: %x can be or become valid, but without its last byte: %v", name, b, err)
	}
}

// checkValue judges v, which Parse has decoded from b.
func (c Codec[T]) checkValue(t testing.TB, b []byte, v T) {
	c.checkAppend(t, b, v)
	c.checkJSON(t, v)
	checkViews(t, v)
}

// parserFor returns a parser of the encoding of m. It is nil if strict is set and the
// message has no options.
func (c Codec[T]) parserFor(m T, strict bool) func(b []byte) (T, error) {
	switch {
	case c.ParseFor != nil:
		return c.ParseFor(m, strict)
	case strict:
		return c.Strict
	}
	return c.Parse
}

// checkStrict tests that Parse accepts all inputs that Strict accepts, with the same
// value. v and err are the results of Parse.
func (c Codec[T]) checkStrict(t testing.TB, b []byte, v T, err error) {
	if c.Strict == nil {
		return
	}
	strict, strictErr := c.Strict(slices.Clone(b))
	checkTruncation(t, "Strict", b, strictErr, c.Strict)
	if strictErr != nil {
		return
	}
	if diff := Diff(v, strict, c.Compare); err != nil || diff != "" {
		t.Fatalf("accepted by Strict, but Parse: %v (-parsed +strict):\n%s", err, diff)
	}
}

// checkJSON tests that the JSON form of v loses nothing.
func (c Codec[T]) checkJSON(t testing.TB, v T) {
	if reflect.TypeFor[T]().Kind() == reflect.Interface {
		return // which message it was is not in the JSON
	}
	text, err := messagejson.Marshal(v)
	if err != nil {
		t.Fatalf("to JSON: %v", err)
	}
	var back T
	if err := messagejson.Unmarshal(text, &back); err != nil {
		t.Fatalf("from JSON %s: %v", text, err)
	}
	same(t, "to JSON and back (-want +got)", v, back, c.Compare)
}

// usedValues is the number of old values that checkUsed tries.
const usedValues = 8

// checkUsed tests that reading the JSON form of v leaves nothing of the old value of a
// variable, and does not change copies of the old value.
func (c Codec[T]) checkUsed(t testing.TB, v T) {
	text, err := messagejson.Marshal(v)
	if err != nil {
		t.Fatalf("to JSON: %v", err)
	}
	g := newGenerator(reflect.TypeFor[T]())
	g.learn(reflect.ValueOf(&v).Elem())
	for range usedValues {
		var used T
		g.fill(reflect.ValueOf(&used).Elem(), 0)
		before := fmt.Sprintf("%+v", used)
		old := used
		if err := messagejson.Unmarshal(text, &used); err != nil {
			t.Fatalf("from JSON %s: %v", text, err)
		}
		same(t, "from JSON into a used variable (-want +got)", v, used, c.Compare)
		same(t, "a copy of the old value (-before +after)", before, fmt.Sprintf("%+v", old))
	}
}

// checkAppend tests the encoding of v, which was decoded from b.
func (c Codec[T]) checkAppend(t testing.TB, b []byte, v T) {
	encoded := Append(t, c.sendable(v))
	if encoded == nil {
		if c.Canonical {
			t.Fatalf("%x is canonical, but its value %+v is refused", b, v)
		}
		return
	}
	if c.Canonical && !bytes.Equal(encoded, b) {
		t.Fatalf("not canonical:\n in %x\nout %x", b, encoded)
	}
	back, err := c.Parse(encoded)
	if err != nil {
		t.Fatalf("%x: encoded as %x, which fails: %v", b, encoded, err)
	}
	v = c.sent(v, len(encoded))
	same(t, "encoded and parsed again (-want +got)", v, back, c.Compare)
	c.checkStrictly(t, v, encoded)
}

// sent returns v as it is sent in an encoding of a size.
func (c Codec[T]) sent(v T, size int) T {
	if c.Sent == nil {
		return v
	}
	return c.Sent(v, size).(T)
}

// checkStrictly tests that Strict reads the encoding of v.
func (c Codec[T]) checkStrictly(t testing.TB, v T, encoded []byte) {
	t.Helper()
	parse := c.parserFor(v, true)
	if parse == nil {
		return
	}
	back, err := parse(encoded)
	if err == nil {
		same(t, "encoded and parsed strictly (-want +got)", v, back, c.Compare, equateEmpty)
		return
	}
	if !hasUnknown(reflect.ValueOf(v)) && (c.Loose == nil || !c.Loose(v)) {
		t.Fatalf("%+v\nis encoded as %q, which Strict refuses: %v", v, encoded, err)
	}
}

// hasUnknown reports whether a part of v has Extra or is an Unknown.
func hasUnknown(v reflect.Value) (found bool) {
	walk(v, func(v reflect.Value) bool {
		if v.Kind() == reflect.Struct {
			found = found || isVerbatim(v.Type())
			for field, part := range v.Fields() {
				found = found || strings.HasSuffix(field.Name, "Extra") && part.Len() > 0
			}
		}
		return !found
	})
	return found
}

// Append tests that AppendBinary of v appends the same bytes to whatever comes before the
// message, and does not change that. It returns the encoding, or nil if v cannot be encoded.
func Append(t testing.TB, v Message) []byte {
	t.Helper()
	want, wantErr := v.AppendBinary(nil)
	prefix := []byte("prefix")
	for _, room := range []int{0, 1, len(want) + 1} {
		buf := append(make([]byte, 0, len(prefix)+room), prefix...)
		got, err := v.AppendBinary(buf)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("AppendBinary: %v, to nothing: %v", err, wantErr)
		}
		if !bytes.Equal(buf, prefix) {
			t.Fatalf("AppendBinary changed what was there to %q", buf)
		}
		if err != nil {
			CheckError(t, err, -1)
			if !bytes.Equal(got, prefix) || cap(got) != cap(buf) {
				t.Fatalf("AppendBinary failed and returned %q, not what was given", got)
			}
			continue
		}
		if !bytes.Equal(got, append(slices.Clone(prefix), want...)) {
			t.Fatalf("AppendBinary with room %d gives %x, without %x", room, got, want)
		}
	}
	if wantErr == nil && want == nil {
		return []byte{}
	}
	return want
}

// Diff returns the same as cmp.Diff. It is much faster for equal values, as nearly all
// are.
func Diff(want, got any, opts ...cmp.Option) string {
	if reflect.DeepEqual(want, got) {
		return ""
	}
	return cmp.Diff(want, got, opts...)
}

// same fails t, saying what was compared, if Diff finds a difference.
func same(t testing.TB, what string, want, got any, opts ...cmp.Option) {
	if diff := Diff(want, got, opts...); diff != "" {
		t.Helper()
		t.Fatalf("%s:\n%s", what, diff)
	}
}
