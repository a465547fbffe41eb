package wzhttp

import "github.com/lobbywire/lobbywire/internal/wire"

// Limits, in bytes unless stated otherwise.
const (
	// MaxBody is the maximum size of a body, except of a list: 2 MiB. The game takes as
	// much of an answer to a [JoinRequest], which may have images, and 20 MiB of other
	// answers. It is the default limit for decoding and the limit for encoding.
	MaxBody = 2 << 20

	// MaxRequest is our suggestion for the MaxBody of a lobby. Requests of the game
	// have a few hundred bytes.
	MaxRequest = 64 << 10

	// MaxLine is the maximum size of a line of a list, with the bytes that end it. It
	// is our choice; the game has no limit.
	MaxLine = 64 << 10

	// MaxList is the maximum size of a list: the game takes as much.
	MaxList = 20 << 20

	// MaxGames is how many games the game reads from a list. It ignores further lines.
	MaxGames = 200

	// MaxRoomName and MaxPlayerName are the maximum sizes of names: the game's buffers
	// have room for as much.
	MaxRoomName   = 127
	MaxPlayerName = 63

	// MaxMOTD is the maximum size of a message of the day, and MaxMods the maximum
	// number of mods. Both are our choice; the game has no limit.
	MaxMOTD = 4096
	MaxMods = 64

	// MaxID is the maximum size of the id of a game. It is our choice: players type
	// ids.
	MaxID = 64

	// MinChallenge and MaxChallenge limit the challenge of a [Probe]. Hosts do not
	// answer others.
	MinChallenge = 32
	MaxChallenge = 88

	// MaxProbe is the maximum size of the JSON of a [Probe], so that a frame can hold
	// it. MaxProbeReply is that of a [ProbeReply], for which the game has no more room.
	MaxProbe      = 65533
	MaxProbeReply = 65535

	// MaxDepth is the maximum nesting of arrays and objects in a value that is kept
	// undecoded.
	MaxDepth = wire.MaxJSONDepth
)

// Options changes what the decoder accepts. The functions with the same names as
// its methods use the zero Options.
type Options struct {
	// Strict refuses what the game does not send; see Strictness in the package
	// documentation.
	Strict bool

	// MaxBody is the maximum size of a body in bytes; 0 means [MaxBody].
	MaxBody int

	// MaxLine is the maximum size of a line of a list in bytes; 0 means [MaxLine].
	MaxLine int

	// MaxList is the maximum size of a list in bytes; 0 means [MaxList].
	MaxList int
}

func (o Options) maxBody() int { return wire.Limit(o.MaxBody, MaxBody) }
func (o Options) maxLine() int { return wire.Limit(o.MaxLine, MaxLine) }
func (o Options) maxList() int { return wire.Limit(o.MaxList, MaxList) }
