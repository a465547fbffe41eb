package wirejson

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// readJSON reads any text into the values of encoding/json.
func readJSON(b []byte) (any, error) {
	r := wire.NewReader(b)
	j := NewReader(&r)
	raw := j.Raw()
	j.End()
	if err := r.Err("test"); err != nil {
		return nil, err
	}
	return treeOf(raw), nil
}

// treeOf reads a value that Raw has passed.
func treeOf(raw []byte) any {
	r := wire.NewReader(raw)
	j := NewReader(&r)
	switch j.Peek() {
	case '{':
		var members map[string]json.RawMessage
		o := j.Object(nil, 0, &members)
		o.Next()
		m := map[string]any{}
		for k, v := range members {
			m[k] = treeOf(v)
		}
		return m
	case '[':
		l := []any{}
		for a := j.Array(); a.Next(); {
			l = append(l, treeOf(j.Raw()))
		}
		return l
	case '"':
		s := j.Text()
		again := wire.NewReader(raw)
		view := NewReader(&again)
		if string(view.View()) != s {
			return nil
		}
		return s
	case 't', 'f':
		return j.Bool()
	case 'n':
		j.Null()
		return nil
	}
	return json.Number(j.Raw())
}

// stdJSON reads b with encoding/json and returns the parts of it that we refuse:
// names that come twice, lone surrogates, and depth.
func stdJSON(b []byte) (v any, refused bool, err error) {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		return nil, false, err
	}
	if !json.Valid(b) {
		return nil, false, errors.New("trailing data")
	}
	refused = !utf8.Valid(b)
	dec = json.NewDecoder(bytes.NewReader(b))
	type level struct {
		names map[string]bool
		value bool // comes next in an object
	}
	var open []level
	for {
		tok, err := dec.Token()
		if err != nil {
			return v, refused, nil
		}
		if d, ok := tok.(json.Delim); ok && (d == '}' || d == ']') {
			open = open[:len(open)-1]
			continue
		}
		s, isText := tok.(string)
		if isText && strings.ContainsRune(s, utf8.RuneError) && bytes.Contains(bytes.ToLower(b), []byte(`\ud`)) {
			refused = true
		}
		if len(open) > 0 && open[len(open)-1].names != nil {
			top := &open[len(open)-1]
			top.value = !top.value
			if top.value {
				refused = refused || top.names[s]
				top.names[s] = true
				continue
			}
		}
		switch tok {
		case json.Delim('{'):
			open = append(open, level{names: map[string]bool{}})
		case json.Delim('['):
			open = append(open, level{})
		}
		refused = refused || len(open) > MaxDepth
	}
}

// checkJSON compares the results of our reader and encoding/json for b.
func checkJSON(t *testing.T, b []byte) {
	got, err := readJSON(b)
	want, refused, wantErr := stdJSON(b)
	switch {
	case err == nil && (wantErr != nil || refused):
		t.Fatalf("%q: read, but encoding/json: %v, refused: %v", b, wantErr, refused)
	case err != nil && wantErr == nil && !refused:
		t.Fatalf("%q: %v, but encoding/json reads it", b, err)
	case err == nil:
		// Not cmp.Diff, which is too slow for deep values.
		if !reflect.DeepEqual(want, got) {
			t.Fatalf("%q: read as %v, by encoding/json as %v", b, got, want)
		}
	}
	if len(b) > 0 && (err == nil || errors.Is(err, lobbywire.ErrTruncated)) {
		if _, err := readJSON(b[:len(b)-1]); err != nil && !errors.Is(err, lobbywire.ErrTruncated) {
			t.Fatalf("%q can be or become valid, but without its last byte: %v", b, err)
		}
	}
}

