package warzone

import "github.com/lobbywire/lobbywire/internal/wire"

// Sizes, in bytes.
const (
	GameSize   = 814 // of a [Game] with a version word
	RecordSize = 112 // of a [Game] of a 2.0 or 2.1 client
	AliveSize  = 8   // of an [AliveRequest], and of the netcode version that a client sends instead when it joins

	AliveReplySize = 12 // of an [AliveReply]
)

// Limits of a lobby's messages.
const (
	// MaxFirstBatch is the number of games that clients since 3.1 accept before the status
	// block: they read a twelfth game as that block. AppendBinary writes no more. The
	// second batch has no such limit.
	MaxFirstBatch = 11

	// maxLegacyBatch is the number of games for which clients up to 3.0 have room. They
	// receive no status block. With more games, clients up to 2.2 write beyond their array.
	maxLegacyBatch = 12

	// MaxGames is the limit for the games of a list: for writing, and by default
	// for reading. It is our choice. The browser of 4.6 shows 100 games.
	MaxGames = 1024

	// maxCount is the largest number of games in a batch that Options.Part cuts if the
	// first has no version word. A larger number is probably text of another protocol, such
	// as "HTTP".
	maxCount = 1 << 16

	// MaxStatusText is the limit for the text of a status block, in bytes: for
	// writing, and by default for reading. It is our choice: clients trust the
	// length and allocate that much. Lobbies of 2009 sent at most 255 bytes.
	MaxStatusText = 1 << 16

	// MaxResponse is the size of the longest [Response] within these limits.
	MaxResponse = statusHeaderSize + MaxStatusText
)

// Default ports.
const (
	LobbyPort    = 9990 // of a lobby, since April 2009
	GamePort     = 2100 // of a game, since 2.2
	GamePortOf20 = 9999 // of a game of a 2.0 or 2.1 client
)

// Options changes what the decoder accepts. The functions of the same names use the zero
// Options.
type Options struct {
	// Strict refuses any bytes that AppendBinary would write differently.
	Strict bool

	// Layout is the layout of the games. LayoutVersioned, the zero value, finds
	// it from their bytes.
	Layout Layout

	// Text, unless nil, decodes texts that are not UTF-8, for servers whose encoding the
	// caller knows. The messages are then encoded to other bytes.
	Text func([]byte) string

	// MaxGames limits the games in each batch of a list. 0 means [MaxGames].
	MaxGames int

	// Part cuts a list instead of refusing it: after MaxGames games of the first batch
	// with more than MaxGames, and after the last whole game if the rest of a batch is
	// missing. It still refuses more than 65,536 games without version words.
	Part bool
}

func (o Options) maxGames() uint32 { return uint32(wire.Limit(o.MaxGames, MaxGames)) }

// statusHeaderSize is the size of a Status without its text.
const statusHeaderSize = 8
