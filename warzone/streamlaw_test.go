package warzone_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/messagejson"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/internal/test/golden"
)

// A stream describes one direction of a connection, to check that it obeys the laws. Its
// JSON form has a line for each message, which begins with the package and the type.
type stream struct {
	Proto string // the codec package, as "sqp"

	// Open returns a function that cuts the messages of a new stream off b.
	Open func() func(b []byte) (m codectest.Message, rest []byte, err error)

	// Explain explains b, the bytes of m.
	Explain func(m codectest.Message, b []byte) lobbywire.Explanation

	Members []codectest.Message // one of each type that messages have
	Compare cmp.Options
}

// Read passes b to the stream in parts, whose sizes size returns. It returns the
// messages, and the remaining bytes if b has ended or otherwise the error. It clears
// the bytes of each message, which must not refer to them.
func (s stream) Read(b []byte, size func() int) (all []codectest.Message, left []byte, err error) {
	next := s.Open()
	var buf []byte
	for {
		m, rest, err := next(buf)
		switch {
		case err == lobbywire.ErrTruncated && len(b) == 0:
			return all, rest, nil
		case err == lobbywire.ErrTruncated:
			n := min(max(size(), 1), len(b))
			buf = append(rest, b[:n]...)
			b = b[n:]
		case err != nil:
			return all, nil, err
		default:
			all = append(all, m)
			clear(buf[:len(buf)-len(rest)])
			buf = rest
		}
	}
}

// Check checks that a stream has the same messages in parts as at once, also after they
// are appended and read again. The size of the parts depends on the size of the stream.
func (s stream) Check(t testing.TB, b []byte) {
	t.Helper()
	sizes := [...]int{1, 3, 7, 100, 1000}
	size := sizes[len(b)%len(sizes)]
	s.CheckParts(t, b, func() int { return size })
}

// CheckPrefixes checks all prefixes of b.
func (s stream) CheckPrefixes(t testing.TB, b []byte) {
	for n := range len(b) + 1 {
		s.Check(t, b[:n])
	}
}

// CheckParts is Check with parts whose sizes size returns.
func (s stream) CheckParts(t testing.TB, b []byte, size func() int) {
	t.Helper()
	want, wantLeft, wantErr := s.Read(b, func() int { return len(b) })
	got, left, err := s.Read(b, size)
	if diff := codectest.Diff(want, got, s.Compare); diff != "" {
		t.Fatalf("%x (-whole +parts):\n%s", b, diff)
	}
	if !bytes.Equal(wantLeft, left) || (err == nil) != (wantErr == nil) {
		t.Fatalf("%x: left %x, %v; whole: %x, %v", b, left, err, wantLeft, wantErr)
	}
	if wantErr != nil {
		codectest.CheckError(t, wantErr, len(b))
	}
	if encoded := s.appendAll(t, want); encoded != nil {
		back, left, err := s.Read(encoded, size)
		if err != nil || len(left) > 0 {
			t.Fatalf("%x: appended as %x, left %x, %v", b, encoded, left, err)
		}
		if diff := codectest.Diff(want, back, s.Compare); diff != "" {
			t.Fatalf("%x: appended as %x (-want +got):\n%s", b, encoded, diff)
		}
	}
}

// appendAll returns the wire form of all messages, or nil if one is refused.
func (s stream) appendAll(t testing.TB, all []codectest.Message) []byte {
	t.Helper()
	encoded := []byte{}
	for _, m := range all {
		p := codectest.Append(t, m)
		if p == nil {
			return nil
		}
		encoded = append(encoded, p...)
	}
	return encoded
}

// Golden compares the messages of f with its .json, in both directions. The bytes of f
// must end with a message.
func (s stream) Golden(t *testing.T, f golden.File) {
	codectest.CheckComments(t, f, s.annotate(f.Data))
	all, left, err := s.Read(f.Data, func() int { return len(f.Data) })
	if err != nil || len(left) > 0 {
		t.Fatalf("%d bytes left, error %v", len(left), err)
	}
	var got []byte
	for _, m := range all {
		text, err := messagejson.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		comma := ","
		if len(text) == len("{}") {
			comma = ""
		}
		got = fmt.Appendf(got, `{"message":"%s"%s%s`+"\n", s.name(m), comma, text[1:])
	}
	want := golden.JSON(t, f.Name, got)
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("decoded (-want +got):\n%s", diff)
	}
	back := s.fromJSON(t, want)
	if diff := codectest.Diff(all, back, s.Compare); diff != "" {
		t.Errorf("from JSON (-decoded +read):\n%s", diff)
	}
	if same := bytes.Equal(f.Data, s.appendAll(t, back)); same == (f.Header["Encoding"] == "differs") {
		t.Errorf("encodes to the same bytes: %v, against the header", same)
	}
}

// annotate explains the messages of b, each after a line with its name.
func (s stream) annotate(b []byte) string {
	var text strings.Builder
	next := s.Open()
	for at := 0; at < len(b); {
		m, rest, err := next(b[at:])
		if err != nil {
			break
		}
		n := len(b) - len(rest) - at
		fmt.Fprintf(&text, "# %s, %d bytes from %d\n", s.name(m), n, at)
		e := s.Explain(m, b[at:at+n])
		for i := range e.Fields {
			e.Fields[i].Offset += at
		}
		text.WriteString(e.Annotate(b))
		at += n
	}
	return text.String()
}

// name returns the name of a message, as "sqp.QueryRequest".
func (s stream) name(m codectest.Message) string { return s.Proto + "." + reflect.TypeOf(m).Name() }

// fromJSON returns the messages in lines of JSON.
func (s stream) fromJSON(t testing.TB, text []byte) (all []codectest.Message) {
	t.Helper()
	lines := json.NewDecoder(bytes.NewReader(text))
	for {
		var line map[string]json.RawMessage
		if err := lines.Decode(&line); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		var name string
		if err := json.Unmarshal(line["message"], &name); err != nil {
			t.Fatal(err)
		}
		delete(line, "message")
		rest, err := json.Marshal(line)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s.member(t, name, rest))
	}
}

func (s stream) member(t testing.TB, name string, text []byte) codectest.Message {
	t.Helper()
	for _, m := range s.Members {
		if s.name(m) != name {
			continue
		}
		v := reflect.New(reflect.TypeOf(m))
		if err := messagejson.Unmarshal(text, v.Interface()); err != nil {
			t.Fatalf("reading the JSON of %s: %v", name, err)
		}
		return v.Elem().Interface().(codectest.Message)
	}
	t.Fatalf("%s is not a member of the stream", name)
	return nil
}
