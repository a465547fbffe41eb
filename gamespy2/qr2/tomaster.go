package qr2

import (
	"bytes"
	"encoding"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A ToMaster is a datagram to a master. Servers send [Heartbeat], [ChallengeAnswer],
// [Keepalive] and [ClientMessageAck]. Servers and clients send [AvailabilityRequest].
// Everything else is [Unknown].
//
//wire:message key=byte
type ToMaster interface {
	encoding.BinaryAppender
	toMaster()
}

// decodeToMaster identifies the message by its first byte. Datagrams of other
// protocols at the same port, and answers of servers to queries, are Unknown.
// The error for an empty datagram is [lobbywire.ErrTruncated].
func decodeToMaster(r *wire.Reader, o Options) ToMaster {
	if p := r.Peek(); len(p) > 0 && !isChallengeResponse(p) {
		if m := toMasterOf(p[0], r, o); m != nil {
			return m
		}
	}
	return decodeUnknown(r)
}

// isChallengeResponse reports whether p is the answer of a server to a challenge request
// rather than an AvailabilityRequest, whose key is zero.
func isChallengeResponse(p []byte) bool {
	return p[0] == typeAvailability && len(p) >= headerSize && [4]byte(p[1:]) != [4]byte{}
}

// headerSize is the size of the type and the key.
const headerSize = 5

// Unknown is a datagram that is not a message of its direction. Receivers do not
// answer it.
//
//wire:message ToMaster ToServer
type Unknown struct {
	Raw []byte // the datagram; not empty
}

// decodeUnknown reads any datagram that is not empty.
func decodeUnknown(r *wire.Reader) Unknown {
	if r.Len() == 0 {
		r.Fail(lobbywire.ErrTruncated, "type", 0)
	}
	return Unknown{r.Rest("raw")}
}

// append fails if Raw is empty.
func (m *Unknown) append(w *wire.Writer) {
	if len(m.Raw) == 0 {
		w.Refuse("raw", "missing")
	}
	w.Bytes(m.Raw)
}

// PeekToMaster returns an empty message of the type of b, a datagram to a master, or
// nil if ParseToMaster would return [Unknown]. It decodes only the type, so the rest
// of b may be invalid.
func PeekToMaster(b []byte) ToMaster {
	if len(b) == 0 || isChallengeResponse(b) {
		return nil
	}
	switch b[0] {
	case typeHeartbeat:
		return Heartbeat{}
	case typeChallenge:
		return ChallengeAnswer{}
	case typeKeepalive:
		return Keepalive{}
	case typeClientMessageAck:
		return ClientMessageAck{}
	case typeAvailability:
		return AvailabilityRequest{}
	}
	return nil
}

// PeekKey returns the instance key of b, a datagram to a master, whether or not the
// rest of it is valid.
func PeekKey(b []byte) (key [4]byte, ok bool) {
	if len(b) < headerSize {
		return key, false
	}
	return [4]byte(b[1:]), true
}

// PeekState returns the state in b, a heartbeat, whether or not the rest of it is valid.
func PeekState(b []byte) (s State) {
	end := []byte{0}
	for rest := b[min(headerSize, len(b)):]; ; {
		key, after, _ := bytes.Cut(rest, end)
		value, next, ok := bytes.Cut(after, end)
		if !ok || len(key) == 0 {
			return s
		}
		if string(key) == keyStateChanged {
			s = state(string(value))
		}
		rest = next
	}
}
