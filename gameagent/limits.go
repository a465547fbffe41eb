package gameagent

// Default ports.
const (
	MasterPort       = 9005  // UDP port of a master
	LegacyMasterPort = 27900 // UDP port of a legacy master, for heartbeats
	LegacyListPort   = 28900 // TCP port of a legacy master, for its list

	// GamePort is the port of the game on a server. The server answers queries,
	// and sends to masters, on the next port.
	GamePort = 25600
)

// Limits of other programs. Sizes are in bytes.
const (
	// MaxHeartbeat is the maximum size of a Heartbeat. The original master reads
	// 1024 bytes.
	MaxHeartbeat = 1024

	// MaxListEntries is the maximum number of servers in a packet of a
	// ServerList. The original master does not exceed 1024 bytes a packet.
	MaxListEntries = 170

	// MaxPacket is the maximum size of an answer of a server. The engine's client
	// reads 2048 bytes. The engine itself can send one byte more, the end mark of
	// Players, so use a receive buffer of MaxPacket+1 bytes.
	MaxPacket = 2048

	// MaxLegacyLine is the maximum size of a LegacyGreeting, a LegacyListRequest or
	// a LegacySyncRequest. It is the size of the engine's buffer.
	MaxLegacyLine = 4096
)

// Limits that are our choice. The engine has 16 players.
const (
	MaxPlayers = 1024                         // players in an answer
	MaxPackets = 32                           // packets in an assembler of players
	MaxAnswer  = MaxPackets * (MaxPacket + 1) // bytes in an assembler of players
	MaxServers = 1 << 16                      // servers in a LegacyServerList or a ListAssembler

	// MaxLegacyText is the size in bytes up to which IsLegacyTextComplete waits for
	// the end of a list as text. MaxServers addresses fit.
	MaxLegacyText = 2 << 20
)

// cutStatus is the size at which old builds for Linux cut their answers.
const cutStatus = 255

// Options changes what the decoder accepts. The functions that are not methods
// of Options use the zero Options.
type Options struct {
	// Strict refuses what the engine and its master never send: see the table
	// in the package documentation.
	Strict bool

	// Part accepts any packet of [Players], and a [LegacyStatus] or a
	// [LegacyServerList] without its end, as a client has it when the rest does
	// not arrive. It cuts a LegacyServerList with more than [MaxServers] servers.
	Part bool

	// Text decodes texts that are not UTF-8, of servers whose encoding the caller
	// knows. nil leaves them as they are. The messages then have other bytes when
	// they are encoded again. In Shift-JIS and GBK, the second byte of a character may be
	// a backslash, which ends a text of the legacy form within the character, as it
	// does in the games.
	Text func([]byte) string

	// Query is the query that a [LegacyStatus] answers. The keys of other answers
	// go to Extra. The zero value, LegacyQueryStatus, has the keys of all.
	Query LegacyQuery
}

// minRecord is about the size of the shortest record of a player.
const minRecord = 32

// enginePlayers is the maximum number of players in the engine.
const enginePlayers = 16
