package gameagent

import (
	"encoding"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// ToMaster is a datagram to a master. It is a [Join], [Heartbeat], [StateChanged],
// [ListRequest] or [Unknown].
//
//wire:message key=byte
type ToMaster interface {
	encoding.BinaryAppender
	toMaster()
}

// PeekToMaster returns an empty message of the type that the first byte of b, a datagram to
// a master, identifies, or nil if the master need not handle it. It decodes nothing else,
// so b may be invalid. It returns nil for a [Status], which starts like a Heartbeat: a
// master that answered it could be made to exchange datagrams with a server.
func PeekToMaster(b []byte) ToMaster {
	switch firstOf(b) {
	case typeListRequest:
		return ListRequest{}
	case typeLine:
		if !isStatus(b) {
			return Heartbeat{}
		}
	case typeJoin:
		return Join{}
	case typeStateChanged:
		return StateChanged{}
	}
	return nil
}

// decodeToMaster identifies the message by its first byte. Messages of one byte cost no
// allocation. The error for an empty datagram is [lobbywire.ErrTruncated].
func decodeToMaster(r *wire.Reader, o Options) ToMaster {
	if m := toMasterOf(firstOf(r.Peek()), r, o); m != nil {
		return m
	}
	return decodeUnknown(r)
}
