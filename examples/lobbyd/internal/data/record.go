package data

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"hash/crc32"
)

// A record is a line of a journal, which sets or removes an entry.
type record struct {
	ID    string          `json:"k"`
	Heard int64           `json:"t,omitempty"` // when its host was last heard of, in milliseconds
	Until int64           `json:"u,omitempty"` // when it expires, in milliseconds
	Body  json.RawMessage `json:"b,omitempty"` // without the times; none if it is removed
}

// maxLine is the maximum length of a line. An entry has up to 4 KiB of texts.
const maxLine = 64 << 10

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sumSize is the size of the checksum in a line, with the space after it.
const sumSize = 9

// appendLine appends the line of a record: the checksum of its JSON in hexadecimal, a space,
// the JSON, and a line feed.
func appendLine(b []byte, r record) []byte {
	text, _ := json.Marshal(r) // does not fail: bodies are JSON
	sum := sumOf(text)
	b = append(hex.AppendEncode(b, sum[:]), ' ')
	return append(append(b, text...), '\n')
}

// parseLine is the inverse of appendLine, for a line with its line feed.
func parseLine(line []byte) (r record, ok bool) {
	if len(line) <= sumSize || line[sumSize-1] != ' ' {
		return r, false
	}
	text := bytes.TrimSuffix(line[sumSize:], []byte("\n"))
	sum, err := hex.DecodeString(string(line[:sumSize-1]))
	if err != nil || [4]byte(sum) != sumOf(text) {
		return r, false
	}
	return r, json.Unmarshal(text, &r) == nil
}

func sumOf(text []byte) (sum [4]byte) {
	binary.BigEndian.PutUint32(sum[:], crc32.Checksum(text, castagnoli))
	return sum
}
