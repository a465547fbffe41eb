package gameagent

// Default ports.
const (
	// MasterPort is where a master listens, UDP.
	MasterPort = 9005

	// LegacyMasterPort is where a legacy master listens for heartbeats, UDP.
	LegacyMasterPort = 27900

	// LegacyListPort is where a legacy master hands out its list, TCP.
	LegacyListPort = 28900

	// GamePort is where a server's game listens. Queries go to the next port,
	// which is also where what the server sends to a master comes from.
	GamePort = 25600
)

// Sizes and limits, in bytes where nothing else is said.
const (
	// MaxHeartbeat is the longest heartbeat: the master reads 1024 bytes.
	MaxHeartbeat = 1024

	// MaxListEntries is how many servers one ServerList may hold: the master
	// begins another packet before it exceeds 1024 bytes.
	MaxListEntries = 170

	// MaxPacket is the longest answer of a server: the engine's client reads
	// 2048 bytes. The engine itself may exceed it by the end mark of Players,
	// so receive into one byte more.
	MaxPacket = 2048

	// MaxPlayers is how many players an answer may have. It is our choice: the
	// engine has 16.
	MaxPlayers = 256

	// MaxPackets is how many packets an Assembler takes. It is our choice: of
	// 16 players each might need a packet.
	MaxPackets = 32

	// MaxAnswer is how many bytes an Assembler takes. It is our choice.
	MaxAnswer = MaxPackets * (MaxPacket + 1)

	// MaxLegacyServers is how many servers a LegacyServerList may have. It is
	// our choice.
	MaxLegacyServers = 1 << 16

	// MaxLegacyLine is the longest LegacyGreeting or LegacyListRequest: the
	// engine's buffer for them.
	MaxLegacyLine = 4096

	// LegacySecureSize is the size of the challenge in a LegacyGreeting.
	LegacySecureSize = 6
)

// cutStatus is the length at which old builds for Linux cut what they format.
const cutStatus = 255

// Options changes what the decoder accepts. The zero Options is what the
// functions of the same names use.
type Options struct {
	// Strict refuses what the engine and its master never send: see the table
	// in the package documentation.
	Strict bool
}