// jsonCases are texts and the kinds of their errors.
var jsonCases = []struct {
	text string
	kind error
}{
	{`{}`, nil},
	{" \t\r\n[ ] \n", nil},
	{`{"a":[1,-2.5e+3,true,false,null,"x",{}],"b":{"c":0}}`, nil},
	{`"\"\\\/\b\f\n\r\t\u00e9\u2028\ud83d\udca3 é轰💣"`, nil},
	{`{"":1,"A":2,"a":3}`, nil},
	{`{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":10,"\u0061b":11}`, nil},
	{``, lobbywire.ErrTruncated},
	{`{"a"`, lobbywire.ErrTruncated},
	{`{"a":1,`, lobbywire.ErrTruncated},
	{`[1,`, lobbywire.ErrTruncated},
	{`tru`, lobbywire.ErrTruncated},
	{`-`, lobbywire.ErrTruncated},
	{`1.`, lobbywire.ErrTruncated},
	{`1e`, lobbywire.ErrTruncated},
	{`1e+`, lobbywire.ErrTruncated},
	{`"\`, lobbywire.ErrTruncated},
	{`"\u12`, lobbywire.ErrTruncated},
	{`"\ud`, lobbywire.ErrTruncated},
	{`"\ud83d\u`, lobbywire.ErrTruncated},
	{`"\ud83d\ud`, lobbywire.ErrTruncated},
	{"\"\xe8\xbd", lobbywire.ErrTruncated},
	{`{"a":1,}`, lobbywire.ErrInvalid},
	{`[1,]`, lobbywire.ErrInvalid},
	{`[1 2]`, lobbywire.ErrInvalid},
	{`{"a" 1}`, lobbywire.ErrInvalid},
	{`{"a":1 "b":2}`, lobbywire.ErrInvalid},
	{`{a:1}`, lobbywire.ErrInvalid},
	{`{'a':1}`, lobbywire.ErrInvalid},
	{`// comment`, lobbywire.ErrInvalid},
	{`01`, lobbywire.ErrInvalid},
	{`+1`, lobbywire.ErrInvalid},
	{`.5`, lobbywire.ErrInvalid},
	{`1.e`, lobbywire.ErrInvalid},
	{`trUe`, lobbywire.ErrInvalid},
	{`NaN`, lobbywire.ErrInvalid},
	{`"\x"`, lobbywire.ErrInvalid},
	{`"\u12g4"`, lobbywire.ErrInvalid},
	{"\"\n\"", lobbywire.ErrInvalid},
	{"\"\x00\"", lobbywire.ErrInvalid},
	{"\xef\xbb\xbf{}", lobbywire.ErrInvalid},
	{"\"\xff\"", lobbywire.ErrInvalid},
	{"\"\xed\xa0\x80\"", lobbywire.ErrInvalid},
	{`"\ud800"`, lobbywire.ErrInvalid},
	{`"\udc`, lobbywire.ErrInvalid},
	{`"\ud800\u00`, lobbywire.ErrInvalid},
	{`"\ud800x`, lobbywire.ErrInvalid},
	{`{"a":1,"a":2}`, lobbywire.ErrInvalid},
	{`{"a":1,"\u0061":2}`, lobbywire.ErrInvalid},
	{`[{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"i":9}]`, lobbywire.ErrInvalid},
	{`{"x":{"a":1,"a":2}}`, lobbywire.ErrInvalid},
	{`{} {}`, lobbywire.ErrTrailing},
	{`1 2`, lobbywire.ErrTrailing},
	{strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth), nil},
	{strings.Repeat("[", MaxDepth+1), lobbywire.ErrTooLarge},
	{strings.Repeat(`{"a":`, MaxDepth+1), lobbywire.ErrTooLarge},
}

func TestReaderAgreesWithEncodingJSON(t *testing.T) {
	for _, tt := range jsonCases {
		_, err := readJSON([]byte(tt.text))
		if !errors.Is(err, tt.kind) {
			t.Errorf("%q: %v, want %v", tt.text, err, tt.kind)
		}
		for n := range len(tt.text) + 1 {
			checkJSON(t, []byte(tt.text[:n]))
		}
	}
}

func FuzzJSON(f *testing.F) {
	for _, tt := range jsonCases {
		f.Add([]byte(tt.text))
	}
	f.Fuzz(func(t *testing.T, b []byte) { checkJSON(t, b) })
}

// FuzzText writes a text and reads it again, here and by encoding/json.
func FuzzText(f *testing.F) {
	f.Add("")
	f.Add("<a href=\"\\x\">&\b\f\n\r\t\x00\x1f\x7f\u2028é💣")
	f.Add("\xff")
	f.Fuzz(func(t *testing.T, s string) {
		w := wire.NewWriter(nil)
		AppendText(&w, "text", s)
		b, err := w.Finish("test")
		if (err == nil) != utf8.ValidString(s) {
			t.Fatalf("%q: %v", s, err)
		}
		if err != nil {
			return
		}
		var want string
		if err := json.Unmarshal(b, &want); err != nil || want != s {
			t.Fatalf("%q is written %s, which encoding/json reads as %q, %v", s, b, want, err)
		}
		if got, err := readJSON(b); err != nil || got != s {
			t.Fatalf("%q is written %s, read as %q, %v", s, b, got, err)
		}
	})
}

// thing has members of all kinds.
type thing struct {
	Name  string
	Size  int64
	Open  bool
	Parts []thing
	Extra map[string]json.RawMessage
}

