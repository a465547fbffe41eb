package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ping is a declaration without a mistake, from line 3 of a file.
const ping = `
// A Ping asks.
//
//wire:message type=TypePing
type Ping struct {
	Time uint32 'wire:"time"'
}
`

// status is a JSON object without a mistake.
const status = `
// A Status is a body.
//
//wire:message object
type Status struct {
	Name string 'wire:"name"'
}

func decodePort(j *wirejson.Reader, o Options) uint16 { return 0 }
`

// game has two layouts without a mistake.
const game = `
// A Game is a game.
//
//wire:message layouts=Layout:Old/le,New
type Game struct {
	Version uint32   'wire:"version" sizes:"- 4"'
	Name    string   'wire:"name,text" sizes:"8 16"'
}

type Layout uint8

const (
	Old Layout = iota
	New
)

func (m *Game) decode(r *wire.Reader, o Options) {}

//wire:fails never
func (m *Game) append(w *wire.Writer) {}

func decodeText(r *wire.Reader, o Options, size int, field string) string { return "" }
func appendText(w *wire.Writer, b *wire.Block, size int, field, s string) {}
`

// rest is what these declarations need.
const rest = `
const TypePing = 1

type Message interface{}

func decodeColor(r *wire.Reader, field string) string { return "" }

// appendColor appends a color.
//
//wire:fails the color is unknown
func appendColor(w *wire.Writer, field, v string) {}
`

// What errors list as known.
const (
	messageWords = "known are canonical, object, " +
		"magic=, type=, key=, command=, frame=, end=, layouts="
	typeDirectives = "known are //wire:message, //wire:layout, //wire:object, //wire:envelope"
)

// Each mistake has an error that names the file, the line, the type and the field, and says
// what is allowed.
func TestMistakesNameTheField(t *testing.T) {
	for _, tt := range mistakesNameTheFieldCases {
		if !strings.HasPrefix(tt.in, rest) {
			tt.in += rest
		}
		tt.judge(t)
	}
}

