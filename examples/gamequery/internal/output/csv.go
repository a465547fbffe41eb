package output

import (
	"encoding/csv"
	"io"
	"regexp"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
)

// csvColumns are the columns of -csv: the members of the JSON with a single value, and
// the code of an error. New columns will be added only at the end.
var csvColumns = [...]string{
	"protocol", "address", "query", "name", "game", "map", "mode", "version", "host", "port",
	"players", "bots", "max", "password", "rtt", "attempts", "lacks", "error", "id", "spectators", "maxSpectators",
	"given",
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

// csvCells returns the row of a server. Unknown values are empty.
func csvCells(r Record) []string {
	cells := make([]string, len(csvColumns))
	for i, name := range csvColumns {
		switch v := r[name].(type) {
		case nil:
		case string:
			cells[i] = escapeFormulas(terminal.Clean(v))
		case Record: // the error
			cells[i], _ = v["code"].(string)
		default:
			cells[i] = show(v)
		}
	}
	return cells
}

// formula matches a cell that spreadsheets evaluate as a formula. Some spreadsheets
// also separate cells at semicolons.
var formula = regexp.MustCompile(`(^|;)([\s"]*)([=+\-@＝＋－＠])`)

// escapeFormulas puts an apostrophe in front of formulas, which marks a cell as text.
func escapeFormulas(text string) string {
	return formula.ReplaceAllString(text, "$1'$2$3")
}
