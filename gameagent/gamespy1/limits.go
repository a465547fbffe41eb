package gamespy1

// Default ports. Servers answer queries at a port of their game.
const (
	MasterPort = 27900 // UDP port of a master, for heartbeats
	ListPort   = 28900 // TCP port of a master, for its list
)

// Limits of other programs. Sizes are in bytes.
const (
	// MaxPacket is the maximum size of an answer of a server. The client of Serious Sam
	// reads 2048 bytes.
	MaxPacket = 2048

	// MaxLine is the maximum size of a Greeting, a ListRequest or a SyncRequest. It is the
	// size of the buffer of Serious Sam.
	MaxLine = 4096
)

// Limits that are our choice.
const (
	MaxPlayers = 1024                         // players in an answer
	MaxPackets = 32                           // packets in an assembler
	MaxAnswer  = MaxPackets * (MaxPacket + 1) // bytes in an assembler
	MaxServers = 1 << 16                      // servers in a list

	// MaxText is the size in bytes up to which IsTextComplete waits for the end of a list
	// as text. It has room for MaxServers addresses.
	MaxText = 2 << 20
)

// Options changes what the decoder accepts. The functions that are not methods
// of Options use the zero Options.
type Options struct {
	// Strict refuses what Serious Sam and its master never send: see the table
	// in the package documentation.
	Strict bool

	// Part accepts a [Status] or a [ServerList] without its end, for clients that did not
	// receive the rest. It cuts a ServerList or an [AddressList] with more than
	// [MaxServers] servers.
	Part bool

	// Text, unless nil, decodes texts that are not UTF-8, for servers whose encoding the
	// caller knows. The messages are then encoded to other bytes. In Shift-JIS and GBK, the
	// second byte of a character may be a backslash, which ends a text within the
	// character, as it does in the games.
	Text func([]byte) string

	// Query is the query that a [Status] answers. Keys that are not part of the answer go
	// to Extra. The answer to QueryStatus, the zero value, contains all keys.
	Query Query
}
