package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The shells of every package are those that its messages give.
func TestCurrent(t *testing.T) {
	var found int
	for _, pattern := range []string{"../../*/" + name, "../../*/*/" + name} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			found++
			got, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			want, err := generate(filepath.Dir(path))
			if err != nil {
				t.Errorf("%s: %v", path, err)
			} else if !bytes.Equal(got, want) {
				t.Errorf("%s is not current: run go generate ./...", path)
			}
		}
	}
	if found == 0 {
		t.Error("no package has shells")
	}
}

// What messages say of decode and append stands in the comments of the shells.
func TestComments(t *testing.T) {
	dir := t.TempDir()
	source := strings.ReplaceAll(`package sample

// A Hello greets.
//
//wire:message Message key=1
type Hello struct{}

// decode accepts a greeting of any length, which takes so many words to say that
// its comment is longer than a line.
//
//	hello
//
// Then it ends.
func (m *Hello) decode(r *wire.Reader, o Options, chunks Chunks) {}

// append fails if nobody is there.
func (m *Hello) append(w *wire.Writer) {}

// A Head starts messages.
//
//wire:layout type=TypeHead
type Head struct {
	Flags Flags  'wire:"flags,le"'
	Name  string 'wire:"name,fixed=40"'
}

// Flags are flags.
type Flags uint16

// A Message is a Hello.
//
//wire:message key=int
type Message interface{}
`, "'", "`")
	if err := os.WriteFile(filepath.Join(dir, "hello.go"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	text, err := generate(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`
// ParseHello reads a [Hello]. It accepts a greeting of any length, which takes
// so many words to say that its comment is longer than a line.
//
//	hello
//
// Then it ends.
func ParseHello(b []byte, chunks Chunks) (Hello, error) {
	return Options{}.ParseHello(b, chunks)
}
`, `
// AppendBinary appends the wire form to b. It fails if nobody is there.
`, `
func (Hello) message() {}
`, `
	case 1:
		var m Hello
		m.decode(r, o)
		return m
`, `
func (m *Head) decode(r *wire.Reader, _ Options) {
	r.Const8("type", uint8(TypeHead))
	m.Flags = Flags(r.Uint16LE("flags"))
	m.Name = r.TextFixed(40, "name")
}

func (m *Head) append(w *wire.Writer) {
	w.Uint8(uint8(TypeHead))
	w.Uint16LE(uint16(m.Flags))
	w.TextFixed(40, "name", m.Name)
}
`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("missing: %s", want)
		}
	}
	if strings.Contains(string(text), "UnmarshalBinary") {
		t.Error("a message whose decode takes chunks has UnmarshalBinary")
	}
}

// A type with the directive and without methods is a mistake.
func TestNoMethods(t *testing.T) {
	dir := t.TempDir()
	source := "package sample\n\n// An Empty is empty.\n//\n//wire:message\ntype Empty struct{}\n"
	if err := os.WriteFile(filepath.Join(dir, "empty.go"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := generate(dir); err == nil {
		t.Errorf("generated:\n%s", text)
	}
}
