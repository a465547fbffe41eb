package gameagent

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// proto names the package in errors.
const proto = "gameagent"

// First bytes. Those of the two directions overlap.
const (
	typeJoin         = 'q'
	typeStateChanged = 'u'
	typeListRequest  = 'e'
	typeList         = 's'
	typeChallenge    = 1
	typeStatus       = 2
	typePlayers      = 3
	typePing         = 4
)

// Requests of one byte have no fields: receivers look at the first byte only.

func parseRequest(b []byte, o Options, want byte) error {
	r := wire.NewReader(b)
	decodeRequest(&r, o, want)
	return r.Err(proto)
}

func explainRequest(b []byte, message string, want byte) lobbywire.Explanation {
	return wire.Explain(proto, message, b, func(r *wire.Reader) { decodeRequest(r, Options{}, want) })
}

func decodeRequest(r *wire.Reader, o Options, want byte) {
	decodeType(r, want)
	decodeEnd(r, o)
}
