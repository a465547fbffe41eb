package warzone

// Sizes, in bytes.
const (
	// GameSize is the size of a [Game] with a version word.
	GameSize = 814

	// RecordSize is the size of a [Game] of a 2.0 or 2.1 client.
	RecordSize = 112

	// CommandSize is the size of a command, the last byte of which is spare.
	CommandSize = 5
)

// Limits of the format for the texts of a [Game], in bytes: their fields have
// one more, for the zero byte. [Clip] shortens what is longer.
const (
	MaxName          = 63
	MaxMapName       = 39
	MaxHostName      = 39
	MaxVersionString = 63
	MaxModList       = 254
	MaxMisc          = 63
	MaxExtra         = 156 // of version 4; 158 in version 3, 238 in 2.3, 254 in version 2
)

// Limits of a list reply.
const (
	// MaxFirstBatch is how many games clients since 3.1 take before the status
	// block: with more, they read the twelfth game as that. AppendBinary writes
	// no more. The second batch has no such limit.
	MaxFirstBatch = 11

	// MaxLegacyBatch is how many games clients up to 3.0 have room for, which
	// get no status block. Those up to 2.2 write beyond it. AppendBinary writes
	// no more.
	MaxLegacyBatch = 12

	// MaxGames is how many games a list has at most. It is our choice, the
	// limit for writing and the default limit for reading. The browser of 4.6
	// shows 100.
	MaxGames = 1024

	// MaxStatusText is how many bytes the text of a status block has at most.
	// It is our choice, the limit for writing and the default limit for
	// reading: clients trust the length and allocate what it says. Lobbies of
	// 2009 sent at most 255.
	MaxStatusText = 1 << 16

	// MaxListReply is the size of the largest list reply within these limits.
	MaxListReply = 4 + MaxGames*GameSize + 8 + MaxStatusText + 8 + MaxGames*GameSize
)

// Ports.
const (
	LobbyPort    = 9990 // of a lobby, since April 2009
	GamePort     = 2100 // of a game, since 2.2, unless it says otherwise
	GamePortOf20 = 9999 // of a game of a 2.0 or 2.1 client
)

// Options changes what the decoder accepts. The zero Options is what the
// functions of the same names use.
type Options struct {
	// Strict refuses whatever AppendBinary would write in other bytes.
	Strict bool

	// Layout is that of games whose bytes do not tell. LayoutVersioned, the
	// zero value, leaves it to them.
	Layout Layout

	// MaxGames limits the games of a list, in each of its batches; 0 means
	// [MaxGames].
	MaxGames int

	// MaxStatusText limits the text of a status block; 0 means [MaxStatusText].
	MaxStatusText int
}

func (o Options) maxGames() uint32 {
	if o.MaxGames == 0 {
		return MaxGames
	}
	return uint32(max(o.MaxGames, 0))
}

func (o Options) maxStatusText() uint32 {
	if o.MaxStatusText == 0 {
		return MaxStatusText
	}
	return uint32(max(o.MaxStatusText, 0))
}
