package gamespy2

// Sizes and limits, in bytes where nothing else is said.
const (
	// MinRequest is the size of the shortest request, a challenge request.
	MinRequest = 7

	// MaxRequest is the longest request. GameSpy's server reads no more.
	MaxRequest = 255

	// MaxKeyIDs is how many key ids one selector can list in a request of
	// MaxRequest bytes. The format has room for 254.
	MaxKeyIDs = MaxRequest - 10

	// MaxEchoData is how much of an echo request GameSpy's server sends back.
	MaxEchoData = 32

	// MinChallengeResponse is the size to which a challenge response is padded
	// unless its number is 0: qstat reads a shorter one as 0 or not at all.
	MinChallengeResponse = 12

	// MaxName is the longest key or column name that GameSpy's code takes. The
	// decoder stops at longer column names and keeps longer keys.
	MaxName = 100

	// MaxPacket is the size of GameSpy's send buffer, at which it cuts an
	// answer. Minecraft sends larger ones.
	MaxPacket = 1400

	// MaxPackets is how many packets GameSpy's code sends and takes for one
	// answer. The number on the wire has room for 128, which the decoder takes.
	MaxPackets = 8

	// MaxDatagram is the largest payload of UDP over IPv4.
	MaxDatagram = 65507

	// MaxAnswer is the default limit for all packets of a split answer
	// together. It is our choice.
	MaxAnswer = 64 << 10

	// MaxColumns is how many columns the decoder takes for a table. It is our
	// choice; games have 11 at most.
	MaxColumns = 64

	// MaxTableValues is the default limit for rows times columns of a table. It
	// is our choice: 256 players of 64 columns, or a thousand Minecraft players.
	MaxTableValues = 1 << 14
)

// Options changes what the decoder accepts. The zero Options is what the
// functions of the same names use.
type Options struct {
	// Strict refuses what only real peers, and not GameSpy's code, send. The
	// package documentation has the table.
	Strict bool

	// Challenge says that a query request has a challenge. Nothing in the
	// packet tells; a server that hands out challenges expects them.
	Challenge bool

	// Sections says which sections a plain answer has, by what was asked for;
	// see [Request.Sections]. 0 means to guess from the bytes, as
	// [ParseResponse] documents. A split answer tells by itself.
	Sections Sections

	// Part lets ParseResponse read one packet of a split answer by itself. The
	// response is Partial.
	Part bool

	// MaxTableValues limits rows times columns of a table; 0 means
	// [MaxTableValues].
	MaxTableValues int
}

func (o Options) maxTableValues() int {
	if o.MaxTableValues <= 0 {
		return MaxTableValues
	}
	return o.MaxTableValues
}
