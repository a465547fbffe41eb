package listing_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/lobbywire/lobbywire/examples/internal/listing"
)

const text = `# 03:04:05 192.0.2.1:5 > 192.0.2.2:6, <b>sqp.Request</b>
# cut: the capture has 22 of 102 bytes
01                                              # 0+1 type = 1
80 31                                           # 1+2 name = "</td><script>alert(1)</script> = x"
aa bb
                                                # 3+0 text = ""
# sqp: chunks at byte 7: truncated

ff ff

# explained 1 (cut 1, broken 0), not explained 0
`

// cells returns the texts of the table cells of a page, and the names of its elements.
func cells(t *testing.T, page []byte) (cells []string, elements map[string]int) {
	t.Helper()
	elements = map[string]int{}
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		elements[n.Data]++
		if n.Data == "td" {
			var b strings.Builder
			for inner := range n.Descendants() {
				if inner.Type == html.TextNode {
					b.WriteString(inner.Data)
				}
			}
			cells = append(cells, strings.TrimRight(b.String(), "\n"))
		}
	}
	return cells, elements
}

// Each field shows its bytes, place, name and value, and all texts are escaped.
func TestPageEscapesAllTexts(t *testing.T) {
	var b bytes.Buffer
	if err := listing.Write(&b, "<i>a</i>.pcap", []byte(text)); err != nil {
		t.Fatal(err)
	}
	got, elements := cells(t, b.Bytes())
	want := []string{
		"01", "0+1", "type", "1",
		"80 31\naa bb", "1+2", "name", `"</td><script>alert(1)</script> = x"`,
		"", "3+0", "text", `""`, "sqp: chunks at byte 7: truncated",
		"ff ff", "", "", "",
	}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("cells %q, want %q", got, want)
	}
	for name, count := range map[string]int{
		"script": 0, "b": 0, "i": 0, "link": 0, "img": 0, "section": 3, "h1": 1, "h2": 2, "p": 1,
	} {
		if elements[name] != count {
			t.Errorf("%d elements %s, want %d", elements[name], name, count)
		}
	}
	if found := regexp.MustCompile(`https?:|url\(|@import|src=|href=`).FindString(b.String()); found != "" {
		t.Errorf("the page refers to something else: %s", found)
	}
}

// Without the page, the messages have the same markup, for pages with more content.
func TestMessagesAreThoseOfThePage(t *testing.T) {
	var page, messages bytes.Buffer
	if err := listing.Write(&page, "x", []byte(text)); err != nil {
		t.Fatal(err)
	}
	err := listing.WriteMessages(&messages, []byte(text))
	if err != nil || !bytes.Contains(page.Bytes(), messages.Bytes()) {
		t.Errorf("%v, %s", err, &messages)
	}
}

func FuzzPage(f *testing.F) {
	f.Add([]byte(text))
	f.Add([]byte("#\n\n#0+1\n 00 # 1+1 = = <\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var b bytes.Buffer
		if err := listing.Write(&b, string(text), text); err != nil {
			t.Fatal(err)
		}
		_, elements := cells(t, b.Bytes())
		for name := range elements {
			const known = " html head meta title style body h1 section h2 p table thead tbody tr th td bdi "
			if !strings.Contains(known, " "+name+" ") {
				t.Errorf("element %s", name)
			}
		}
	})
}
