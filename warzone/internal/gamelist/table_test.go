package gamelist_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/warzone/internal/gamelist"
)

// What is stored of a row that has changed, moved or gone is out of date, so each is reported.
func TestTableReportsChangedRows(t *testing.T) {
	var changed []int
	row := func(e *string) (string, bool) { return *e, *e != "hidden" }
	table := gamelist.NewTable(row, func(i int) { changed = append(changed, i) })
	a, b, c, never := "a", "b", "c", "hidden"
	for _, tt := range []struct {
		name    string
		do      func()
		rows    []string
		changed []int
	}{
		{"put", func() { table.Put(&a); table.Put(&b); table.Put(&c) }, []string{"a", "b", "c"}, []int{0, 1, 2}},
		{"hidden from the start", func() { table.Put(&never) }, []string{"a", "b", "c"}, nil},
		{"changed", func() { b = "B"; table.Put(&b) }, []string{"a", "B", "c"}, []int{1}},
		{"removed", func() { table.Remove(&a) }, []string{"c", "B"}, []int{0, 2}},
		{"hidden", func() { c = "hidden"; table.Put(&c) }, []string{"B"}, []int{0, 1}},
		{"removed again", func() { table.Remove(&a) }, []string{"B"}, nil},
	} {
		changed = nil
		tt.do()
		if diff := cmp.Diff(tt.rows, table.Rows) + cmp.Diff(tt.changed, changed); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
