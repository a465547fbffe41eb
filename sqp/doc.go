// Package sqp encodes and decodes the Server Query Protocol (SQP), with which
// Unity's Multiplay hosting and game clients query the name, players and metrics of
// game servers over UDP.
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
// A server ignores requests that it does not understand, queries with a wrong token, and
// challenge requests with a token other than 0, because those may be answers of other
// servers. It should also ignore queries for chunks that it lacks, or send these empty,
// because chunks have no tags. Most servers accept a token for one query only. Unity's C#
// and Unreal servers ignore a second ChallengeRequest from an address and port with an
// unused token. A client without an answer therefore repeats the query with the same token,
// and then starts over from another port.
//
// # Wire format
//
// Numbers are big-endian. A text is a length byte followed by that many bytes of
// UTF-8, without a terminator.
//
// The section Messages, at the end, shows each layout.
//
// The body of a [Packet] follows its header. packetLength is the size of the body. The body
// of a [QueryResponse] consists of the requested chunks, each preceded by its length, in
// the order of the bits of [Chunks]: [ServerInfo], the rules (see [Rule]), a [Table] of
// players, a Table of teams and [Metrics].
//
// Rules and columns of tables state their [ValueType]. Chunks have no tags: only the
// request shows which chunks follow, so ParseQueryResponse takes the requested chunks as an
// argument.
//
// # Names in the specification
//
// The specification calls the token ChallengeToken or ChallengeId, and the field
// chunks RequestedChunks.
//
// # Sources
//
// Unity's page of the protocol (ServerInfo), the older Markdown specification
// (rules, players, teams), and the behaviour of go-svrquery v1.7.2 (metrics,
// split responses, challenges), Unity's Go and C# server libraries and its
// Unreal plugin.
//
// # Strictness
//
//	                                  by default      Options.Strict
//	version of a response above 2     kept            ErrUnsupported
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
// Encoding refuses text that is not UTF-8, because Unity's Go client drops a
// response that contains it. Encoding sends the zero Version as version 1.
//
// # Limits
//
// The format limits texts to 255 bytes and tables to 255 columns. Our own limits are 65 536
// values for a table and 94 208 bytes for a split response, which MaxAnswer of [Assembler]
// replaces. Unity's client accepts up to 25 metrics. A ServerInfo always fits one datagram.
//
// Only the client of package sqpnet is known to join split responses, and Unity's clients
// have buffers of [MaxDatagram] bytes. No other client can therefore read a longer
// response, split or not.
//
// # Quirks
//
// Unity's C# server answers only a query for exactly [ChunkServerInfo], with version 0
// (testdata/golden/answer_version0.hex), so request each of the other chunks in a separate
// query. Unity's C# test client sends version 0 (query_version0.hex);
// [Prepared.AppendPacket] answers it with version 0, as Unity's server does.
//
// Unity's Go server sends metrics only to queries of version 2 and later
// (answer_version2.hex), in v0.5.4 with answers of version 1. It answers a query
// of version 1 without metrics (answer_metrics_none.hex). The sample server of
// go-svrquery sends metrics to version 1 and ignores version 2. Both versions
// have the same layout.
//
// A table without rows may end after its count (answer_players_none.hex) or
// after a column count without columns (answer_players_headless.hex).
//
// One server sends a zero byte after the packet (answer_surplus.hex).
//
// Type 5, float32, was added with metrics in 2022: older clients stop at it
// (answer_float.hex).
//
// Later versions may add fields and chunks after the known ones
// (answer_future.hex). A value of unknown type hides everything after it in its
// chunk (answer_unknown_type.hex).
//
// Names are not always UTF-8 (answer_latin1.hex).
//
// No known server splits responses. The first version of go-svrquery defined the format
// (answer_two_packets_1.hex).
package sqp

//go:generate go run ../internal/wire/wiregen
