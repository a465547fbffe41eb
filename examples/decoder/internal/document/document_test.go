package document_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/decoder/internal/document"
	"github.com/lobbywire/lobbywire/examples/internal/capture/capturetest"
	"github.com/lobbywire/lobbywire/examples/internal/dump"
	"github.com/lobbywire/lobbywire/examples/internal/input"
)

// ignore ignores progress.
func ignore(done, all int) {}

func read(t testing.TB, name, text, message string) document.Document {
	t.Helper()
	d, err := document.Read([]document.File{{Name: name, Data: []byte(text)}}, message, "", ignore)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return d
}

// The user or the header names the format of a message; otherwise it is guessed.
func TestFormatIsNamedOrGuessed(t *testing.T) {
	const query = "01 80 31 be 18 00 01 01"
	for _, tt := range []struct{ text, message, want string }{
		{query, "", "sqp.Request"},
		{query, "sqp.QueryRequest", "sqp.QueryRequest"},
		{"# Message: QueryRequest\n" + query, "", "sqp.QueryRequest"},
		{"# Message: sqp.Packet\n" + query, "sqp.QueryRequest", "sqp.QueryRequest"},
		{"# Message: List\n4c 49 53 54 0d 0a", "", "wztext.List"},
	} {
		d := read(t, "", tt.text, tt.message)
		if got := d.Messages[0].Format; got != tt.want {
			t.Errorf("%q as %q: %s, want %s", tt.text, tt.message, got, tt.want)
		}
	}
}

// The document reports doubts, and messages of other protocols.
func TestDoubtIsReported(t *testing.T) {
	for text, want := range map[string]string{
		"hello this is not bytes":                  "no message of the library",
		"\xff\xff\xff\xffTSource Engine Query\x00": "A2S",
		"\xfe\xfd\x00\x01\x02\x03":                 "in doubt",
	} {
		d := read(t, "", text, "")
		if notes := d.Messages[0].Notes; len(notes) != 1 || !strings.Contains(notes[0], want) {
			t.Errorf("%q: notes %q, want %q", text, notes, want)
		}
	}
	if d := read(t, "", "hello this is not bytes", ""); !strings.Contains(d.Form, "raw bytes") {
		t.Errorf("form %q", d.Form)
	}
}

// Pasted text is read. Input that is not a message of the library is named if it is known, or not
// at all.
func TestNamesForeignBytesAndReadsQuotedTexts(t *testing.T) {
	for _, tt := range []struct{ text, format, note string }{
		{"\xff\xff\xff\xffTSource Engine Query\x00", "", "A2S"},
		{"ff ff ff ff 49 11 6e 61 6d 65 00", "", "A2S"},
		{"\xff\xff\xff\xffgetstatus\n", "", "Quake 3"},
		{"ff ff ff ff 73 74 61 74 75 73 52 65 73 70 6f 6e 73 65 0a 5c", "", "Quake 3"},
		{"fe 01", "", "Minecraft's list ping"},
		{"```\n01 80 31 be 18 00 01 01\n```\n", "sqp.Request", ""},
		{"> 01 80 31 be\n> 18 00 01 01\n", "sqp.Request", ""},
		{"> ```hex\n> 01 80 31 be 18 00 01 01\n> ```\n", "sqp.Request", ""},
		{"<Buffer 01 80 31 be 18 00 01 01>", "sqp.Request", ""},
		{`{"type":"Buffer","data":[1,128,49,190,24,0,1,1]}`, "sqp.Request", ""},
		{"%01%80%31%be%18%00%01%01", "sqp.Request", ""},
		{"%fe%fd%09%01%02%03%04", "gamespy2.Request", ""},
		{strings.Repeat("\xaa", 5<<20), "", "no message of the library"},
		{strings.Repeat("aa ", 1400), "", "no message of the library"},
		{"zz not hex", "", "no message of the library"},
	} {
		m := read(t, "", tt.text, "").Messages[0]
		if m.Format != tt.format || !strings.Contains(strings.Join(m.Notes, " "), tt.note) {
			t.Errorf("%.40q: %q, notes %q, want %q and %q", tt.text, m.Format, m.Notes, tt.format, tt.note)
		}
	}
}

