package gamespy2

import "bytes"

// unknown is the number of values that the first column of a table lacks.
const unknown = -1

// zeros is what a run of zero bytes in a column means. A zero byte ends the
// column, the one after it the section, but some games send empty values too:
// each is one zero byte more.
type zeros struct {
	values  int  // empty values come first,
	ignored int  // then zero bytes that are too many,
	end     bool // then the end of the column
}

// zerosOf judges the run of zero bytes at the start of p by what follows it.
// The column lacks so many values to be as long as those before it, or is the
// first one. That is the rule by which answers of Unreal Tournament 3 are read;
// where all values are there it changes nothing.
func zerosOf(p []byte, lacking int, last bool) zeros {
	n := 1
	for n < len(p) && p[n] == 0 {
		n++
	}
	rest := p[n:]
	ends := 2 // of column and section
	switch {
	case len(rest) == 0:
		// Nothing tells an empty value at the end of the packet from padding,
		// but for the length of the column.
		return zeros{values: min(max(n-ends, 0), max(lacking, 0)), end: true}
	case startsSection(rest, last):
	case startsColumn(rest, last):
		ends = 1
	case lacking == 0:
		return zeros{end: true}
	default:
		return zeros{values: n} // a value follows
	}
	empty := max(n-ends, 0)
	if lacking == unknown {
		return zeros{values: empty, end: true}
	}
	values := min(empty, lacking)
	return zeros{values: values, ignored: empty - values, end: true}
}

// startsSection tells whether p starts with a section of columns.
func startsSection(p []byte, last bool) bool {
	if !isTable(p[0]) {
		return false
	}
	p = p[1:]
	return len(p) == 0 || p[0] == 0 || startsColumn(p, last)
}

// isTable tells whether c is the byte of a section of columns. No column name
// starts with one.
func isTable(c byte) bool { return c == players || c == teams }

// startsColumn tells whether p starts with a column: a name that ends as those
// of columns do, and row 0.
func startsColumn(p []byte, last bool) bool {
	n := bytes.IndexByte(p, 0)
	if n < 0 {
		return true // it may become one
	}
	if n+1 == len(p) && !last {
		return true // it was cut
	}
	return n <= MaxName && isColumnName(p[:n]) && (n+1 == len(p) || p[n+1] == 0)
}

// isColumnName tells whether name ends as column names do.
func isColumnName(name []byte) bool {
	return bytes.HasSuffix(name, []byte("_")) || bytes.HasSuffix(name, []byte("_t"))
}