func (m *thing) decode(j *Reader) {
	o := j.Object([]string{"name", "size", "open", "parts"}, 0b0011, &m.Extra)
	for o.Next() {
		switch o.Index() {
		case 0: // name
			m.Name = j.Text()
		case 1: // size
			m.Size = j.Int(0, 9, true)
		case 2: // open
			m.Open = j.Bool()
		case 3: // parts
			for a := j.Array(); a.Next(); {
				m.Parts = append(m.Parts, thing{})
				m.Parts[len(m.Parts)-1].decode(j)
			}
		}
	}
}

func TestObjectReadsItsMembers(t *testing.T) {
	for _, tt := range []struct {
		name   string
		text   string
		want   thing
		kind   error
		field  string
		offset int
	}{
		{"members in order", `{"name":"a","size":1}`, thing{Name: "a", Size: 1}, nil, "", 0},
		{"members in another order", `{"open":true,"size":1,"name":"a"}`,
			thing{Name: "a", Size: 1, Open: true}, nil, "", 0},
		{"escaped name", `{"n\u0061me":"a","size":1}`, thing{Name: "a", Size: 1}, nil, "", 0},
		{"unknown members", `{"Name": [ 1 ],"name":"a","size":1,"x":null}`,
			thing{Name: "a", Size: 1, Extra: map[string]json.RawMessage{"Name": []byte("[ 1 ]"), "x": []byte("null")}},
			nil, "", 0},
		{"nested", `{"name":"a","size":1,"parts":[{"name":"b","size":2},{"size":3,"name":"c"}]}`,
			thing{Name: "a", Size: 1, Parts: []thing{{Name: "b", Size: 2}, {Name: "c", Size: 3}}}, nil, "", 0},
		{"missing member", `{"name":"a"}`, thing{}, wire.Invalid("missing"), "size", 11},
		{"missing member of a part", `{"name":"a","size":1,"parts":[{"size":1}]}`, thing{},
			wire.Invalid("missing"), "parts[0].name", 39},
		{"number out of range", `{"name":"a","size":10}`, thing{}, wire.Outside(0, 9), "size", 19},
		{"number at the end", `{"name":"a","size":10`, thing{}, lobbywire.ErrTruncated, "size", 19},
		{"wrong kind", `{"name":1,"size":1}`, thing{}, wire.Invalid("is not a string"), "name", 8},
		{"null", `{"name":null,"size":1}`, thing{}, wire.Invalid("is not a string"), "name", 8},
		{"member twice", `{"name":"a","size":1,"name":"a"}`, thing{}, wire.Invalid("appears twice"), "name", 21},
		{"unknown member twice", `{"x":1,"name":"a","x":1}`, thing{}, wire.Invalid("appears twice"), "extra", 18},
		{"fault in an unknown member", `{"name":"a","size":1,"x":[1,[tru]]}`, thing{},
			wire.Invalid("is not true, false or null"), "extra", 25},
		{"no comma", `{"name":"a" "size":1}`, thing{}, wire.Invalid(badObject), "", 12},
		{"no colon", `{"name" "a"}`, thing{}, wire.Invalid(badObject), "name", 8},
		{"no comma between elements", `{"name":"a","size":1,"parts":[{"name":"b","size":2}{}]}`, thing{},
			wire.Invalid("has no comma or bracket behind an element"), "parts", 51},
		{"comma before the end", `{"name":"a","size":1,}`, thing{}, wire.Invalid(badObject), "", 21},
		{"cut after a comma", `{"name":"a",`, thing{}, lobbywire.ErrTruncated, "", 12},
		{"bad name", "{\"\xff\":1}", thing{}, wire.Invalid(wire.NotUTF8), "", 1},
		{"trailing", `{"name":"a","size":1}x`, thing{}, lobbywire.ErrTrailing, "", 21},
	} {
		t.Run(tt.name, func(t *testing.T) {
			decode := func(r *wire.Reader) thing {
				j := NewReader(r)
				var got thing
				got.decode(&j)
				j.End()
				return got
			}
			r := wire.NewReader([]byte(tt.text))
			got := decode(&r)
			if err := r.Err("test"); tt.kind != nil || err != nil {
				want := &lobbywire.Error{Proto: "test", Field: tt.field, Offset: tt.offset, Err: tt.kind}
				if err == nil || err.Error() != want.Error() {
					t.Errorf("error %v, want %v", err, want)
				}
			} else if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			e := wire.Explain("test", "thing", []byte(tt.text), func(r *wire.Reader) { decode(r) })
			at := 0
			for _, f := range e.Fields {
				if f.Offset != at {
					t.Errorf("field %s at %d, want %d", f.Name, f.Offset, at)
				}
				at += f.Length
			}
			if at != len(tt.text) {
				t.Errorf("%d of %d bytes explained", at, len(tt.text))
			}
		})
	}
}

