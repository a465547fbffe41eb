package gameagent

// Default ports.
const (
	MasterPort = 9005 // UDP port of a master

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
)

// Limits that are our choice. The engine has 16 players.
const (
	MaxPlayers = 1024                         // players in an answer
	MaxPackets = 32                           // packets in an assembler of players
	MaxAnswer  = MaxPackets * (MaxPacket + 1) // bytes in an assembler of players
	MaxServers = 1 << 16                      // servers in a ListAssembler
)

// cutStatus is the size at which old builds for Linux cut their answers.
const cutStatus = 255

// Options changes what the decoder accepts. The functions that are not methods
// of Options use the zero Options.
type Options struct {
	// Strict refuses what the engine and its master never send: see the table
	// in the package documentation.
	Strict bool

	// Part accepts any packet of [Players].
	Part bool

	// Text, unless nil, decodes texts that are not UTF-8, for servers whose encoding the
	// caller knows. The messages are then encoded to other bytes.
	Text func([]byte) string
}
