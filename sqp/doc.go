// Package sqp encodes and decodes the Server Query Protocol (SQP), by which
// Unity's Multiplay hosting, and games built for it, ask game servers for their
// name, players and metrics over UDP.
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
// A server ignores requests that it does not understand and queries with a
// wrong token. Most servers accept a token for one query only. Unity's C# and
// Unreal servers ignore a second ChallengeRequest from an address that has an
// unused token. So a client that got no answer sends the query again with the
// same token, and then starts over from another port.
//
// # Wire format
//
// Numbers are big-endian. A text is one length byte and as many bytes of
// UTF-8, without a terminator.
//
// The section Messages, at the end, shows each layout.
//
// The body of a [Packet] follows its header. packetLength is the size of the body.
// The body of a [QueryResponse] is the
// requested chunks in the order of the bits of [Chunks], each after its length:
// [ServerInfo], the rules (see [Rule]), a [Table] of players, a Table of teams
// and [Metrics].
//
// Rules and the columns of tables have a [ValueType]. Chunks do not: only the
// request says which chunks a response holds, so parsing takes them as an
// argument.
//
// # Names in the specification
//
// The specification calls the token ChallengeToken or ChallengeId, the chunks
// RequestedChunks, and the protocol SQP.
//
// # Sources
//
// Unity's page of the protocol (ServerInfo), the older Markdown specification
// (rules, players, teams), and the behaviour of go-svrquery v1.7.0 (metrics,
// split responses, challenges), Unity's Go and C# server libraries and its
// Unreal plugin.
//
// # Strictness
//
//	                                  by default      Options.Strict
//	version of a response not 1       kept            ErrUnsupported
//	bytes after the packet            ignored         ErrTrailing
//	chunks missing at the end         nil             ErrInvalid
//	chunks that were not requested    Extra           Extra
//	bytes after the fields of a chunk Extra           Extra
//	unassigned bits of Chunks         kept            kept
//	value of unknown type             to chunk's end  to chunk's end
//	text that is not UTF-8            kept            ErrInvalid
//	request longer than its fields    ErrTrailing     ErrTrailing
//	length beyond its packet or chunk ErrInvalid      ErrInvalid
//
// Encoding refuses text that is not UTF-8, since Unity's Go client drops the
// whole response for it, and sends version 1 for the zero Version.
//
// # Limits
//
// The format limits texts to 255 bytes and tables to 255 columns. Our own
// limits are [MaxTableValues] for the values of a table and [MaxAnswer] for the
// bytes of a split response; Options and Assembler change them. Unity's client
// accepts up to [MaxMetrics] metrics. A ServerInfo always fits one datagram.
//
// No known client but ours joins split responses, and Unity's have buffers of
// [MaxDatagram] bytes. So a response of more than that reaches our client only,
// split or not; see package sqpnet.
//
// # Quirks
//
// Unity's C# server answers only a query for exactly [ChunkServerInfo], with
// version 0 (testdata/golden/answer_version0.hex). Request other chunks in
// queries of their own.
//
// Unity's Go server sends metrics only to queries of version 2 and later
// (answer_version2.hex). It answers a query of version 1 without the chunk
// (answer_metrics_none.hex). The sample server of go-svrquery sends metrics to
// version 1 and ignores version 2. Both versions have the same layout.
//
// A table without rows may end after its count (answer_players_none.hex) or
// after a column count without columns (answer_players_headless.hex).
//
// One server sends a zero byte after the packet (answer_surplus.hex).
//
// Type 5, float32, came with metrics in 2022: older clients stop at it
// (answer_float.hex).
//
// Later versions may add fields and chunks after the known ones
// (answer_future.hex). A value of unknown type hides everything after it in its
// chunk (answer_unknown_type.hex).
//
// Names are not always UTF-8 (answer_latin1.hex).
//
// No known server splits responses. The first version of go-svrquery defined
// how (answer_two_packets_1.hex).
package sqp

//go:generate go run ../internal/shells
