package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/internal/test/golden"
)

// The generated files of every package agree with its messages and golden files.
func TestGeneratedFilesAreCurrent(t *testing.T) {
	pkgs, err := golden.Packages("../../..")
	if err != nil || len(pkgs) == 0 {
		t.Fatalf("packages %v, %v", pkgs, err)
	}
	for _, pkg := range pkgs {
		dir := filepath.Join("../../..", pkg)
		for name, generate := range generators {
			got, err := os.ReadFile(filepath.Join(dir, name))
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			want, genErr := generate(dir)
			if err := errors.Join(err, genErr); err != nil {
				t.Errorf("%s: %v", pkg, err)
			} else if !bytes.Equal(got, want) {
				t.Errorf("%s/%s is not current: run go generate ./...", pkg, name)
			}
		}
	}
}

// The generated file of gamequery is current too.
func TestFormatsAreCurrent(t *testing.T) {
	const root = "../../.."
	got, err := os.ReadFile(filepath.Join(root, formatPath))
	if err != nil {
		t.Fatal(err)
	}
	want, err := generateFormats(root)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not current: run go generate ./...", formatPath)
	}
}

// The comments of decode and append become part of the comments of generated functions.
func TestCommentsAreMerged(t *testing.T) {
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
	Name  string 'wire:"name,text8"'
}

// An Offer has all kinds of fields.
//
//wire:message magic=0xfefd
type Offer struct {
	ID    [4]byte 'wire:"id"'
	Token int32   'wire:"token"'
	Map   string  'wire:"map,text0"'
	Mode  string  'wire:"mode,text0"'
	Data  Data    'wire:"data,echo"'
}

// A Leave ends a game.
//
//wire:message Message type=TypeLeave end=decodeEnd
type Leave struct{}

// decodeEnd ignores bytes after the message.
func decodeEnd(r *wire.Reader, o Options) {}

// A Line is keys and values.
//
//wire:layout
type Line struct {
	Level      string 'wire:"level,key"'
	MaxPlayers int    'wire:"maxPlayers,key=maxplayers"'
}

type key struct{ Wire, Name string }

func decodeEcho(r *wire.Reader, field string) Data { return Data{} }

// appendEcho appends the data.
//
//wire:fails Data is too long
func appendEcho(w *wire.Writer, field string, d Data) {}

const (
	TypeHead  = 1
	TypeLeave = 2
)

// Flags are flags.
type Flags uint16

// A Call has a layout in terms of its package.
//
//wire:message
type Call struct{ Number uint32 }

// layout fails if Number is 0.
func (m *Call) layout(f *fields) { f.number(&m.Number) }

// A Bye is a key.
//
//wire:message Message key=2
type Bye struct{}

//wire:fails never
func (m *Bye) append(w *wire.Writer) { w.Uint8(2) }

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
func (m *Call) decode(r *wire.Reader, o Options) {
	f := reading(r, &o)
	m.layout(&f)
	r.End()
}

