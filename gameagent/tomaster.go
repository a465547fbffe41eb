package gameagent

import (
	"bytes"
	"encoding"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// ToMaster is a datagram to a master. It is a [Join], [Heartbeat],
// [StateChanged] or [ListRequest] at the native port, a [LegacyHeartbeat],
// [LegacyValidation] or [LegacyEchoReply] at the legacy port, or [Unknown].
//
//wire:message key=byte
type ToMaster interface {
	encoding.BinaryAppender
	toMaster()
}

// PeekToMaster returns an empty message of the type of the datagram b to a master,
// or nil if the master need not handle it. Native messages are identified by their
// first byte, a LegacyHeartbeat and a LegacyValidation by their first key. It decodes
// nothing else, so b may be invalid. It returns nil for a [Status], which has the
// first byte of a Heartbeat: a master that answered it could be made to exchange
// datagrams with a server.
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
	case slash:
		if bytes.HasPrefix(b, []byte(heartbeatKey)) {
			return LegacyHeartbeat{}
		}
		if bytes.HasPrefix(b, []byte(validateKey)) {
			return LegacyValidation{}
		}
	}
	return nil
}

// decodeToMaster identifies the message by its first byte, a legacy message by its
// first key. It does not allocate for messages of one byte. The error for an empty datagram is
// [lobbywire.ErrTruncated].
func decodeToMaster(r *wire.Reader, o Options) ToMaster {
	switch p := r.Peek(); {
	case len(p) < 2 || p[0] != slash:
	case startsAs(p, validateKey):
		var m LegacyValidation
		m.decode(r, o)
		return m
	case startsAs(p, echoKey), startsAs(p, echoReplyKey):
		var m LegacyEchoReply
		m.decode(r, o)
		return m
	}
	if m := toMasterOf(firstOf(r.Peek()), r, o); m != nil {
		return m
	}
	return decodeUnknown(r)
}
