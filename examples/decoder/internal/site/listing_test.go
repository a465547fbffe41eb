package site_test

import (
	"bytes"
	"encoding/hex"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/examples/internal/browsertest"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
	"github.com/lobbywire/lobbywire/examples/internal/listing"
)

// listed matches a cell of a table of package listing.
var listed = regexp.MustCompile(`<td class="(\w+)"[^>]*>(?:<bdi>)?([^<\n]*)`)

// The page shows a message as gamequery explain -html does: in the same cells, with the same
// classes and texts, also if it is broken.
func TestPageShowsMessagesAsExplainDoes(t *testing.T) {
	b := browse(t)
	for _, digits := range []string{query, "01 80 31 be", "00 80 31 be 18", "01 80 31 be 18 00 01 02 03"} {
		b.typeText("# Message: sqp.Request\n" + digits)
		data, err := hex.DecodeString(strings.ReplaceAll(digits, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		f, _ := formats.Named("sqp.Request")
		var text, page bytes.Buffer
		explained := f.Explain(&text, data, formats.DefaultOptions())
		if err := listing.WriteMessages(&page, text.Bytes()); err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, cell := range listed.FindAllStringSubmatch(page.String(), -1) {
			want = append(want, cell[1]+": "+strings.TrimSpace(html.UnescapeString(cell[2])))
		}
		got := browsertest.Eval[[]string](b.Tab,
			`[...document.querySelectorAll("#fields td")].map((e) => e.className + ": " + e.textContent)`)
		if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
			t.Errorf("%s, error %v (-listing +page):\n%s\n%s", digits, explained, diff, text.String())
		}
	}
	b.Clean()
}
