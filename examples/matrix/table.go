package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
)

// tableEnd is after each table in a file, and tableStart before it.
const tableEnd = "<!-- end -->\n"

func tableStart(name string) string { return "<!-- " + name + " -->\n" }

// table formats the matrix in Markdown: its rows, then a footnote for each reason why a
// cell is not whole.
func (m *matrix) table() string {
	var b strings.Builder
	b.WriteString("| client | server |")
	for _, c := range m.cases {
		fmt.Fprintf(&b, " %s |", c.name)
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---|", len(m.cases)) + "\n")
	var notes []string
	for i, r := range m.rows {
		fmt.Fprintf(&b, "| %s | %s |", r.client, r.server)
		for j, c := range m.cases {
			text := m.cells[i][j].text(c)
			if v := m.cells[i][j].verdict; v != whole && v != impossible {
				note := cmp.Or(r.fault(c), "unexplained: "+m.cells[i][j].lacks)
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
	case of.lossy && c.verdict < whole:
		return fmt.Sprintf("%d of %d", c.count, lossyRuns)
	case c.verdict == partly:
		return "partly: " + c.lacks
	}
	return c.verdict.String()
}

// writeTable puts a table between its markers in a file.
func writeTable(path, name, table string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, after, err := aroundTable(path, name, b)
	if err != nil {
		return err
	}
	return os.WriteFile(path, slices.Concat(before, []byte(table), after), 0o644)
}

// readTable returns the table between its markers in a file.
func readTable(path, name string) (string, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	before, after, err := aroundTable(path, name, b)
	if err != nil {
		return "", err
	}
	return string(b[len(before) : len(b)-len(after)]), nil
}

// aroundTable returns what is before and after a table, with the markers.
func aroundTable(path, name string, b []byte) (before, after []byte, err error) {
	marker := []byte(tableStart(name))
	start := bytes.Index(b, marker)
	if start < 0 {
		return nil, nil, fmt.Errorf("%s has no table of %s", path, name)
	}
	start += len(marker)
	end := bytes.Index(b[start:], []byte(tableEnd))
	if end < 0 {
		return nil, nil, fmt.Errorf("%s: the table of %s has no end", path, name)
	}
	return b[:start], b[start+end:], nil
}
