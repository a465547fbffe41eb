package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// compare is worseThan, but measures rows with worse cells a second time, alone: on a
// busy machine programs exceed their time-outs.
func (m *matrix) compare(ctx context.Context, table string) ([]error, error) {
	for i, r := range m.rows {
		if len(m.row(i).worseThan(table)) == 0 {
			continue
		}
		cells, err := r.measure(ctx, m.cases)
		if err != nil {
			return nil, err
		}
		m.cells[i] = cells
	}
	return m.worseThan(table), nil
}

// row returns the matrix of one row.
func (m *matrix) row(i int) *matrix { return &matrix{m.rows[i : i+1], m.cases, m.cells[i : i+1]} }

// worseThan compares the cells with a table and returns an error for each worse cell. In
// a lossy case, half of the queries suffice, because the losses depend on the speed of
// the client.
func (m *matrix) worseThan(table string) []error {
	var errs []error
	for i, r := range m.rows {
		for j, c := range m.cases {
			want, ok := committed(table, r, c)
			got := m.cells[i][j]
			switch {
			case !ok:
				errs = append(errs, fmt.Errorf("the table has no cell for %s, %s", r.client, c.name))
			case c.lossy && got.count >= lossyRuns/2 || got.text(c) == want || got.verdict == whole:
			default:
				errs = append(errs,
					fmt.Errorf("%s, %s: %s (%s), and %s in the table", r.client, c.name, got.text(c), got.lacks, want))
			}
		}
	}
	return errs
}

// committed returns the text of a cell of a table, without its footnote.
func committed(table string, r row, c testCase) (string, bool) {
	column := -1
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(line, "| \n"), " | ")
		if cells[0] == "client" {
			column = slices.Index(cells, c.name)
		}
		if column >= 0 && column < len(cells) && cells[0] == r.client && cells[1] == r.server {
			text, _, _ := strings.Cut(cells[column], " [")
			return text, true
		}
	}
	return "", false
}
