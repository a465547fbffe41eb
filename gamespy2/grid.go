package gamespy2

// A grid builds a [Table] from columns. It stores its texts row by row, so that
// the rows of the Table are slices of them.
type grid struct {
	columns int
	rows    int
	most    int // length of the longest column, with a cut value

	lengths [MaxColumns]int32 // of columns, each with a cut value
	width   int               // number of columns with room
	texts   []string          // width names, then width values of each row; "" if missing
}

// names returns the names of the columns.
func (t *grid) names() []string { return t.texts[:t.columns:t.columns] }

// widen makes room for another column and for more after it, or for twice as many
// columns as there are. It makes room for a number of rows as well, up to limit
// values in the table.
func (t *grid) widen(rows, more, limit int) {
	n := t.columns
	width := max(n+1, min(n+1+max(more, n-1), MaxColumns, limit/max(1, t.rows)))
	t.reshape(min(rows, limit/width), width, limit)
}

// reshape changes the width and makes room for a number of rows. A table of about limit values
// is allocated once: a hostile one grows in small steps.
func (t *grid) reshape(rows, width, limit int) {
	from, old := t.texts, t.width
	size := (1 + max(rows, t.rows)) * width
	if size <= cap(from) {
		t.texts = from[:size]
	} else {
		t.texts = make([]string, size, max(size, min(2*cap(from), limit+2*MaxColumns)))
	}
	t.width = width
	move := func(i int) {
		to := t.texts[i*width : (i+1)*width]
		n := copy(to, from[i*old:i*old+t.columns])
		clear(to[n:])
	}
	if width > old {
		for i := t.rows; i >= 0; i-- {
			move(i)
		}
	} else {
		for i := range 1 + t.rows {
			move(i)
		}
	}
	clear(t.texts[(1+t.rows)*width:])
}

// isUneven reports whether columns have different numbers of values. If the server leaves
// out some values, others are in wrong rows. Columns without any values do not count: the
// game does not set them.
func (t *grid) isUneven() bool {
	var length int32
	for _, n := range t.lengths[:t.columns] {
		if n > 0 && length > 0 && n != length {
			return true
		}
		length = max(length, n)
	}
	return false
}

// add adds a column. There must be room for it.
func (t *grid) add(name string) {
	t.texts[t.columns] = name
	t.columns++
}

// set sets a value. maxRows is the limit for rows of as many columns as there are.
func (t *grid) set(row, column int, value string, maxRows int) {
	if row >= t.rows {
		if (row+2)*t.width > len(t.texts) {
			t.lengthen(max(row+1, min(2*t.rows, maxRows)), maxRows)
		}
		t.rows = row + 1
	}
	t.texts[(row+1)*t.width+column] = value
}

// lengthen makes room for a number of rows. More rows than expected probably mean fewer
// columns: their room shrinks to almost twice the columns, or to as many as the limit
// allows with so many rows.
func (t *grid) lengthen(rows, maxRows int) {
	limit := maxRows * t.columns
	t.reshape(rows, min(t.width, 2*t.columns-1, limit/rows), limit)
}

// table returns the table. It takes the slice of its rows from list, and returns
// the rest of list.
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
