package wzhttp

import (
	"bytes"
	"encoding"

	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/internal/wire/wirejson"
)

// A Line is a line of a list: a [ListHeader] or a [Game].
//
//wire:message
type Line interface {
	encoding.BinaryAppender
	line()
}

// decodeLine reads a line without the bytes that end it. White space around the
// object is ignored. [ListReader] describes how an error affects the rest of the
// list.
func decodeLine(r *wire.Reader, o Options) Line {
	if isHeader(r.Peek()) {
		var m ListHeader
		m.decode(r, o)
		return m
	}
	var m Game
	m.decode(r, o)
	return m
}

// typeMembers are the members that isHeader looks for.
var typeMembers = [...]string{"type"}

// isHeader reports whether the type of a line is that of a header.
func isHeader(line []byte) bool {
	if !bytes.Contains(line, []byte(`"type"`)) && !bytes.Contains(line, []byte(`\u`)) {
		return false // most lines; they are read only once
	}
	r := wire.NewReader(line)
	j := wirejson.NewLooseReader(&r)
	o := j.Object(typeMembers[:], 0, nil)
	return o.Next() && j.Peek() == '"' && string(j.View()) == headerType
}

// AppendLine appends m and a line feed to b. It fails if AppendBinary of m fails or
// the line is longer than 65 536 bytes.
func AppendLine(b []byte, m Line) ([]byte, error) {
	out, err := m.AppendBinary(b)
	if err != nil {
		return b, err
	}
	if n := len(out) - len(b) + 1; n > maxLine {
		return b, errorAt(-1, wire.Exceeded(n, maxLine))
	}
	return append(out, '\n'), nil
}
