package cluster

import (
	"bytes"
	"strings"
)

// A writer is a node that has written something, and which time it was started:
// what it wrote when it ran before is another's.
type writer struct{ node, run string }

// sign returns a value of the bucket: a line that tells whose it is, then body.
func (w writer) sign(body []byte) []byte {
	b := make([]byte, 0, len(w.node)+len(w.run)+len(" \n")+len(body))
	b = append(append(append(b, w.node...), ' '), w.run...)
	return append(append(b, '\n'), body...)
}

// parse reads a value. It is not ok if nobody has signed it, as the server does
// not when an entry expires.
func parse(value []byte) (by writer, body []byte, ok bool) {
	line, body, ok := bytes.Cut(value, []byte{'\n'})
	if !ok {
		return writer{}, nil, false
	}
	by.node, by.run, ok = strings.Cut(string(line), " ")
	return by, body, ok && validName.MatchString(by.node)
}
