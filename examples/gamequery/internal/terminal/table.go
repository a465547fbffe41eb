package terminal

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
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
	blocks := make([]string, len(widths))
	for i := range blocks {
		blocks[i] = column{i, widths[i], numeric[i], i == len(blocks)-1}.block(header, rows, on)
	}
	var b strings.Builder
	for line := range strings.Lines(lipgloss.JoinHorizontal(lipgloss.Top, blocks...)) {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// A column has the layout of its cells.
type column struct {
	index, width  int
	numeric, last bool
}

// block returns the lines of a column. They are rendered together, because rendering
// is slow.
func (c column) block(header []string, rows [][]string, on Screen) string {
	lines := make([]string, 0, 1+len(rows))
	if header != nil {
		head := lipgloss.NewStyle()
		if on.Coloured {
			head = head.Bold(true).Foreground(lipgloss.Cyan)
		}
		lines = append(lines, head.Render(c.cell(header)))
	}
	for _, row := range rows {
		lines = append(lines, c.cell(row))
	}
	style := lipgloss.NewStyle()
	if c.numeric {
		style = style.Align(lipgloss.Right)
	}
	if !c.last {
		style = style.PaddingRight(columnGap)
	}
	return style.Render(strings.Join(lines, "\n"))
}

// cell returns what a row has in the column, cut to its width.
func (c column) cell(row []string) string {
	if c.index >= len(row) {
		return ""
	}
	return isolate(ansi.Truncate(row[c.index], c.width, "…"))
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
		widths[i] = ansi.StringWidth(cell)
	}
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], ansi.StringWidth(cell))
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
