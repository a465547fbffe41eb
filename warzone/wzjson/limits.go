package wzjson

import "github.com/lobbywire/lobbywire/internal/wire"

// version is the only version of the protocol.
const version = 1

// DefaultPort is the TCP port of a game, unless a list says otherwise.
const DefaultPort = 2100

// Limits, in bytes unless stated otherwise. All are our choice: the proposal has
// none.
const (
	// MaxFrame is the maximum size of a message, with white space before it. It is
	// the default limit for decoding and the limit for encoding. Only lists of games
	// are long, so a lobby should set a lower limit.
	MaxFrame = 1 << 16

	// MaxID is the maximum size of the id of a game.
	MaxID = 64
)

// Options changes what the decoder accepts. The functions with the same names as
// its methods use the zero Options.
type Options struct {
	// Strict refuses what goes beyond the examples of the proposal; see Strictness in
	// the package documentation.
	Strict bool

	// MaxFrame is the maximum size of a message in bytes; 0 means [MaxFrame].
	MaxFrame int
}

func (o Options) maxFrame() int { return wire.Limit(o.MaxFrame, MaxFrame) }
