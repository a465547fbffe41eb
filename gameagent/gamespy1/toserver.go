package gamespy1

import (
	"bytes"
	"encoding"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// ToServer is a datagram to the query port of a server. It is a [Request] from a client or a
// master, a [Secure], [Echo] or [Error] from a master, or [Unknown].
//
//wire:message
type ToServer interface {
	encoding.BinaryAppender
	toServer()
}

// decodeToServer searches the whole datagram for a query. Requests without a challenge or a
// text cost no allocation. The error for an empty datagram is [lobbywire.ErrTruncated].
func decodeToServer(r *wire.Reader, o Options) ToServer {
	switch p := r.Peek(); {
	case isRequest(p):
		var m Request
		m.decode(r, o)
		if m.Secure == "" && m.Echo == "" {
			return requests[m.Query]
		}
		return m
	case startsWithSecure(p):
		var m Secure
		m.decode(r, o)
		return m
	case bytes.HasPrefix(p, []byte(echoKey)):
		var m Echo
		m.decode(r, o)
		return m
	case bytes.HasPrefix(p, []byte(errorKey)), bytes.HasPrefix(p, []byte(fatalKey)):
		var m Error
		m.decode(r, o)
		return m
	}
	return decodeUnknown(r)
}

// requests are preallocated interface values, which saves an allocation per request.
var requests = [...]ToServer{
	Request{Query: QueryStatus}, Request{Query: QueryInfo}, Request{Query: QueryBasic},
	Request{Query: QueryPlayers}, Request{Query: QueryRules},
}

// isRequest reports whether a server would find a query in b.
func isRequest(b []byte) bool {
	text, _, _ := bytes.Cut(b, []byte{0})
	_, at := findQuery(text)
	return at >= 0
}

// IsFromServer reports whether b looks like a datagram from a server to a client rather
// than a request. Servers search whole datagrams for requests, so without this check two
// servers could be made to answer each other. A datagram that starts with a query or
// a challenge is a request, even if the end mark of answers follows, as the master
// openspy-core sends it.
func IsFromServer(b []byte) bool {
	return bytes.Contains(b, []byte(endMark)) && !startsWithQuery(b) && !startsWithSecure(b)
}
