package bomberman

import "github.com/lobbywire/lobbywire/internal/wire"

// Port is the TCP port of every management server. Game servers use any other.
const Port = 51963

// Limits, in bytes unless stated otherwise.
const (
	// MaxPayload is the maximum size of a JSON object that we accept. The
	// specification lets receivers refuse longer messages. It does not say whether
	// the newline counts, so encoding allows one byte less.
	MaxPayload = 1 << 16

	// MaxDigits is the maximum number of digits of a length, with leading zeros.
	// It is our choice.
	MaxDigits = 10

	// MaxGap is the maximum amount of white space skipped before a frame. It is our
	// choice: the specification has none.
	MaxGap = 64

	// MaxFrame is the maximum size of a frame, with the gap before it and a line
	// end of two bytes. Every frame fits a buffer of this size.
	MaxFrame = MaxGap + MaxDigits + MaxPayload + 2

	// MaxDepth is the maximum nesting of arrays and objects in a value that is kept
	// undecoded. It is our choice.
	MaxDepth = wire.MaxJSONDepth

	// MaxPlayers is the maximum number of players in a round, by the specification.
	// More may wait in the lobby.
	MaxPlayers = 4

	// MinArena and MaxArena bound the width and the height of an arena, by the
	// specification. Both are odd numbers of fields.
	MinArena = 7
	MaxArena = 21
)

// minPlayers is the minimum number of players in a round, by the specification.
const minPlayers = 2

// maxSent is the maximum payload that we send: with its newline, MaxPayload.
const maxSent = MaxPayload - 1

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
