package main

import (
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/term"

	"github.com/lobbywire/lobbywire/gamespy2"
)

// A table is printed in columns. Its cells may hold anything: they are cleaned
// when printed.
type table struct {
	header []string // may be nil
	rows   [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// Layout, in columns of the terminal.
const (
	columnGap = 2
	minColumn = 8 // to which a column may be cut
)

// write prints the table in at most width columns, if that is possible by
// cutting the widest cells; 0 is any width. Columns of numbers under a header
// are aligned right.
func (t *table) write(w io.Writer, width int) error {
	header, rows := cleanAll(t.header), make([][]string, len(t.rows))
	for i, row := range t.rows {
		rows[i] = cleanAll(row)
	}
	widths, numeric := measure(header, rows)
	if width > 0 {
		shrink(widths, width)
	}
	var b strings.Builder
	if header != nil {
		writeRow(&b, header, widths, numeric)
	}
	for _, row := range rows {
		writeRow(&b, row, widths, numeric)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// measure returns the width of each column, and whether it has a header and
// holds nothing but numbers.
func measure(header []string, rows [][]string) (widths []int, numeric []bool) {
	count := len(header)
	for _, row := range rows {
		count = max(count, len(row))
	}
	widths = make([]int, count)
	numeric = slices.Repeat([]bool{header != nil}, count)
	for i, cell := range header {
		widths[i] = uniseg.StringWidth(cell)
	}
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], uniseg.StringWidth(cell))
			numeric[i] = numeric[i] && isNumber(cell)
		}
	}
	return widths, numeric
}

// isNumber tells whether a cell is aligned right: a number, a part of a whole
// as 3/16, or nothing.
func isNumber(cell string) bool {
	part, whole, _ := strings.Cut(cell, "/")
	for _, s := range []string{part, whole} {
		if _, err := strconv.ParseFloat(s, 64); s != "" && err != nil {
			return false
		}
	}
	return true
}

// shrink makes the widest columns narrower until all fit into width, the first,
// by which rows are known, only if the others are at their narrowest.
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

func writeRow(b *strings.Builder, row []string, widths []int, numeric []bool) {
	pad := 0 // blanks are not written at the end of a line
	for i, cell := range row {
		cell = cut(cell, widths[i])
		blank := widths[i] - uniseg.StringWidth(cell)
		if numeric[i] {
			pad, blank = pad+blank, 0
		}
		if cell != "" {
			b.WriteString(strings.Repeat(" ", pad))
			b.WriteString(cell)
			pad = 0
		}
		pad += blank + columnGap
	}
	b.WriteByte('\n')
}

// cut returns s, or its beginning and a mark if it is wider than width.
func cut(s string, width int) string {
	if uniseg.StringWidth(s) <= width {
		return s
	}
	end, used, state := 0, 0, -1
	for rest := s; ; {
		var cluster string
		var n int
		cluster, rest, n, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if used+n > width-1 {
			return s[:end] + "…"
		}
		end += len(cluster)
		used += n
	}
}

func cleanAll(cells []string) []string {
	if cells == nil {
		return nil
	}
	cleaned := make([]string, len(cells))
	for i, cell := range cells {
		cleaned[i] = clean(cell)
	}
	return cleaned
}

// maxMarks is how many accents a letter keeps. More are put on one to write
// over the lines above and below.
const maxMarks = 3

// clean returns text from the network as a terminal may see it: on one line,
// without control characters, and without such as change the direction of what
// follows. What is not UTF-8 is taken as Latin-1.
func clean(s string) string {
	if !utf8.ValidString(s) {
		s = gamespy2.Latin1(s)
	}
	marks := 0
	s = strings.Map(func(c rune) rune {
		if unicode.Is(unicode.M, c) {
			if marks++; marks > maxMarks {
				return -1
			}
			return c
		}
		marks = 0
		switch {
		case unicode.IsSpace(c):
			return ' '
		case !unicode.IsPrint(c):
			return utf8.RuneError
		}
		return c
	}, s)
	return strings.TrimSpace(s)
}

// widthOf returns how wide the terminal is that w writes to, 0 if it is none.
func widthOf(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