// mistakesNameTheFieldCases are the cases of TestMistakesNameTheField.
var mistakesNameTheFieldCases = []declared{
	{ping, "", "", ""},
	{status, "", "", ""},
	{game, "", "", ""},

	// Directives.
	{ping, "wire:message", "wire:mesage",
		"5: Ping: unknown directive //wire:mesage; " + typeDirectives},
	{ping, "//wire:message", "// wire:messages",
		"5: Ping: unknown directive //wire:messages; " + typeDirectives},
	{ping, "type Ping", "\ntype Ping",
		"8: Ping: has a tag with wire and no directive; known are //wire:message, //wire:layout and //wire:object"},
	{rest, "type Message", "//wire:message\n\ntype Message",
		"5: //wire:message is not part of the comment of a declaration that can have it"},
	{ping, "// A Ping asks.", "//wire:layout", "5: Ping: //wire:message beside //wire:layout"},
	{ping, "type=TypePing", "canonicl type=TypePing",
		"5: Ping: //wire:message: unknown word canonicl; " + messageWords + ", Message"},
	{ping, "type=TypePing", "tpye=TypePing",
		"5: Ping: //wire:message: unknown word tpye=TypePing; " + messageWords},
	{ping, "type=TypePing", "type=", "5: Ping: //wire:message: type= has no value"},
	{ping, "type=TypePing", "type=1 type=2", "5: Ping: //wire:message has type= twice"},
	{ping, "message type=TypePing", "layout canonical",
		"5: Ping: //wire:layout: unknown word canonical; known are magic=, type="},
	{ping, "message type=TypePing", "object outline",
		"5: Ping: //wire:object: unknown word outline; known are none"},
	{ping, "type=TypePing\ntype Ping struct {\n\tTime uint32 'wire:\"time\"'\n}",
		"canonical\ntype Ping interface{}",
		"5: Ping: //wire:message: unknown word canonical; known are key="},
	{ping, "TypePing", "TypePong", "5: Ping: type=TypePong: the package has no such constant"},
	{ping, "TypePing", "TypePing key=TypePong", "5: Ping: key=TypePong: the package has no such constant"},
	{ping, "TypePing", "TypePing end=decodeTail", "5: Ping: end=decodeTail: the package has no such function"},
	{ping, "type=TypePing", "frame=TypePing", "5: Ping: frame=TypePing: the package has no function enter"},
	{rest, "type Message", "//wire:message key=Kind\ntype Message",
		"5: Message: key=Kind: the package has no such type"},
	{rest, "//wire:fails the color is unknown", "//wire:fail never",
		"11: appendColor: unknown directive //wire:fail; known are //wire:fails"},

	// Tags of layouts.
	{ping, "type=TypePing\ntype Ping struct {\n\tTime uint32 'wire:\"time\"'\n}", "\ntype Ping struct{}",
		"5: Ping: has neither a field with a tag nor a method decode, append or layout"},
	{ping, `'wire:"time"'`, "", "7: Ping.Time: has no tag, so it is not in the layout"},
	{ping, "//wire:message type=TypePing", "//",
		"7: Ping: has a tag with wire and no directive; known are //wire:message, //wire:layout and //wire:object"},
	{ping, `wire:"time"`, `wrie:"time"`,
		`7: Ping.Time: the tag wrie:"time" is not wire:"...", followed by sizes:"..." in a type with several ` +
			`layouts`},
	{ping, `Time uint32`, `Time, Start uint32`, "7: Ping.Time, Start: a tag is for one field"},
	{ping, `"time"`, `",le"`, "7: Ping.Time: the tag names no field of the layout"},
	{ping, "uint32", "bool", "7: Ping.Time: no kind for the type bool; " +
		"the package can declare a kind x for it " +
		"by decodeX(*wire.Reader, string) bool and appendX(*wire.Writer, string, bool)"},
	{ping, "uint32", "string", "7: Ping.Time: no kind for the type string; allowed are: text8, text0, color"},
	{ping, "uint32", "[]byte", "7: Ping.Time: no kind for the type []byte; allowed are: rest"},
	{ping, "uint32", "float32", "7: Ping.Time: no kind for the type float32; " +
		"the package can declare a kind x for it " +
		"by decodeX(*wire.Reader, string) float32 and appendX(*wire.Writer, string, float32)"},
	{ping, `"time"`, `"time,be"`, "7: Ping.Time: unknown kind be for the type uint32; allowed are: none, le"},
	{ping, `uint32 'wire:"time"'`, `uint64 'wire:"time,le"'`,
		"7: Ping.Time: unknown kind le for the type uint64; allowed are: none"},
	{ping, `"time"`, `"time,text8"`, "7: Ping.Time: unknown kind text8 for the type uint32; allowed are: none, le"},
	{ping, `"time"`, `"time,key"`, "7: Ping.Time: unknown kind key for the type uint32; allowed are: none, le"},
	{ping, `"time"`, `"time,le,be"`, "7: Ping.Time: unknown kind le,be for the type uint32; allowed are: none, le"},
	{ping, `"time"`, `"time,kye=t"`, "7: Ping.Time: unknown word kye=t in the tag; only key has a value"},
	{ping, `"time"'`, `"time" sizes:"4"'`, "7: Ping.Time: has 1 sizes for 0 layouts"},
	{rest + strings.Replace(ping, `uint32 'wire:"time"'`, `string 'wire:"time,color"'`, 1),
		"//wire:fails the color is unknown", "",
		"12: appendColor: the comment lacks //wire:fails REASON, or //wire:fails never"},

	// Several layouts.
	{game, `"8 16"`, `"8"`, "8: Game.Name: has 1 sizes for 2 layouts"},
	{game, `"8 16"`, `"8 x"`, "8: Game.Name: the size x is neither a number nor -"},
	{game, "name,text", "name,txt", "8: Game.Name: unknown kind txt for the type string; allowed are: text"},
	{game, "decode(", "read(", "5: Game: has several layouts and lacks decode or append, which choose one"},
	{game, "=Layout:", "=Lay:", "5: Game: layouts=Lay:Old/le,New: the package has no type Lay"},
	{game, "Old/le,", "Older/le,", "5: Game: layouts=: the package has no constant Older"},
	{game, "//wire:fails never\n", "", "20: Game.append: the comment lacks when it fails, or //wire:fails never"},
	{game, "func (m *Game) decode", "// It reads.\nfunc (m *Game) decode",
		"19: Game.decode: the comment must start with decode"},

	// JSON.
	{status, `"name"`, `"name,text,first"`,
		"7: Status.Name: unknown word text in the tag; known are must, must=, should=, max=, range=, omitzero, " +
			"lenient, plain, and one of the package's kinds: port"},
	{status, `"name"`, `"name,omitzero,omitzero"`, "7: Status.Name: the tag has omitzero twice or without a value"},
	{status, `"name"`, `"name,max="`, "7: Status.Name: the tag has max= twice or without a value"},
	{status, `"name"`, `",omitzero"`, "7: Status.Name: the tag names no member"},
	{status, `"name"`, `"name,range=3"`, "7: Status.Name: the tag has a range that is not LOW..HIGH"},
	{status, `"name"`, `"name,plain"`, "7: Status.Name: plain is for texts with must= or should="},
	{status, `"name"`, `"name,must"`, "7: Status.Name: must without a rule is for objects, not for string"},
	{status, `"name"`, `"name,max=MaxName"`, "7: Status.Name: the package has no constant MaxName"},
	{status, `"name"`, `"name,must=valid"`,
		"7: Status.Name: the package has no function valid and no method of string or Status with this name"},
	{status + "\nfunc valid(s string) bool { return true }\n", `"name"`, `"name,must=valid"`,
		"7: Status.Name: the package has no constant validFault, the reason for which valid refuses a value"},
	{status, "string", "uint16", "7: Status.Name: uint16 has no form of its own; name a kind of the package: port"},
	{status, `string 'wire:"name"'`, `uint16 'wire:"name,port,max=3"'`,
		"7: Status.Name: max= is for texts and lists, not for uint16"},
	{status, "string", "[]Server", "7: Status.Name: []Server is an array of no object with a directive; name a " +
		"kind of the package: port"},
	{status, "string", "int", "7: Status.Name: an int needs range=, must=, should= or a kind, so that every " +
		"value that is appended can be read"},
	{status, `"name"`, `",inline"`, "7: Status.Name: string is inline and not a type with the directive " +
		"//wire:object"},
	{status, "\tName string 'wire:\"name\"'", strings.Repeat("\tName string 'wire:\"name\"'\n", 33),
		"5: Status: has 33 members; 32 are allowed"},
	{status + `
//wire:object
type Part struct {
	All []Status 'wire:"all"'
}
`, "", "", "14: Part.All: is an array in an object, which only messages and objects in line can have"},
	{status + `
//wire:object
type A struct { B B 'wire:"b"' }

//wire:object
type B struct { C C 'wire:"c"' }

//wire:object
type C struct{}
`, `string 'wire:"name"'`, `A 'wire:"a"'`, "5: Status: objects nest deeper than three"},
}

