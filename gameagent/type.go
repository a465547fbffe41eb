package gameagent

import (
	"github.com/lobbywire/lobbywire/gameagent/internal/pairs"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// proto names the package in errors.
const proto = "gameagent"

// First bytes of packets. The same byte can start different messages in the two
// directions.
const (
	typeJoin         = 'q'
	typeStateChanged = 'u'
	typeListRequest  = 'e'
	typeList         = 's'
	typeLine         = '0'
	typeChallenge    = 1
	typeStatus       = 2
	typePlayers      = 3
	typePing         = 4
)

// firstOf returns the first byte of b, or 0, which starts no message, if b is empty.
func firstOf(b []byte) byte {
	if len(b) == 0 {
		return 0
	}
	return b[0]
}

// decodeEnd ignores bytes after the message. With Options.Strict it refuses
// them.
func decodeEnd(r *wire.Reader, o Options) { pairs.DecodeEnd(r, o.Strict) }
