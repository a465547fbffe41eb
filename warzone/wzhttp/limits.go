package wzhttp

import "github.com/lobbywire/lobbywire/internal/wire"

// Limits, in bytes unless stated otherwise.
const (
	// MaxBody is the default limit for the size of a body when decoding, and the limit when
	// encoding. It does not limit lists. It is the game's limit for the answer to a
	// [JoinRequest], which may contain images; its limit for other answers is 20 MiB.
	MaxBody = 2 << 20

	// maxLine is the maximum size of a line of a list, including the bytes that end
	// it. The limit is ours.
	maxLine = 64 << 10

	// MaxList is the maximum size of a list, the limit of the game. The game ignores the
	// lines after 200 games.
	MaxList = 20 << 20

	// MaxRoomName and MaxPlayerName are the maximum sizes of names, from the sizes of
	// the game's buffers.
	MaxRoomName   = 127
	MaxPlayerName = 63

	// MaxMOTD is the maximum size of a message of the day, and MaxMods is the
	// maximum number of mods. Both limits are ours.
	MaxMOTD = 4096
	MaxMods = 64

	// MaxID is the maximum size of the id of a game. The limit is ours, because
	// players have to type ids.
	MaxID = 64

	// MinChallenge and MaxChallenge are the limits for the size of a [Probe]'s challenge.
	// Hosts do not answer probes beyond them.
	MinChallenge = 32
	MaxChallenge = 88

	// MaxProbe is the maximum size of the JSON of a [Probe], from the size of its
	// length field. MaxProbeReply is the maximum for a [ProbeReply], from the size of
	// the game's buffer.
	MaxProbe      = 65533
	MaxProbeReply = 65535
)

// Options changes what the decoder accepts. The functions with the same names as
// its methods use the zero Options.
type Options struct {
	// Strict refuses what the game does not send; see Strictness in the package
	// documentation.
	Strict bool

	// MaxBody is the maximum size of a body in bytes; 0 means [MaxBody].
	MaxBody int

	// MaxList is the maximum size of a list in bytes; 0 means [MaxList].
	MaxList int
}

func (o Options) maxBody() int { return wire.Limit(o.MaxBody, MaxBody) }
func (o Options) maxList() int { return wire.Limit(o.MaxList, MaxList) }
