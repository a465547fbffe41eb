package qr2

import (
	"encoding"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A ToServer is a datagram from a master to a server. It is a [Challenge],
// [AddError], [ClientMessage], [KeepaliveAnswer], [AvailabilityAnswer], [Registered]
// or [Unknown]. Clients receive only AvailabilityAnswer.
//
//wire:message key=byte
type ToServer interface {
	encoding.BinaryAppender
	toServer()
}

// decodeToServer identifies the message by its third byte. Queries, which have the
// same first bytes, are Unknown, except a challenge request, which looks the same
// as an AvailabilityAnswer. Only the server can tell them apart: by the sender's
// address, and by whether it has sent an AvailabilityRequest. The error for an
// empty datagram is [lobbywire.ErrTruncated].
func decodeToServer(r *wire.Reader, o Options) ToServer {
	if p := r.Peek(); len(p) > typeOffset && p[0] == magic>>8 && p[1] == magic&0xff {
		if m := toServerOf(p[typeOffset], r, o); m != nil {
			return m
		}
	}
	return decodeUnknown(r)
}

// typeOffset is the offset of the type in messages from a master.
const typeOffset = 2
