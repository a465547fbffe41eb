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

// decodeToMaster identifies the message by its first byte. It does not allocate
// for messages of one byte. The error for an empty datagram is
// [lobbywire.ErrTruncated].
func decodeToMaster(r *wire.Reader, o Options) ToMaster {
	if m := toMasterOf(firstByte(r), r, o); m != nil {
		return m
	}
	return decodeUnknown(r)
}
