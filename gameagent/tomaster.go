package gameagent

import (
	"encoding"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// ToMaster is a datagram to a master. It is a [Join], [Heartbeat],
// [StateChanged] or [ListRequest] at the native port, a [LegacyHeartbeat] at the
// legacy port, or [Unknown].
//
//wire:message key=byte
type ToMaster interface {
	encoding.BinaryAppender
	encoding.BinaryMarshaler
	toMaster()
}

// toMasterTypes are the messages that PeekToMaster returns.
var toMasterTypes = [...]ToMaster{ListRequest{}, Heartbeat{}, Join{}, StateChanged{}}

// PeekToMaster returns an empty message of the type of the native datagram b to a
// master, which is decided by its first byte, or nil if it has none. It decodes
// nothing else, so b may be invalid. It returns nil for a [Status], which has the
// first byte of a Heartbeat: a master that answered it could be made to exchange
// datagrams with a server.
func PeekToMaster(b []byte) ToMaster {
	if len(b) == 0 {
		return nil
	}
	switch b[0] {
	case typeListRequest:
		return toMasterTypes[0]
	case typeLine:
		if !isStatus(b) {
			return toMasterTypes[1]
		}
	case typeJoin:
		return toMasterTypes[2]
	case typeStateChanged:
		return toMasterTypes[3]
	}
	return nil
}

// decodeToMaster identifies the message by its first byte. It does not allocate
// for messages of one byte. The error for an empty datagram is
// [lobbywire.ErrTruncated].
func decodeToMaster(r *wire.Reader, o Options) ToMaster {
	if m := toMasterOf(firstByte(r), r, o); m != nil {
		return m
	}
	return decodeUnknown(r)
}