func (m *Call) append(w *wire.Writer) {
	f := fields{w: w}
	m.layout(&f)
}
`, `
// AppendBinary appends the wire form to b. It fails if Number is 0.
func (m Call) AppendBinary(b []byte) ([]byte, error) {
`, `
	case 2:
		return Bye{}
	case 1:
		var m Hello
		m.decode(r, o)
		return m
`, `
func (m *Head) decode(r *wire.Reader, _ Options) {
	r.Const8("type", uint8(TypeHead))
	m.Flags = Flags(r.Uint16LE("flags"))
	m.Name = r.Text8("name")
}

func (m *Head) append(w *wire.Writer) {
	w.Uint8(uint8(TypeHead))
	w.Uint16LE(uint16(m.Flags))
	w.Text8("name", m.Name)
}
`, `
// ParseOffer reads an [Offer].
`, `
func (m *Offer) decode(r *wire.Reader, _ Options) {
	r.Const16("magic", 0xfefd)
	m.ID = r.Array4("id")
	m.Token = int32(r.Uint32("token"))
	m.Map = r.Text0("map")
	m.Mode = r.Text0("mode")
	m.Data = decodeEcho(r, "data")
	r.End()
}

func (m *Offer) append(w *wire.Writer) {
	w.Uint16(0xfefd)
	w.Bytes(m.ID[:])
	w.Uint32(uint32(m.Token))
	w.Text0("map", m.Map)
	w.Text0("mode", m.Mode)
	appendEcho(w, "data", m.Data)
}
`, `
// AppendBinary appends the wire form to b. It fails if a text contains a zero
// byte, or if Data is too long.
`,
		`
	case TypeLeave:
		var m Leave
		m.decode(r, o)
		return m
`, `
func (m *Leave) decode(r *wire.Reader, o Options) {
	r.Const8("type", uint8(TypeLeave))
	decodeEnd(r, o)
}
`, `
// ParseLeave reads a [Leave]. It ignores bytes after the message.
`, `
func (o Options) ParseLeave(b []byte) (Leave, error) {
`, `
// lineKeys are the keys of a [Line], in the order of the wire.
var lineKeys = [...]key{
	{Wire: "level", Name: "level"},
	{Wire: "maxplayers", Name: "maxPlayers"},
}

// fields returns pointers to the fields of lineKeys.
func (m *Line) fields() [2]any {
	return [...]any{&m.Level, &m.MaxPlayers}
}
`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("missing: %s", want)
		}
	}
}

// A message with several layouts has the code of each.
func TestEachLayoutHasItsCode(t *testing.T) {
	const source = `package sample

// A Game is a game.
//
//wire:message layouts=Layout:Old/le,New
type Game struct {
	Version uint32    'wire:"version" sizes:"-  4"'
	Layout  Layout
	Flags   [2]Flags  'wire:"flags"     sizes:"2  2"'
	Name    string    'wire:"name,text" sizes:"8 16"'
}

type Flags uint16

type Layout uint8

const (
	Old Layout = iota
	New
)

func decodeText(r *wire.Reader, o Options, size int, field string) string    { return "" }
func appendText(w *wire.Writer, b *wire.Block, size int, field, s string) {}

func (m *Game) decode(r *wire.Reader, o Options) {}

//wire:fails never
func (m *Game) append(w *wire.Writer) {}
`
	text, err := generateSource(t, source)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`
	case Old:
		m.Flags[0] = Flags(r.Uint16LE("flags[0]"))
		m.Flags[1] = Flags(r.Uint16LE("flags[1]"))
		m.Name = decodeText(r, o, 8, "name")
	case New:
		m.Version = r.Uint32("version")
`, `
func (m *Game) appendLayout(w *wire.Writer, b wire.Block, l Layout) {
	switch l {
	case Old:
		w.Check(m.Version == 0, wire.NotInLayout, "version")
		b.Uint16LE(uint16(m.Flags[0]))
		b.Uint16LE(uint16(m.Flags[1]))
		appendText(w, &b, 8, "name", m.Name)
	case New:
		b.Uint32(m.Version)
		b.Uint16(uint16(m.Flags[0]))
`, `
	case Old:
		m.Version = 0
		m.Name = Clip(m.Name, 8-1)
	case New:
		m.Name = Clip(m.Name, 16-1)
	}
`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("missing: %s", want)
		}
	}
}

// generateSource returns the code generated for a package of one file, with ' for the
// quotes of tags.
func generateSource(t *testing.T, source string) (string, error) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "sample.go"), []byte(strings.ReplaceAll(source, "'", "`")),
		0o600); err != nil {
		t.Fatal(err)
	}
	text, err := generate(dir)
	return string(text), err
}

// Tests that a package declares itself are not generated, and names that it
// declares configure the others.
func TestDeclaredTestsAreNotGenerated(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.org/sample\n",
		"sample.go": "package sample\n\n//wire:message canonical\ntype Hello struct{}\n\n" +
			"func (m *Hello) decode(r *wire.Reader, _ Options) {}\n\n" +
			"// append greets.\n//\n//wire:fails the name is empty\nfunc (m *Hello) append(w *wire.Writer) {}\n\n" +
			"//wire:message type=1\ntype Bye struct {\n\tName string `wire:\"name,text0\"`\n}\n",
		"prop_test.go": "package sample_test\n\n//wire:test\nvar compare = cmp.Options{}\n\n" +
			"//wire:test\nfunc sent() {}\n\n//wire:test\nfunc FuzzBye(f *testing.F) {}\n\nfunc loose() {}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text, err := generateTests(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\tbyeCodec = codecOf(sample.ParseBye,\n\t\tnil, sample.Explain[sample.Bye], false)\n",
		"\thelloCodec = codecOf(sample.ParseHello,\n\t\tnil, sample.Explain[sample.Hello], true)\n",
		"Canonical: canonical, Sent: sent, Compare: compare}\n",
		"\t{Message: \"Bye\", Codec: byeCodec, Refused: true},\n\t{Message: \"Hello\", Codec: helloCodec, Refused: true},\n",
		"func FuzzHello(f *testing.F) { helloCodec.Fuzz(f) }\n",
		"func BenchmarkGolden(b *testing.B)             { codectest.Bench(b, lawOf) }\n",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("missing: %s", want)
		}
	}
	if strings.Contains(string(text), "FuzzBye") {
		t.Error("FuzzBye is generated, though the package has it")
	}
}

// Text is broken where a line would be too long, and control characters show as
// bytes.
func TestWrapBreaksLongLines(t *testing.T) {
	long := strings.Repeat("x", 60)
	for text, want := range map[string]string{
		`{"a":1,"b":2}`:                    `{"a":1,"b":2}`,
		"0;" + long + ";" + long + ";last": "0;" + long + ";\n " + long + ";last",
		"\x01players\x02" + `"7"` + "\x03": `01 "players" 02 "\"7\"" 03 `,
		strings.Repeat("x", 500):           strings.Repeat("x", 480) + "...",
	} {
		if got := wrap(text); strings.ReplaceAll(got, "\n ...", "...") != want {
			t.Errorf("%q is\n%s\nwant\n%s", text, got, want)
		}
	}
}
