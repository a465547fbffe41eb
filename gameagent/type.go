package gameagent

import "github.com/lobbywire/lobbywire/internal/wire"

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

// firstByte returns the first byte of a packet. It returns 0, which starts no
// message, if the packet is empty.
func firstByte(r *wire.Reader) byte {
	p := r.Peek()
	if len(p) == 0 {
		return 0
	}
	return p[0]
}

// decodeEnd ignores bytes after the message. With Options.Strict it refuses
// them.
func decodeEnd(r *wire.Reader, o Options) {
	switch n := r.Len(); {
	case n == 0:
	case o.Strict:
		r.End()
	default:
		r.Skip(n, "ignored")
	}
}
