package output

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCellsAreNoFormulas(t *testing.T) {
	for text, want := range map[string]string{
		"Duel":           "Duel",
		"1 = 1":          "1 = 1",
		"a-b@c":          "a-b@c",
		"=1+1":           "'=1+1",
		"+1":             "'+1",
		"-1":             "'-1",
		"@SUM(A1)":       "'@SUM(A1)",
		" =1":            "' =1",
		"\"=1":           "'\"=1",
		"＝1":             "'＝1",
		"a;=1;b":         "a;'=1;b",
		"x; =HYPERLINK(": "x;' =HYPERLINK(",
	} {
		if got := escapeFormulas(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// All members with a single value are columns of CSV, in the order of the schema up to
// the error. Columns that were added later are at the end.
func TestCSVHasAllMembers(t *testing.T) {
	full, err := FullRecord()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, name := range Sortable(full) {
		if name != rttAlias {
			want = append(want, name)
		}
	}
	want = append(want, "error")
	slices.Sort(want)
	got := slices.Clone(csvColumns[:])
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("columns (-members +columns):\n%s", diff)
	}
	at := 0
	for _, name := range csvColumns[:1+slices.Index(csvColumns[:], "error")] {
		i := strings.Index(Schema[at:], "\n    \""+name+`": {`)
		if i < 0 {
			t.Fatalf("%s is in another place of the schema", name)
		}
		at += i
	}
}
