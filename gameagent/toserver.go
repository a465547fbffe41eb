package gameagent

import (
	"encoding"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// ToServer is a datagram to the query port of a server. It is a [Challenge] from
// a master, a [StatusRequest], [PlayersRequest] or [PingRequest] from a client, or
// [Unknown].
//
//wire:message key=byte
type ToServer interface {
	encoding.BinaryAppender
	toServer()
}

// IsToServer reports whether a datagram to a server is of this protocol, judging by its
// first byte. At a port shared with package gamespy1, all other datagrams belong to that
// package.
func IsToServer(b []byte) bool {
	switch firstOf(b) {
	case typeChallenge, typeStatus, typePlayers, typePing:
		return true
	}
	return false
}

// decodeToServer identifies the message by its first byte. Requests of clients cost no
// allocation. The error for an empty datagram is [lobbywire.ErrTruncated].
func decodeToServer(r *wire.Reader, o Options) ToServer {
	if m := toServerOf(firstOf(r.Peek()), r, o); m != nil {
		return m
	}
	return decodeUnknown(r)
}
