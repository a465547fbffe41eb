package bomberman

import "github.com/lobbywire/lobbywire/internal/wire"

// Port is the TCP port of every management server. Game servers choose theirs.
const Port = 51963

// Limits, in bytes where nothing else is said.
const (
	// MaxPayload is how long a JSON object may be. From this size on the
	// specification lets receivers refuse a message, and we do. What we send is
	// one byte shorter, since it is not said whether the newline counts.
	MaxPayload = 1 << 16

	// MaxDigits is how many digits a length may have, zeros in front included.
	// It is our choice.
	MaxDigits = 10

	// MaxGap is how much white space is skipped before a frame. It is our
	// choice: the specification knows none.
	MaxGap = 64

	// MaxFrame is the size of the longest frame, with the gap before it and a
	// line end of two bytes. A buffer of this size holds every frame.
	MaxFrame = MaxGap + MaxDigits + MaxPayload + 2

	// MaxDepth is how many arrays and objects may stand in one another in a
	// value that is kept unread. It is our choice.
	MaxDepth = wire.MaxJSONDepth

	// MaxPlayers is how many players a round has at most, by the specification.
	// More may wait in the lobby.
	MaxPlayers = 4

	// MinArena and MaxArena bound the width and the height of an arena, which
	// are odd, by the specification.
	MinArena = 7
	MaxArena = 21
)

// minPlayers is the number of players a round needs, by the specification.
const minPlayers = 2

// maxSent is the longest payload that is sent: with its newline, MaxPayload.
const maxSent = MaxPayload - 1

// Options changes what the decoder accepts. The zero Options is what the
// functions of the same names use.
type Options struct {
	// Strict refuses what the specification does not allow. See the table in
	// the package documentation.
	Strict bool

	// MaxPayload limits the bytes of a JSON object; 0 means [MaxPayload].
	MaxPayload int
}

func (o Options) maxPayload() int {
	if o.MaxPayload == 0 {
		return MaxPayload
	}
	return max(o.MaxPayload, 0)
}
