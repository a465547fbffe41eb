package wzproposal

import (
	"math"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// Limits. The format limits frames, as their sizes are one byte. The other limits
// are ours: the proposal has none.
const (
	// MaxLine is the size of the longest line, with its end. It is the default
	// limit for reading and the limit for writing.
	MaxLine = 4096

	// MaxPayload is the size of the longest payload, alone in its frame.
	MaxPayload = math.MaxUint8 - 1

	// MaxFrame is the size of the longest frame of the binary encoding.
	MaxFrame = headerSize + math.MaxUint8

	// MaxGames is the number of games in the longest list. A [GameList] consists of at most
	// MaxGames+1 lines, 4 MiB, or as many frames, 257 KiB.
	MaxGames = 1023

	// headerSize is the size of the header of a frame: the command and the size of
	// the payloads.
	headerSize = 2
)

// Options changes what the decoder accepts. The functions of the same names use the zero
// Options.
type Options struct {
	// Encoding is the encoding of the input.
	Encoding Encoding

	// Strict refuses most of what AppendBinary and [Encoding.Append] never write. The
	// package documentation lists it.
	Strict bool

	// Transcript reads conversations in text as documents show them: spaces
	// separate columns, as a TAB does. It ignores blanks at the start and end of a
	// line, "> " and "< " at the start, empty lines, and lines that start with //.
	// It has no effect on the binary encoding.
	//
	// One space ends an ip, a number and a status. The numbers and the status after
	// a map are found from the end of the line. The last run of two or more spaces
	// separates a name from a map; without such a run, the map is the last word. In
	// unknown messages, two or more spaces separate columns.
	Transcript bool

	// MaxLine limits the bytes of a line, with its end; 0 means [MaxLine].
	MaxLine int

	// Part accepts an incomplete list and reads its complete games.
	Part bool
}

func (o Options) maxLine() int { return wire.Limit(o.MaxLine, MaxLine) }
