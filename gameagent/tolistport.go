package gameagent

import (
	"bytes"
	"encoding"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// ToListPort is what a legacy master receives on a connection for its list, after its
// [LegacyGreeting]: a [LegacyListRequest] from a client, or a [LegacySyncRequest] from
// another master.
//
//wire:message
type ToListPort interface {
	encoding.BinaryAppender
	encoding.BinaryMarshaler
	toListPort()
}

// decodeToListPort identifies the message by its second part. If a stream does not
// contain the whole message yet, the error is [lobbywire.ErrTruncated].
func decodeToListPort(r *wire.Reader, o Options) ToListPort {
	if _, second, _ := bytes.Cut(r.Peek(), []byte(legacyEnd)); isSync(second) {
		var m LegacySyncRequest
		m.decode(r, o)
		return m
	}
	var m LegacyListRequest
	m.decode(r, o)
	return m
}

// isSync reports whether the second part of a message is for another master.
func isSync(second []byte) bool {
	before, _, ok := bytes.Cut(second, []byte(`\sync\`))
	return ok && !bytes.Contains(before, []byte(`\list\`))
}
