package sb2

import (
	"iter"
	"strings"
)

// A FieldList lists the keys that a client requests for each server, with a
// backslash before each name.
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

// All returns the names in order. It skips empty names. The first name need not
// have a backslash before it.
func (l FieldList) All() iter.Seq[string] {
	return func(yield func(string) bool) {
		for name := range strings.SplitSeq(string(l), `\`) {
			if name != "" && !yield(name) {
				return
			}
		}
	}
}