func TestExplainCoversEveryByte(t *testing.T) {
	text := []byte(`{"name":"a", "parts":[{"name":"ä","size":2}],"x":[ ],"size":1, "open":false} `)
	e := wire.Explain("test", "thing", text, func(r *wire.Reader) {
		j := NewReader(r)
		new(thing).decode(&j)
		j.End()
	})
	var got []string
	for _, f := range e.Fields {
		got = append(got, f.Name+" "+f.Value)
	}
	want := []string{
		`json "{\"name\":"`, `name "a"`,
		`json ", \"parts\":[{\"name\":"`, `parts[0].name "\u00e4"`,
		`json ",\"size\":"`, `parts[0].size 2`,
		`json "}],\"x\":"`, `extra "[ ]"`,
		`json ",\"size\":"`, `size 1`,
		`json ", \"open\":"`, `open false`, `json "} "`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestAppendTextEscapesControls(t *testing.T) {
	w := wire.NewWriter(nil)
	AppendText(&w, "text", "\b\f\n\r\t\"\\\x00\x1f a/<é")
	got, err := w.Finish("test")
	if want := `"\b\f\n\r\t\"\\\u0000\u001f a/<é"`; string(got) != want || err != nil {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
}

func TestAppendWritesObjects(t *testing.T) {
	extra := map[string]json.RawMessage{"b": []byte(` {"x" : 1}`), "a<": []byte(`"<"`)}
	w := wire.NewWriter([]byte("x"))
	w.Text("{")
	AppendExtra(&w, extra, nil)
	AppendName(&w, "n")
	w.Int(-7)
	w.Text(`,"o":{`)
	AppendName(&w, "p")
	AppendBool(&w, true)
	w.Text("}")
	AppendExtra(&w, nil, nil)
	AppendExtra(&w, map[string]json.RawMessage{"z": []byte("0")}, []string{"n"})
	w.Text("}")
	got, err := w.Finish("test")
	if want := `x{"a<":"<","b": {"x" : 1},"n":-7,"o":{"p":true},"z":0}`; string(got) != want || err != nil {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	for _, tt := range []struct {
		name  string
		extra map[string]json.RawMessage
	}{
		{"known member", map[string]json.RawMessage{"known": []byte("1")}},
		{"name not UTF-8", map[string]json.RawMessage{"\xff": []byte("1")}},
		{"no value", map[string]json.RawMessage{"a": nil}},
		{"two values", map[string]json.RawMessage{"a": []byte("1,2")}},
		{"value cut short", map[string]json.RawMessage{"a": []byte("[1")}},
		{"duplicate names", map[string]json.RawMessage{"a": []byte(`{"b":1,"b":1}`)}},
	} {
		w := wire.NewWriter(nil)
		w.Text("{")
		AppendExtra(&w, tt.extra, []string{"known"})
		if _, err := w.Finish("test"); !errors.Is(err, lobbywire.ErrInvalid) {
			t.Errorf("%s: %v, want an invalid value", tt.name, err)
		}
	}
}

func TestRoomFollowsTheRemainingInput(t *testing.T) {
	for _, tt := range []struct {
		text string
		size int
		want int
	}{
		{`[]          `, 2, 0},
		{`[{},{}]`, 2, 2},
		{`[{"a":1},{"a":1}]`, 7, 2},
		{`[{"a":{}},{"a":{}}]`, 8, 2},
		{`[{"a":{}},{"a":{}}]`, 1, 4},
		{`[1,2,3]`, 1, 0},
	} {
		r := wire.NewReader([]byte(tt.text))
		j := NewReader(&r)
		a := j.Array()
		if got := a.Room(tt.size); got != tt.want {
			t.Errorf("%s: room for %d, want %d", tt.text, got, tt.want)
		}
	}
}

func TestCastConvertsAsCDoes(t *testing.T) {
	for _, tt := range []struct {
		text string
		want uint64
		ok   bool
	}{
		{"300", 300, true},
		{"-1", 1<<64 - 1, true},
		{"18446744073709551615", 1<<64 - 1, true},
		{"18446744073709551616", 0, false},
		{"-9223372036854775808", 1 << 63, true},
		{"4.9", 4, true},
		{"-4.9", 1<<64 - 4, true},
		{"1e2", 100, true},
		{"1e19", 0, false},
		{"1e999", 0, false},
		{"true", 1, true},
		{"false", 0, true},
		{"null", 0, false},
		{`"1"`, 0, false},
	} {
		r := wire.NewReader([]byte(tt.text))
		j := NewReader(&r)
		if got := j.Cast(); r.Failed() == tt.ok || got != tt.want {
			t.Errorf("%s: %d, %v; want %d, ok %v", tt.text, got, r.Err("test"), tt.want, tt.ok)
		}
	}
}
