package golden

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/internal/hexfile"
)

// vector returns a golden file.
func vector(t *testing.T, header, body string) File {
	t.Helper()
	h, data, err := hexfile.Parse(header + body)
	if err != nil {
		t.Fatal(err)
	}
	return File{Header: h, Body: body, Data: data}
}

// rows returns the rows of a layout, each as a line.
func rows(l Layout) string {
	var s strings.Builder
	for _, r := range l.Rows {
		fmt.Fprintf(&s, "%v %v %s %v %s\n", r.Offset, r.Size, r.Name, r.Optional, r.Example)
	}
	return s.String()
}

const message = "# Message: Names\n# Source: built\n"

// Vectors show what is always the same and what is not.
func TestVectorsShowWhatVaries(t *testing.T) {
	two := vector(t, message, `01                    # 0+1 type = 1
00 02                 # 1+2 count = 2
02 41 42              # 3+3 names[0].text = "AB"
01 43                 # 6+2 names[1].text = "C"
07                    # 8+1 end = 7
`)
	none := vector(t, message, `01                    # 0+1 type = 1
00 00                 # 1+2 count = 0
09                    # 3+1 flag = 9
07                    # 4+1 end = 7
`)
	broken := vector(t, message, `02                    # 0+1 type = 2
# sample: type at byte 0: invalid value
`)
	differs := vector(t, message+"# Encoding: differs\n", "03  # 0+1 type = 3\n")
	got := Layouts([]File{broken, two, none, differs})
	if len(got) != 1 || got[0].Type != "Names" || got[0].Text != "" {
		t.Fatalf("got %+v", got)
	}
	want := `map[:0] map[:1] type false 01 = 1
map[:1] map[:2] count false 00 02 = 2
map[:3] map[] names[].text true "\x02AB"
map[] map[:1] flag true 09 = 9
map[] map[:1] end false 07 = 7
`
	if diff := cmp.Diff(want, rows(got[0])); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Each version has its own offsets. A text that zeros fill has a size.
func TestEachVersionHasItsOffsets(t *testing.T) {
	a := vector(t, message+"# Version: 1\n", `41 00 00 00 00 00     # 0+6 name = "A"
01                    # 6+1 last = 1
`)
	b := vector(t, message+"# Version: 2\n", `00 00                 # 0+2 version = 0
42 43 00 00 00 00     # 2+6 name = "BC"
01                    # 8+1 last = 1
`)
	got := Layouts([]File{a, b})
	want := `map[2:0] map[2:2] version false 00 00 = 0
map[1:0 2:2] map[1:6 2:6] name false "BC\x00"...
map[1:6 2:8] map[1:1 2:1] last false 01 = 1
`
	if diff := cmp.Diff(want, rows(got[0])); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Each form has a layout of its own.
func TestEachFormHasItsLayout(t *testing.T) {
	a := vector(t, message+"# Form: binary\n", "01  # 0+1 type = 1\n")
	b := vector(t, message+"# Form: text\n", "41  # 0+1 word = \"A\"\n")
	got := Layouts([]File{b, a})
	if len(got) != 2 || got[0].Form != "binary" || got[1].Form != "text" || len(got[1].Rows) != 1 {
		t.Errorf("got %+v", got)
	}
}

// A part that is itself a message is one row, and messages of a stream count.
func TestPartIsOneRow(t *testing.T) {
	name := vector(t, "# Message: Name\n# Source: capture\n", `01                    # 0+1 size = 1
41                    # 1+1 text = "A"
`)
	stream := vector(t, "# Message: Stream\n# Source: capture\n", `# sample.List, 3 bytes from 0
07                    # 0+1 type = 7
01                    # 1+1 names[0].size = 1
42                    # 2+1 names[0].text = "B"
# sample.List, 3 bytes from 3
07                    # 3+1 type = 7
01                    # 4+1 names[0].size = 1
43                    # 5+1 names[0].text = "C"
`)
	got := Layouts([]File{name, stream})
	want := `map[:0] map[:1] type false 07 = 7
map[:1] map[] names[] false a Name
`
	if len(got) != 2 || got[0].Type != "List" {
		t.Fatalf("got %+v", got)
	}
	if diff := cmp.Diff(want, rows(got[0])); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A message whose fields are named in its text is shown as text.
func TestTextIsShownAsText(t *testing.T) {
	got := Layouts([]File{vector(t, message, `7b 22 61 22 3a        # 0+5 json = "{\"a\":"
31                    # 5+1 a = 1
7d                    # 6+1 json = "}"
0a                    # 7+1 newline = 0a
`)})
	if want := `{"a":1}`; len(got) != 1 || got[0].Text != want {
		t.Errorf("got %+v, want %s", got, want)
	}
}
