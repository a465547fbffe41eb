package gamespy2

// A grid is a table that comes column by column. Its values stand as those of a
// [Table] do, row by row, so that they need not be kept elsewhere first.
type grid struct {
	columns []string // names
	most    int      // values in a column, one that was cut too
	width   int      // columns that each row has room for
	values  []string // width in each row; "" if none came
}

// widen makes room for another column and so many more, or for twice as many as
// there are, in so many rows. Rows times columns stay within limit if they can.
func (t *grid) widen(rows, more, limit int) {
	n := len(t.columns)
	width := min(n+1+max(more, n-1), MaxColumns)
	t.reshape(rows, max(n+1, min(width, limit/max(rows, 1))))
	t.columns = append(make([]string, 0, t.width), t.columns...)
}

// set puts a value where it belongs. As many rows, times the columns that there
// are, must not exceed limit. With the room for more they do not either.
func (t *grid) set(row, column int, value string, limit int) {
	if (row+1)*t.width > limit {
		t.reshape(row+1, len(t.columns))
	}
	if n := (row+1)*t.width - len(t.values); n > 0 {
		t.values = append(t.values, make([]string, n)...)
	}
	t.values[row*t.width+column] = value
}

// reshape gives the rows another width, and makes room for so many rows.
func (t *grid) reshape(rows, width int) {
	have := t.rows()
	from, old := t.values, t.width
	t.values, t.width = make([]string, have*width, max(rows, have)*width), width
	for i := range have {
		copy(t.values[i*width:(i+1)*width], from[i*old:(i+1)*old])
	}
}

// rows returns how many rows there are.
func (t *grid) rows() int {
	if t.width == 0 {
		return 0
	}
	return len(t.values) / t.width
}

// table returns the table.
func (t *grid) table() Table {
	if t.width == 0 {
		return Table{Columns: []string{}, Rows: [][]string{}}
	}
	rows := make([][]string, t.rows())
	for i := range rows {
		at := i * t.width
		rows[i] = t.values[at : at+len(t.columns) : at+len(t.columns)]
	}
	return Table{Columns: t.columns, Rows: rows}
}
