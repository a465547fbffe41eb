package gameagent

import (
	"encoding"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// FromServer is a datagram from a server to a client. It is a [Status],
// [PlayersPacket], [Ping], [LegacyStatus] or [Unknown].
//
//wire:message key=byte
type FromServer interface {
	encoding.BinaryAppender
	encoding.BinaryMarshaler
	fromServer()
}

// decodeFromServer is for clients with several requests pending. It takes the
// byte 04 for the start of a Ping, since the engine never sends the end mark of
// players in a packet of its own. It takes a backslash for the start of a whole
// legacy answer; a LegacyStatus can hold any of the four. The error for an empty
// datagram is [lobbywire.ErrTruncated].
func decodeFromServer(r *wire.Reader, o Options) FromServer {
	if m := fromServerOf(firstByte(r), r, o); m != nil {
		return m
	}
	return decodeUnknown(r)
}
