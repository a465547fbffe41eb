package lobbywire

import (
	"fmt"
	"slices"
	"strings"
)

// An Explanation lists the fields of a packet, as its decoder reads them. Every
// byte belongs to exactly one field.
type Explanation struct {
	Proto   string  // the codec package, such as "sqp"
	Message string  // the message type, such as "QueryResponse"
	Fields  []Field // in order, without gaps, from the first byte to the last
	Err     error   // the [*Error] with which decoding failed, or nil
}

// A Field is a range of bytes with its name and decoded value.
//
// A length prefix or terminator belongs to the field that it delimits. If
// decoding failed, the last field is the one at which it failed: it extends to
// the end of the packet and has no value.
type Field struct {
	Name   string // as in [Error.Field]
	Offset int    // of its first byte in the packet
	Length int    // in bytes; 0 for an empty text without delimiter
	Value  string // the decoded value; texts are quoted, so it is safe to print
}

// hexPerLine is the number of bytes that Annotate writes on a line.
const hexPerLine = 16

// Annotate returns b, the explained packet, as hexadecimal lines. Comments give
// the offset, length, name and value of each field:
//
//	00 80 90 23 48                                   # 1+4 token = 2156929864
//
// A field of more than 16 bytes has its comment on the first line. If decoding
// failed, the last line is a comment with the error.
func (e Explanation) Annotate(b []byte) string {
	var s strings.Builder
	for _, f := range e.Fields {
		p := b[f.Offset : f.Offset+f.Length]
		n := min(len(p), hexPerLine)
		fmt.Fprintf(&s, "%-*s # %d+%d %s", hexPerLine*3-1, fmt.Sprintf("% x", p[:n]), f.Offset, f.Length, f.Name)
		if f.Value != "" {
			s.WriteString(" = " + f.Value)
		}
		s.WriteByte('\n')
		for line := range slices.Chunk(p[n:], hexPerLine) {
			fmt.Fprintf(&s, "% x\n", line)
		}
	}
	if e.Err != nil {
		s.WriteString("# " + e.Err.Error() + "\n")
	}
	return s.String()
}
