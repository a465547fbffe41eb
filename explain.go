package lobbywire

import (
	"encoding/hex"
	"fmt"
	"strings"
)

// An Explanation is a packet taken apart by the decoder that reads it: each
// byte belongs to exactly one field.
type Explanation struct {
	Proto   string  // the codec package, as "sqp"
	Message string  // the type read, as "QueryResponse"
	Fields  []Field // in order, gapless from the first byte to the last
	Err     error   // where decoding stopped, an [*Error]; nil if it did not
}

// A Field is a range of bytes and what the decoder made of it.
//
// A length prefix or terminator belongs to the field it delimits. Where
// decoding stopped, the last field bears the name of the broken one, reaches
// to the end of the packet and has no value.
type Field struct {
	Name   string // as in [Error.Field]
	Offset int    // of its first byte in the packet
	Length int    // in bytes; 0 for a text that is empty and has no delimiter
	Value  string // the decoded value; texts are quoted, so safe to print
}

// hexPerLine is how many bytes of a field Annotate puts on one line.
const hexPerLine = 16

// Annotate writes b, the explained packet, as hexadecimal lines with each
// field's offset, length, name and value in a comment:
//
//	00 80 90 23 48                                   # 1+4 token = 2156929864
//
// The comment of a field longer than 16 bytes is on its first line. If
// decoding stopped, a last comment line tells why.
func (e Explanation) Annotate(b []byte) string {
	var s strings.Builder
	for _, f := range e.Fields {
		p := b[f.Offset : f.Offset+f.Length]
		n := min(len(p), hexPerLine)
		fmt.Fprintf(&s, "%-*s # %d+%d %s", hexPerLine*3-1, spaced(p[:n]), f.Offset, f.Length, f.Name)
		if f.Value != "" {
			s.WriteString(" = " + f.Value)
		}
		s.WriteByte('\n')
		for p = p[n:]; len(p) > 0; p = p[n:] {
			n = min(len(p), hexPerLine)
			s.WriteString(spaced(p[:n]) + "\n")
		}
	}
	if e.Err != nil {
		s.WriteString("# " + e.Err.Error() + "\n")
	}
	return s.String()
}

// spaced returns p in hexadecimal with a space between bytes.
func spaced(p []byte) string {
	s := make([]byte, 0, hexPerLine*3)
	for i := range p {
		if i > 0 {
			s = append(s, ' ')
		}
		s = hex.AppendEncode(s, p[i:i+1])
	}
	return string(s)
}