// A declared is a package, a text in it and its replacement, and the resulting mistake.
type declared struct{ in, old, new, want string }

func (d declared) judge(t *testing.T) {
	t.Helper()
	_, err := generateSource(t, "package sample\n"+strings.Replace(d.in, d.old, d.new, 1))
	got, want := "", d.want
	if err != nil {
		got = err.Error()
	}
	if want != "" {
		want = "sample.go:" + want
	}
	if got != want {
		t.Errorf("%s for %s:\n got %s\nwant %s", d.new, d.old, got, want)
	}
}

// The directives of tests are checked too.
func TestMistakesInTestsAreErrors(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"//wire:test\nfunc FuzzPing() {}", ""},
		{"//wire:test\nfunc FuzzPong() {}",
			"3: FuzzPong: generated tests do not use this name; they use FuzzX for a message X, " +
				"specialLaw, codecOf, compare, loose, sent, optionsFor"},
		{"//wire:tests\nvar compare int", "3: compare: unknown directive //wire:tests; known are //wire:test"},
		{"//wire:test for=Ping\nfunc specialLaw() {}",
			"3: specialLaw: //wire:test: unknown word for=Ping"},
		{"//wire:test\n\nvar compare int",
			"3: //wire:test is not part of the comment of a declaration that can have it"},
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{
			"sample.go":      "package sample\n" + strings.ReplaceAll(ping+rest, "'", "`"),
			"sample_test.go": "package sample\n\n" + tt.in + "\n",
		} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_, err := load(dir)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if want := tt.want; got != want && got != "sample_test.go:"+want {
			t.Errorf("%s:\n got %s\nwant %s", tt.in, got, want)
		}
	}
}
