package wzjson

import "github.com/lobbywire/lobbywire/internal/wire"

// Version is the only version of the protocol.
const Version = 1

// DefaultPort is the port of a game, TCP, unless a list tells another.
const DefaultPort = 2100

// Limits, in bytes where nothing else is said. All are our choice: the proposal
// sets none.
const (
	// MaxFrame is how long a message is at most, with white space in front of
	// it. It is the default limit for reading and the limit for writing. Only
	// answers with games are long, so a lobby should set a lower limit.
	MaxFrame = 1 << 16

	// MaxID is how long the id of a game is at most.
	MaxID = 64

	// MaxDepth is how many arrays and objects may stand in one another in a
	// value that is kept unread.
	MaxDepth = wire.MaxJSONDepth
)

// Options changes what the decoder accepts. The zero Options is what the
// functions of the same names use.
type Options struct {
	// Strict refuses what goes beyond the examples of the proposal. See the
	// table in the package documentation.
	Strict bool

	// MaxFrame limits the bytes of a message; 0 means [MaxFrame].
	MaxFrame int
}

func (o Options) maxFrame() int {
	if o.MaxFrame == 0 {
		return MaxFrame
	}
	return max(o.MaxFrame, 0)
}
