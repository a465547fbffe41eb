package terminal

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// A Table is printed in columns. Cells may have any content and are cleaned when they
// are printed.
type Table struct {
	Header []string // may be nil
	Rows   [][]string
	None   string // printed if there are no rows; "none" if empty

	// Spare are headers of columns that are left out in a narrow screen, the first one
	// first, before the first column is cut.
	Spare []string
}

// Add adds a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// Layout, in columns of the terminal.
const (
	columnGap = 2
	minColumn = 8  // smallest width of a cut column
	maxColumn = 80 // largest width of a column below a header if nothing else limits it
)

// Write prints the table. If possible, it cuts the widest cells to fit the screen.
// Without a screen, it cuts only the cells below a header that are wider than any name
// should be. Columns of numbers with a header are aligned right.
func (t *Table) Write(w io.Writer, on Screen) error {
	if len(t.Rows) == 0 {
		_, err := fmt.Fprintln(w, cmp.Or(t.None, "none"))
		return err
	}
	header, rows := cleanAll(t.Header), make([][]string, len(t.Rows))
	for i, row := range t.Rows {
		rows[i] = cleanAll(row)
	}
	widths, numeric := measure(header, rows)
	if on.Width > 0 {
		for _, spare := range t.Spare {
			if narrowest(widths) <= on.Width {
				break
			}
			i := slices.Index(header, spare)
			if i < 0 {
				continue
			}
			header = slices.Delete(header, i, i+1)
			for j, row := range rows {
				rows[j] = slices.Delete(row, i, i+1)
			}
			widths, numeric = measure(header, rows)
		}
		shrink(widths, on.Width)
	} else if header != nil {
		for i, n := range widths {
			widths[i] = min(n, maxColumn)
		}
	}
	columns := make([]column, len(widths))
	for i := range columns {
		columns[i] = column{i, widths[i], numeric[i]}
	}
	var b strings.Builder
	if header != nil {
		b.WriteString(on.highlight(line(columns, header)) + "\n")
	}
	for _, row := range rows {
		b.WriteString(line(columns, row) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// A column is the layout of its cells.
type column struct {
	index, width int
	numeric      bool
}

// line returns a row in its columns, without blanks at its end.
func line(columns []column, row []string) string {
	var b strings.Builder
	for i, c := range columns {
		if i > 0 {
			b.WriteString(strings.Repeat(" ", columnGap))
		}
		b.WriteString(c.cell(row))
	}
	return strings.TrimRight(b.String(), " ")
}

// cell returns what a row contains in the column, cut or padded to its width.
func (c column) cell(row []string) string {
	if c.index >= len(row) {
		return strings.Repeat(" ", c.width)
	}
	cell := displaywidth.TruncateString(row[c.index], c.width, "…")
	blanks := strings.Repeat(" ", c.width-displaywidth.String(cell))
	if c.numeric {
		return blanks + isolate(cell)
	}
	return isolate(cell) + blanks
}

// measure returns the width of each column, and whether it has a header and contains
// only numbers.
func measure(header []string, rows [][]string) (widths []int, numeric []bool) {
	count := len(header)
	for _, row := range rows {
		count = max(count, len(row))
	}
	widths = make([]int, count)
	numeric = slices.Repeat([]bool{header != nil}, count)
	for i, cell := range header {
		widths[i] = displaywidth.String(cell)
	}
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], displaywidth.String(cell))
			numeric[i] = numeric[i] && isNumber(cell)
		}
	}
	return widths, numeric
}

// isNumber reports whether a cell is aligned right: a number, a fraction such as
// 3/16, or an empty cell.
func isNumber(cell string) bool {
	part, whole, _ := strings.Cut(cell, "/")
	for _, s := range []string{part, whole} {
		if _, err := strconv.ParseFloat(s, 64); s != "" && err != nil {
			return false
		}
	}
	return true
}

// narrowest returns the width of a table whose columns are as narrow as possible, except
// the first one.
func narrowest(widths []int) int {
	total := widths[0]
	for _, n := range widths[1:] {
		total += columnGap + min(n, minColumn)
	}
	return total
}

// shrink makes the widest columns narrower until all fit into width. The first
// column, which identifies rows, is the last to shrink.
func shrink(widths []int, width int) {
	total := columnGap * (len(widths) - 1)
	for _, n := range widths {
		total += n
	}
	for ; total > width; total-- {
		widest := 0
		for i, n := range widths {
			if n > minColumn && (widest == 0 || n >= widths[widest]) {
				widest = i
			}
		}
		if widths[widest] <= minColumn {
			return
		}
		widths[widest]--
	}
}

func cleanAll(cells []string) []string {
	if cells == nil {
		return nil
	}
	cleaned := make([]string, len(cells))
	for i, cell := range cells {
		cleaned[i] = Clean(cell)
	}
	return cleaned
}
