package gameagent

import (
	"bytes"
	"encoding"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// FromServer is a datagram from a server to a client. It is a [Status], [Players]
// or a packet of Players, [Ping] or [Unknown].
//
//wire:message key=byte
type FromServer interface {
	encoding.BinaryAppender
	fromServer()
}

// IsFromServer reports whether b looks like a datagram from a server to a client rather
// than a request. Without this check two servers could be made to answer each other.
func IsFromServer(b []byte) bool {
	return bytes.HasPrefix(b, []byte{typeLine, semi}) ||
		bytes.HasPrefix(b, []byte("player_")) ||
		len(b) > 1 && b[0] == typePing && '0' <= b[1] && b[1] <= '9' // a ping and its answer start with the same byte
}

// decodeFromServer is for clients with several requests pending. A first byte of 04 starts
// a Ping, because the engine never sends the end mark of players in a packet of its own.
// The error for an empty datagram is [lobbywire.ErrTruncated].
func decodeFromServer(r *wire.Reader, o Options) FromServer {
	first := firstOf(r.Peek())
	if first == startOfList || first == startOfRecord {
		var m Players
		o.Part = true
		m.decode(r, o)
		return m
	}
	if m := fromServerOf(first, r, o); m != nil {
		return m
	}
	return decodeUnknown(r)
}
