package gamespy2

import "bytes"

// unknown is the number of missing values of the first column of a table.
const unknown = -1

// zeros describes a run of zero bytes in a column. One zero byte ends the column and the
// next one the section. Some games also send empty values, one zero byte each.
type zeros struct {
	values  int  // empty values, first
	ignored int  // surplus zero bytes, after the values
	end     bool // the column ends after them
}

// zerosOf returns the meaning of the run of zero bytes at the start of p. It depends on the
// bytes after the run and on lacking, the number of values that the column lacks compared
// with the longest one, or unknown. This rule finds the empty values in responses of Unreal
// Tournament 3 and has no effect on a response without empty values.
func zerosOf(p []byte, lacking int, last bool) zeros {
	n := 1
	for n < len(p) && p[n] == 0 {
		n++
	}
	rest := p[n:]
	ends := 2 // of column and section
	switch {
	case len(rest) == 0:
		// At the end of the packet, empty values and padding look the same. Only
		// the length of the column distinguishes them.
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

// startsSection reports whether p starts with a section of columns.
func startsSection(p []byte, last bool) bool {
	if !isTable(p[0]) {
		return false
	}
	p = p[1:]
	return len(p) == 0 || p[0] == 0 || startsColumn(p, last)
}

// countTexts returns an upper bound for the number of texts in p.
func countTexts(p []byte) int { return bytes.Count(p, []byte{0}) }

// isTable reports whether c is the byte of a section of columns. No column name
// starts with such a byte.
func isTable(c byte) bool { return c == players || c == teams }

// startsColumn reports whether p starts with a column: a name that ends like the
// name of a column, and row 0.
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

// isColumnName reports whether name ends like the name of a column.
func isColumnName[T string | []byte](name T) bool {
	n := len(name)
	return n > 0 && name[n-1] == '_' || n > 1 && name[n-2] == '_' && name[n-1] == 't'
}
