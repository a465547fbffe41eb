package gamespy2_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/gamespy2"
)

// TestTablesOfUnexpectedShapeAreRead has tables whose shape differs from the estimate by their
// first columns.
func TestTablesOfUnexpectedShapeAreRead(t *testing.T) {
	// column returns a column of the rows from start to end.
	column := func(name string, start, end int) string {
		s := name + "\x00" + string([]byte{byte(start)})
		for row := start; row < end; row++ {
			s += fmt.Sprintf("%s%d\x00", name, row)
		}
		return s + "\x00"
	}
	type part struct{ start, end int }
	manyNarrow := make([]part, gamespy2.MaxColumns)
	for i := range manyNarrow {
		manyNarrow[i] = part{0, i % 2}
	}
	manyNarrow[0].end = 40
	for _, tt := range []struct {
		name  string
		parts []part // of the columns, one each
	}{
		{"one value", []part{{0, 1}}},
		{"columns without values", []part{{0, 0}, {0, 0}, {0, 0}}},
		{"first column without values", []part{{0, 0}, {0, 3}, {1, 2}}},
		{"first column longest", []part{{0, 9}, {0, 2}, {0, 1}, {0, 3}, {0, 1}}},
		{"last column longest", []part{{0, 1}, {0, 1}, {0, 1}, {0, 99}}},
		{"rows that start late", []part{{2, 3}, {255, 256}, {4, 6}}},
		{"many columns", manyNarrow},
		{"few rows expected, then too many for the room", append([]part{{0, 600}}, manyNarrow[1:10]...)},
		{"few columns of many rows", []part{{0, 1}, {0, 5000}, {0, 2}}},
	} {
		bodies := []string{"\x00\x00\x01"} // of packets, which alone may start after row 0
		want := gamespy2.Table{}
		rows := 0
		for _, p := range tt.parts {
			if p.end > p.start {
				rows = max(rows, p.end)
			}
		}
		want.Rows = make([][]string, rows)
		for i := range want.Rows {
			want.Rows[i] = make([]string, len(tt.parts))
		}
		for i, p := range tt.parts {
			name := fmt.Sprintf("c%d_", i)
			if p.start > 0 {
				bodies = append(bodies, "\x01")
			}
			bodies[len(bodies)-1] += column(name, p.start, p.end)
			want.Columns = append(want.Columns, name)
			for row := p.start; row < p.end; row++ {
				want.Rows[row][i] = fmt.Sprintf("%s%d", name, row)
			}
		}
		bodies[len(bodies)-1] += "\x00\x02\x00"
		a := gamespy2.Assembler{Options: gamespy2.Options{Strict: true}, MaxAnswer: 1 << 20}
		for i, body := range bodies {
			number := byte(i)
			if i == len(bodies)-1 {
				number |= 0x80
			}
			if _, err := a.Add(fmt.Appendf(nil, "\x00\x01\x02\x03\x04splitnum\x00%s%s", []byte{number}, body)); err != nil {
				t.Fatalf("%s: %v", tt.name, err)
			}
		}
		got, err := a.Response()
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if d := cmp.Diff(want, got.Players); d != "" {
			t.Errorf("%s: -want +got\n%s", tt.name, d)
		}
		uneven := slices.ContainsFunc(tt.parts, func(p part) bool { return p.end > 0 && p.end != rows })
		if got.Partial != uneven {
			t.Errorf("%s: partial %v", tt.name, got.Partial)
		}
	}
}
