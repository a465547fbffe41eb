package gamespy2

// A grid is a table that comes column by column. Its texts stand as those of a
// [Table] do, row by row, so that they need not be kept elsewhere first.
type grid struct {
	columns int
	rows    int
	most    int      // values in a column, one that was cut too
	width   int      // columns that there is room for
	texts   []string // the names, then each row; width of each; "" if none came
}

// names returns the names of the columns.
func (t *grid) names() []string { return t.texts[:t.columns:t.columns] }

// widen makes room for another column and so many more, or for twice as many as
// there are, and for so many rows if these, times columns, do not exceed limit.
func (t *grid) widen(rows, more, limit int) {
	n := t.columns
	width := max(n+1, min(n+1+max(more, n-1), MaxColumns))
	t.reshape(min(rows, limit/width), width)
}

// reshape changes the width, and makes room for so many rows.
func (t *grid) reshape(rows, width int) {
	from, old := t.texts, t.width
	t.texts, t.width = make([]string, (1+max(rows, t.rows))*width), width
	if t.columns == 0 {
		return
	}
	for i := range 1 + t.rows {
		copy(t.texts[i*width:(i+1)*width], from[i*old:(i+1)*old])
	}
}

// add adds a column, for which there is room.
func (t *grid) add(name string) {
	t.texts[t.columns] = name
	t.columns++
}

// set puts a value where it belongs. With the columns that there are there may
// be maxRows rows. With room for more columns they do not take more than twice
// that many values.
func (t *grid) set(row, column int, value string, maxRows int) {
	if row >= t.rows {
		if width := 2 * t.columns; t.width > width && (row+1)*t.width > maxRows*width {
			t.reshape(row+1, width)
		}
		if n := (row+2)*t.width - len(t.texts); n > 0 {
			t.texts = append(t.texts, make([]string, n)...)
		}
		t.rows = row + 1
	}
	t.texts[(row+1)*t.width+column] = value
}

// table returns the table. It takes its rows from list, and returns the others.
func (t *grid) table(list [][]string) (m Table, others [][]string) {
	m = Table{Columns: []string{}, Rows: list[:t.rows:t.rows]}
	if t.columns > 0 {
		m.Columns = t.names()
	}
	for i := range m.Rows {
		at := (i + 1) * t.width
		m.Rows[i] = t.texts[at : at+t.columns : at+t.columns]
	}
	return m, list[t.rows:]
}
