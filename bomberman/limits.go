package bomberman

import "github.com/lobbywire/lobbywire/internal/wire"

// Port is the TCP port of every management server. Game servers use any other port.
const Port = 51963

// Limits, in bytes unless stated otherwise.
const (
	// MaxPayload is the maximum size of a JSON object that we accept. The
	// specification lets receivers refuse longer messages. It does not say whether
	// the newline counts, so encoding allows one byte less.
	MaxPayload = 1 << 16

	// MaxFrame is the maximum size of a frame, with the white space before it. Every
	// frame fits a buffer of this size.
	MaxFrame = maxGap + maxDigits + MaxPayload + len("\r\n")

	// MaxPlayers is the maximum number of players in a round, by the specification.
	// More may wait in the lobby.
	MaxPlayers = 4
)

const (
	maxSent   = MaxPayload - 1 // payload that we send: with its newline, MaxPayload
	maxGap    = 64             // white space before a frame: our choice
	maxDigits = 10             // of a length, with leading zeros: our choice

	// By the specification:
	minPlayers = 2 // in a round
	minArena   = 7 // fields of the width and the height of an arena
	maxArena   = 21
)

// Options changes what the decoder accepts. The functions with the same names as
// its methods use the zero Options.
type Options struct {
	// Strict refuses what the specification forbids; see Strictness in the package
	// documentation.
	Strict bool

	// MaxPayload is the maximum size of a JSON object in bytes; 0 means
	// [MaxPayload].
	MaxPayload int
}

func (o Options) maxPayload() int { return wire.Limit(o.MaxPayload, MaxPayload) }
