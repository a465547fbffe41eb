package cluster

import (
	"bytes"
	"strings"
)

// A writer identifies the process that has written a value: a node and one of its
// runs. An earlier run of the same node is another writer.
type writer struct{ node, run string }

// sign returns a value of the bucket: a line with the writer, and then body.
func (w writer) sign(body []byte) []byte {
	b := make([]byte, 0, len(w.node)+len(w.run)+len(" \n")+len(body))
	b = append(append(append(b, w.node...), ' '), w.run...)
	return append(append(b, '\n'), body...)
}

// parse parses a value. ok is false if it is not signed, as for markers that the
// server writes when entries expire.
func parse(value []byte) (by writer, body []byte, ok bool) {
	line, body, ok := bytes.Cut(value, []byte{'\n'})
	if !ok {
		return writer{}, nil, false
	}
	by.node, by.run, ok = strings.Cut(string(line), " ")
	return by, body, ok && validName.MatchString(by.node)
}
