package gamespy2

// Sizes and limits, in bytes unless stated otherwise.
const (
	// MaxRequest is the size of the longest request: GameSpy's server reads no more.
	MaxRequest = 255

	// MaxEchoData is the number of bytes of an echo request that GameSpy's
	// server sends back.
	MaxEchoData = 32

	// MaxName is the length of the longest key or column name that GameSpy's
	// code accepts. The decoder stops at longer column names and keeps longer
	// keys.
	MaxName = 100

	// MaxPacket is the size of GameSpy's send buffer. GameSpy's servers cut
	// responses into packets of that size. Minecraft sends larger ones.
	MaxPacket = 1400

	// MaxPackets is the number of packets that GameSpy's code sends and accepts
	// for one response. The packet number has room for 128, and the decoder
	// accepts them.
	MaxPackets = 8

	// maxAnswer is the default limit for all packets of a split response
	// together. The limit is ours.
	maxAnswer = 64 << 10

	// MaxColumns is the number of columns that the decoder accepts for a table.
	// The limit is ours; games have at most 11.
	MaxColumns = 64

	// MaxTableValues is the limit for the number of values in a table: 256 players
	// with 64 columns, or 16384 Minecraft players. A table of a split response has
	// at most one value for each byte of the response, and 2048 more. The limit is
	// ours.
	MaxTableValues = 1 << 14

	maxDatagram = 65507 // the largest payload of UDP over IPv4
)

// Options changes what the decoder accepts. The zero Options is the default of
// the functions with the same names.
type Options struct {
	// Strict refuses what GameSpy's code does not send but real servers and
	// clients do. The package documentation lists the differences.
	Strict bool

	// Challenge means that queries contain a challenge, as a server that uses challenges
	// expects. The packet itself does not show it.
	Challenge bool

	// Sections are the sections of a plain response, as the query selected them; see
	// [Request.Sections]. 0 means that they are guessed, as [ParseResponse] describes.
	// Split responses name their sections.
	Sections Sections

	// Part lets ParseResponse read a single packet of a split response. The
	// Response is Partial.
	Part bool

	// Text, unless nil, decodes texts that are not UTF-8, for servers whose encoding the
	// caller knows. The messages are then encoded to other bytes.
	Text func([]byte) string
}

// sparseValues is the number of values that a table of a split response may have beyond one
// for each byte. A column that continues in a packet starts at any row, so few bytes could
// make a large table. A response with half of 128 players stays far below the limit.
const sparseValues = 2048

// maxValues returns the limit for the values of a table in size bytes.
func maxValues(size int) int { return min(MaxTableValues, sparseValues+size) }
