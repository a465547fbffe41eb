package sb2

import (
	"encoding"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Request is a message from a client: [ListRequest], [RulesRequest],
// [MessageRequest], [Keepalive], [MapLoopRequest], [PlayerSearchRequest] or
// [Unknown]. Requests are not encrypted.
//
//wire:message key=byte
type Request interface {
	encoding.BinaryAppender
	request()
}

// decodeRequest reads a message of any type. A message of an unknown type is
// [Unknown].
func decodeRequest(r *wire.Reader, o Options) Request {
	if p := r.Peek(); len(p) >= headerSize {
		if m := requestOf(p[lengthSize], r, o); m != nil {
			return m
		}
	}
	var m Unknown
	m.decode(r, o)
	return m
}
