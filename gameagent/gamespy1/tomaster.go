package gamespy1

import (
	"bytes"
	"encoding"

	"github.com/lobbywire/lobbywire/gameagent/internal/pairs"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// ToMaster is a datagram to a master: a [Heartbeat], [Validation], [EchoReply] or [Unknown].
//
//wire:message
type ToMaster interface {
	encoding.BinaryAppender
	toMaster()
}

// PeekToMaster returns an empty [Heartbeat] or [Validation] if b, a datagram to a master,
// starts with its first key, and otherwise nil. It decodes nothing else, so b may be
// invalid.
func PeekToMaster(b []byte) ToMaster {
	switch {
	case bytes.HasPrefix(b, []byte(heartbeatKey)):
		return Heartbeat{}
	case bytes.HasPrefix(b, []byte(validateKey)):
		return Validation{}
	}
	return nil
}

// decodeToMaster identifies the message by its first key. Another first key fails with the
// error of a [Heartbeat]. The error for an empty datagram is [lobbywire.ErrTruncated].
func decodeToMaster(r *wire.Reader, o Options) ToMaster {
	switch p := r.Peek(); {
	case len(p) == 0 || p[0] != slash:
		return decodeUnknown(r)
	case len(p) > 1 && pairs.StartsAs(p, validateKey):
		var m Validation
		m.decode(r, o)
		return m
	case len(p) > 1 && (pairs.StartsAs(p, echoKey) || pairs.StartsAs(p, echoReplyKey)):
		var m EchoReply
		m.decode(r, o)
		return m
	}
	var m Heartbeat
	m.decode(r, o)
	return m
}
