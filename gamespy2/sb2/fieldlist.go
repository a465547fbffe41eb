package sb2

import (
	"iter"
	"strings"
)

// A FieldList names the keys that a client wants of each server, with a backslash
// before each name.
type FieldList string

// MakeFieldList returns the list of names. A name with a backslash or a zero byte
// cannot be in a list.
func MakeFieldList(names ...string) FieldList {
	var s strings.Builder
	for _, name := range names {
		s.WriteByte('\\')
		s.WriteString(name)
	}
	return FieldList(s.String())
}

// All returns the names in order. It skips empty ones, and reads a name without a
// backslash before it too.
func (l FieldList) All() iter.Seq[string] {
	return func(yield func(string) bool) {
		for name := range strings.SplitSeq(string(l), `\`) {
			if name != "" && !yield(name) {
				return
			}
		}
	}
}
