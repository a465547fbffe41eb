package gameagent

import (
	"bytes"
	"encoding"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// ToServer is a datagram to the query port of a server. It is a [Challenge] from
// a native master, a [StatusRequest], [PlayersRequest], [PingRequest] or
// [LegacyRequest] from a client, a [LegacySecure], [LegacyEcho] or [LegacyError] from a
// legacy master, or [Unknown].
//
//wire:message key=byte
type ToServer interface {
	encoding.BinaryAppender
	toServer()
}

// decodeToServer accepts both forms, although a server of the engine uses only
// one of them. A datagram that starts as a native message is one. Requests of
// clients cost no allocation. The error for an empty datagram is
// [lobbywire.ErrTruncated].
func decodeToServer(r *wire.Reader, o Options) ToServer {
	if m := toServerOf(firstOf(r.Peek()), r, o); m != nil {
		return m
	}
	switch p := r.Peek(); {
	case isLegacyRequest(p):
		var m LegacyRequest
		m.decode(r, o)
		if m.Secure == "" && m.Echo == "" {
			return legacyRequests[m.Query]
		}
		return m
	case startsWithSecure(p):
		var m LegacySecure
		m.decode(r, o)
		return m
	case bytes.HasPrefix(p, []byte(echoKey)):
		var m LegacyEcho
		m.decode(r, o)
		return m
	case bytes.HasPrefix(p, []byte(errorKey)), bytes.HasPrefix(p, []byte(fatalKey)):
		var m LegacyError
		m.decode(r, o)
		return m
	}
	return decodeUnknown(r)
}

// legacyRequests are values of the interface made in advance, which avoids an
// allocation per request.
var legacyRequests = [...]ToServer{
	LegacyRequest{Query: LegacyQueryStatus}, LegacyRequest{Query: LegacyQueryInfo},
	LegacyRequest{Query: LegacyQueryBasic}, LegacyRequest{Query: LegacyQueryPlayers},
	LegacyRequest{Query: LegacyQueryRules},
}

// isLegacyRequest reports whether a server would find a query in b.
func isLegacyRequest(b []byte) bool {
	text, _, _ := bytes.Cut(b, []byte{0})
	_, at := findLegacyQuery(text)
	return at >= 0
}
