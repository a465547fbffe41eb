package main

import (
	"encoding/csv"
	"io"
	"regexp"
)

// csvColumns are the columns of -csv: the members of JSON that have one value, and the
// code of an error. New ones will be added at the end only.
var csvColumns = [...]string{
	"protocol", "address", "query", "name", "game", "map", "mode", "version", "host", "port",
	"players", "bots", "max", "password", "rtt", "attempts", "lacks", "error",
}

// writeCSV writes a line of CSV (RFC 4180).
func writeCSV(w io.Writer, cells []string) error {
	c := csv.NewWriter(w)
	if err := c.Write(cells); err != nil {
		return err
	}
	c.Flush()
	return c.Error()
}

// csvCells returns the cells of a server. What is unknown is empty.
func csvCells(r record) []string {
	cells := make([]string, len(csvColumns))
	for i, name := range csvColumns {
		switch v := r[name].(type) {
		case nil:
		case string:
			cells[i] = unformulated(clean(v))
		case record: // the error
			cells[i], _ = v["code"].(string)
		default:
			cells[i] = show(v)
		}
	}
	return cells
}

// formula matches what a spreadsheet takes for the start of a formula, at the start of a
// cell. Where cells end at semicolons, a text may have several cells.
var formula = regexp.MustCompile(`(^|;)([\s"]*)([=+\-@＝＋－＠])`)

// unformulated returns a text that no spreadsheet takes for a formula: a formula starts
// with an apostrophe, as in a cell that is marked as text.
func unformulated(text string) string {
	return formula.ReplaceAllString(text, "$1'$2$3")
}
