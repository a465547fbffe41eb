package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
)

// The markers of the table in a file.
const (
	tableStart = "<!-- matrix -->\n"
	tableEnd   = "<!-- end -->\n"
)

// table formats the matrix in Markdown: a row for each tool, then a footnote for
// each reason why a cell is not whole.
func (m *matrix) table() string {
	var b strings.Builder
	b.WriteString("| tool | server |")
	for _, c := range m.cases {
		fmt.Fprintf(&b, " %s |", c.name)
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---|", len(m.cases)) + "\n")
	var notes []string
	for i, r := range m.rows {
		fmt.Fprintf(&b, "| %s | %s |", r.tool.Name, r.name)
		for j, c := range m.cases {
			text := m.cells[i][j].text(c)
			if m.cells[i][j].verdict != whole {
				note := cmp.Or(fault(r, c), "unexplained: "+m.cells[i][j].lacks)
				if !slices.Contains(notes, note) {
					notes = append(notes, note)
				}
				text += fmt.Sprintf(" [%d]", slices.Index(notes, note)+1)
			}
			fmt.Fprintf(&b, " %s |", text)
		}
		b.WriteByte('\n')
	}
	for i, note := range notes {
		fmt.Fprintf(&b, "\n%d. %s", i+1, note)
	}
	return b.String() + "\n"
}

// text is the cell without its footnote.
func (c cell) text(of testCase) string {
	switch {
	case of.lossy && c.verdict != whole:
		return fmt.Sprintf("%d of %d", c.count, lossyRuns)
	case c.verdict == partly:
		return "partly: " + c.lacks
	}
	return c.verdict.String()
}

// writeTable puts the table between the markers of a file.
func writeTable(path, table string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, after, err := aroundTable(path, b)
	if err != nil {
		return err
	}
	return os.WriteFile(path, slices.Concat(before, []byte(table), after), 0o644)
}

// readTable returns the table between the markers of a file.
func readTable(path string) (string, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	before, after, err := aroundTable(path, b)
	if err != nil {
		return "", err
	}
	return string(b[len(before) : len(b)-len(after)]), nil
}

// aroundTable returns what is before and after the table, with the markers.
func aroundTable(path string, b []byte) (before, after []byte, err error) {
	start := bytes.Index(b, []byte(tableStart))
	end := bytes.LastIndex(b, []byte(tableEnd))
	if start < 0 || end < start {
		return nil, nil, fmt.Errorf("%s has no markers of a table", path)
	}
	return b[:start+len(tableStart)], b[end:], nil
}
