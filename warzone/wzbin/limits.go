package wzbin

import "math"

// Limits, in bytes where nothing else is said. Those of frames are the
// format's: sizes are one byte.
const (
	// MaxMessage is the size of the largest message: payloads, each with its
	// size in front.
	MaxMessage = math.MaxUint8

	// MaxPayload is the size of the largest payload, alone in its message.
	MaxPayload = MaxMessage - 1

	// MaxFrame is the size of the largest frame.
	MaxFrame = headerSize + MaxMessage

	// MaxGames is how many games a list has at most, by our choice. It is the
	// default limit for reading and the limit for writing. With it a [GameList]
	// has at most MaxGames+1 frames, 257 KiB.
	MaxGames = 1023
)

// headerSize is the size of what stands before a message.
const headerSize = 2

// Options changes what the decoder accepts. The zero Options is what the
// functions of the same names use.
type Options struct {
	// Strict refuses most of what AppendBinary never writes. The package
	// documentation has the list.
	Strict bool

	// MaxGames limits the games of a list; 0 means [MaxGames].
	MaxGames int
}

func (o Options) maxGames() int {
	if o.MaxGames == 0 {
		return MaxGames
	}
	return max(o.MaxGames, 0)
}