// The messages of all files together are limited, and the others counted. Progress ends with all
// steps of a capture.
func TestListsLimitedMessages(t *testing.T) {
	request := capturetest.UDP(netip.MustParseAddrPort("192.0.2.1:5000"), netip.MustParseAddrPort("192.0.2.2:30000"),
		[]byte("\x01\x80\x31\xbe\x18\x00\x01\x01"))
	file := document.File{Name: "a.pcap", Data: capturetest.PCAP(capturetest.LinkRaw, 0,
		slices.Repeat([][]byte{request}, document.MaxMessages-10)...)}
	steps, last, total := 0, 0, 0
	d, err := document.Read([]document.File{file, file}, "", "", func(done, all int) {
		steps, last, total = steps+1, done, all
	})
	if err != nil || len(d.Messages) != document.MaxMessages {
		t.Errorf("%d messages, error %v", len(d.Messages), err)
	}
	if want := []string{"4980 more messages are not listed"}; !slices.Equal(d.Left, want) {
		t.Errorf("left %q, want %q", d.Left, want)
	}
	if want := document.MaxMessages - 10 + 1; last != want || total != want || steps != 2*want {
		t.Errorf("%d steps, the last %d of %d", steps, last, total)
	}
}

// The form of a text with two meanings can be given.
func TestGivenFormSettlesTwoMeanings(t *testing.T) {
	files := []document.File{{Data: []byte("0180 31 be")}}
	if _, err := document.Read(files, "", "", ignore); err == nil {
		t.Error("a text with two meanings is read")
	}
	for form, want := range map[string]string{dump.Hex: "\x01\x80\x31\xbe", input.Raw: "0180 31 be"} {
		d, err := document.Read(files, "", form, ignore)
		if err != nil {
			t.Fatal(form, err)
		}
		if got := string(d.Messages[0].Data); got != want {
			t.Errorf("%s: %q, want %q", form, got, want)
		}
	}
}

// The header of a message reads it again with the same result.
func TestHeaderReadsItsMessageAgain(t *testing.T) {
	const text = "# Message: sqp.QueryResponse\n# Chunks: serverRules\n01 00 00 00 01 00 01 00 00 00 04 00 00 00 00"
	first := read(t, "", text, "").Messages[0]
	again := read(t, "", first.Header()+"01 00 00 00 01 00 01 00 00 00 04 00 00 00 00", "").Messages[0]
	if first.Header() != again.Header() || first.Header() != "# Message: sqp.QueryResponse\n# Chunks: serverRules\n" {
		t.Errorf("%q, then %q", first.Header(), again.Header())
	}
}

// The error for unreadable input names the file.
func TestErrorsNameTheFile(t *testing.T) {
	for _, tt := range []struct {
		name, text, message, want string
	}{
		{"a.hex", "01 8", "", "a.hex"},
		{"b", "# Message: sqp.Request\n# Keys: many\n01", "", "b: Keys"},
		{"", "0180 31 be", "", "text: the first word"},
		{"c", "01 02", "no.Message", "no.Message"},
		{"d", strings.Repeat("x", input.Max+1), "", "more than"},
	} {
		_, err := document.Read([]document.File{{Name: tt.name, Data: []byte(tt.text)}}, tt.message, "", ignore)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one with %q", tt.name, err, tt.want)
		}
	}
}

// Files that together grow beyond the limit when they are decompressed are refused.
func TestRefusesDecompressionBombs(t *testing.T) {
	zeros := func(n int) document.File {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		_, err := w.Write(make([]byte, n))
		if err := errors.Join(err, w.Close()); err != nil {
			t.Fatal(err)
		}
		return document.File{Name: "zeros.gz", Data: packed.Bytes()}
	}
	if _, err := document.Read([]document.File{zeros(1), zeros(input.Max)}, "", "", ignore); err == nil {
		t.Error("no error")
	}
}

// The sections of any message cover all bytes, in order.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"01 80 31 be 18 00 01 01", "# Message: sqp.QueryResponse\n# Chunks: all\n01", "\\status\\", "\xfe\xfd\x09abcd",
		"LIST\r\nLIST\r\n", "\xd4\xc3\xb2\xa1\x02\x00\x04\x00", "{}", "GET / HTTP/1.1\r\n\r\n",
	} {
		f.Add([]byte(text), "")
	}
	f.Add([]byte("list"), "warzone.HostStream")
	f.Fuzz(func(t *testing.T, data []byte, message string) {
		d, err := document.Read([]document.File{{Data: slices.Clone(data)}}, message, "", ignore)
		if err != nil {
			return
		}
		for _, m := range d.Messages {
			at := 0
			for _, s := range m.Sections() {
				for _, field := range s.Fields {
					if field.Offset != at || field.Length < 0 {
						t.Fatalf("%s: field %s at %d, want %d", m.Format, field.Name, field.Offset, at)
					}
					at += field.Length
				}
			}
			if at > len(m.Data) {
				t.Fatalf("%s: %d of %d bytes", m.Format, at, len(m.Data))
			}
		}
	})
}
