package gamespy1

import (
	"bytes"
	"encoding"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// ToListPort is a message to a master on a connection for its list, after its [Greeting]: a
// [ListRequest] from a client, or a [SyncRequest] from another master.
//
//wire:message
type ToListPort interface {
	encoding.BinaryAppender
	toListPort()
}

// decodeToListPort identifies the message by its second part. If a stream does not
// contain the whole message yet, the error is [lobbywire.ErrTruncated].
func decodeToListPort(r *wire.Reader, o Options) ToListPort {
	if isSync(secondPart(r.Peek())) {
		var m SyncRequest
		m.decode(r, o)
		return m
	}
	var m ListRequest
	m.decode(r, o)
	return m
}

// secondPart returns the bytes after the end mark of the first part. The mark is a key: a
// value may contain the same bytes.
func secondPart(b []byte) []byte {
	_, b, _ = bytes.Cut(b, []byte{slash})
	for len(b) > 0 {
		var key []byte
		key, b, _ = bytes.Cut(b, []byte{slash})
		switch string(key) {
		case finalKey:
			return b
		case "":
		default:
			_, b, _ = bytes.Cut(b, []byte{slash}) // the value
		}
	}
	return nil
}

// isSync reports whether the second part of a message makes it a SyncRequest.
// A part that does not begin with a backslash does not: the decoder of a
// ListRequest refuses it.
func isSync(second []byte) bool {
	before, _, ok := bytes.Cut(second, []byte(`\sync\`))
	hasText := len(before) > 0 && before[0] != slash
	return ok && !hasText && !bytes.Contains(before, []byte(`\list\`))
}
