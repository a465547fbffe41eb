// Package sqp encodes and decodes the Server Query Protocol, version 1, which
// Unity's Multiplay hosting and games built for it speak over UDP.
//
// # Flow
//
//	client                                  server
//	  | ChallengeRequest                      |
//	  |-------------------------------------->|
//	  |                ChallengeResponse      |
//	  |<--------------------------------------|  token, for this address
//	  | QueryRequest    token, chunks         |
//	  |-------------------------------------->|
//	  |                QueryResponse          |
//	  |<--------------------------------------|  one Packet, or parts of one
//
// A server answers what it does not understand, or a wrong token, with silence.
// Tokens mostly serve for one query, and C# and Unreal servers ignore a second
// ChallengeRequest from an address that holds a token. So a client that lost
// an answer asks again from another port.
//
// # Wire format
//
// Numbers are big-endian. A text is one length byte and as many bytes of
// UTF-8, without terminator; all 255 lengths are legal.
//
//	ChallengeRequest, ChallengeResponse
//	 0       1                               5
//	+-------+-------------------------------+
//	| 00    | token                         |
//	+-------+-------------------------------+
//
//	QueryRequest
//	 0       1                               5               7        8
//	+-------+-------------------------------+---------------+--------+
//	| 01    | token                         | version       | chunks |
//	+-------+-------------------------------+---------------+--------+
//
//	Packet, QueryResponse
//	 0       1               5         7               8            9              11
//	+-------+---------------+---------+---------------+------------+--------------+-----
//	| 01    | token         | version | currentPacket | lastPacket | packetLength | ...
//	+-------+---------------+---------+---------------+------------+--------------+-----
//
// The rest of a packet is its body. The body of a [QueryResponse] is the chunks
// asked for, in the order of the bits of [Chunks], each after its length:
// [ServerInfo], [Rule] after Rule, [Table], Table and [Metrics].
//
// Rules and the columns of tables have a [ValueType], by which their values are
// laid out. Chunks carry no tag. What was asked for tells which they are, so
// parsing takes it as an argument.
//
// # Sources
//
// Unity's page of the protocol (ServerInfo), the older Markdown specification
// (rules, players, teams), and the behaviour of go-svrquery v1.7.0 (metrics,
// split answers, challenges), Unity's Go and C# server libraries and its
// Unreal plugin.
//
// # Strictness
//
//	                                  by default      Options.Strict
//	version of an answer not 1        kept            ErrUnsupported
//	bytes after the packet            ignored         ErrTrailing
//	chunks missing at the end         nil             ErrInvalid
//	chunks after those asked for      Extra           Extra
//	bytes after the fields of a chunk Extra           Extra
//	unassigned bits of Chunks         kept            kept
//	value of unknown type             to chunk's end  to chunk's end
//	text that is not UTF-8            kept            kept
//	request longer than its fields    ErrTrailing     ErrTrailing
//	length that lies                  ErrInvalid      ErrInvalid
//
// # Limits
//
// Texts have 255 bytes and tables 255 columns at most, by the format. A table
// has [MaxTableValues] values and a split answer [MaxAnswer] bytes at most, by
// our choice; Options and Assembler change that. Unity's client takes up to
// [MaxMetrics] metrics. A ServerInfo always fits one datagram.
//
// # Quirks
//
// Unity's C# server answers only a mask of exactly [ChunkServerInfo], with
// version 0 (testdata/golden/answer_version0.hex). Ask other chunks apart.
//
// A table without rows may end after its count (answer_players_none.hex) or
// after a column count without columns (answer_players_headless.hex).
//
// One server sends a zero byte behind the packet (answer_surplus.hex).
//
// Type 5, float32, came with metrics in 2022: older clients stop at it
// (answer_float.hex).
//
// Fields and chunks of later versions are to be expected behind the known ones
// (answer_future.hex), but a value of an unknown type hides all behind it in its
// chunk (answer_unknown_type.hex).
//
// Nothing splits answers today. How they are split is known from the first version
// of go-svrquery (answer_two_packets_1.hex).
package sqp

//go:generate go run ../internal/shells
