package gameagent

// Default ports.
const (
	// MasterPort is the UDP port of a master.
	MasterPort = 9005

	// LegacyMasterPort is the UDP port of a legacy master, for heartbeats.
	LegacyMasterPort = 27900

	// LegacyListPort is the TCP port of a legacy master, for its list.
	LegacyListPort = 28900

	// GamePort is the port of the game on a server. The server answers queries,
	// and sends to masters, on the next port.
	GamePort = 25600
)

// Sizes and limits. Sizes are in bytes.
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

	// MaxPlayers is the maximum number of players in an answer. The engine has 16
	// players; the limit is our choice.
	MaxPlayers = 256

	// MaxPackets is the maximum number of packets in an assembler. The engine's 16
	// players cannot fill as many; the limit is our choice.
	MaxPackets = 32

	// MaxAnswer is the maximum number of bytes in an assembler. The limit is our
	// choice.
	MaxAnswer = MaxPackets * (MaxPacket + 1)

	// MaxServers is the maximum number of servers in a LegacyServerList or a
	// ListAssembler. The limit is our choice.
	MaxServers = 1 << 16

	// MaxLegacyLine is the maximum size of a LegacyGreeting, a LegacyListRequest or
	// a LegacySyncRequest. It is the size of the engine's buffer.
	MaxLegacyLine = 4096

	// MaxLegacyText is the size up to which IsLegacyTextComplete waits for the end
	// of a list as text. MaxServers addresses fit. The limit is our choice.
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
	// not arrive.
	Part bool

	// Query is the query that a [LegacyStatus] answers. The keys of other answers
	// go to Extra. The zero value, LegacyQueryStatus, has the keys of all.
	Query LegacyQuery
}
