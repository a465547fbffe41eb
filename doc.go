// Package lobbywire is the root of a library for the protocols that discover
// and query game servers. It has what all codecs share: [Error] with its five
// kinds, [Explanation], and the JSON form of messages. It also has what all
// helpers share: their errors, limits and statistics.
//
// # Packages
//
// Codecs convert messages between bytes and Go values:
//
//	sqp                 Server Query Protocol of Unity and Multiplay, UDP
//	gamespy2            GameSpy "FE FD" queries of Battlefield 2 and others, UDP
//	gameagent           Serious Engine GameAgent, master and servers, UDP
//	bomberman           length-prefixed JSON, management and game servers, TCP
//	warzone             Warzone 2100 lobby of versions 2.0 to 4.6, TCP
//	warzone/wzproposal  the text and the binary proposal for another lobby, TCP
//	warzone/wzjson      the JSON proposal, TCP
//
// Helpers own sockets. Each is below its codec:
//
//	sqp/sqpnet              game server; client that queries or scans
//	gamespy2/gamespy2net    game server; client that queries, scans or discovers
//	gameagent/gameagentnet  game server; registration; master; client
//	bomberman/bombermannet  management server; registrar; client; connection
//	                        between game server and player
//	warzone/warzonenet      lobby; host; client; one list of games for the
//	                        lobbies of 2.0 to 4.6 and of three proposals
//
// # Codecs
//
// Codecs do no I/O, read no clock, start no goroutine and have no mutable
// state, so all functions may be called concurrently. The same names have the
// same meaning in all packages:
//
//	ParseX(b)          decodes one whole message. The result owns its memory:
//	                   ParseX neither keeps nor changes b. It returns either a
//	                   value or an error.
//	X.AppendBinary(b)  appends the wire form. If a field does not fit the wire,
//	                   it fails and returns b as given; it never clips.
//	                   MarshalBinary and UnmarshalBinary wrap AppendBinary and
//	                   ParseX.
//	Options.ParseX     decodes with other limits, or strictly. The zero Options
//	                   is the default of ParseX.
//	Explain[X](b)      decodes as ParseX does and accounts for every byte.
//	NextFrame, SplitFrames, AppendFrame
//	                   cut frames off a stream, and append them, in byte slices.
//	Framer             cuts frames off a stream that arrives in parts. Its work
//	                   does not depend on the sizes of the parts.
//	X.Packets()        splits a message into datagrams.
//	Assembler          joins the datagrams of a split message.
//	Extra              holds well-formed data that the package does not know,
//	                   verbatim. AppendBinary sends it again.
//	MaxX               is a limit of the format or of ours; its comment says
//	                   which.
//
// # Helpers
//
// Helpers have the shape of net/http: structs that are configured through
// fields. The zero value is ready once a required address is set. The same names
// have the same meaning in all packages:
//
//	Serve(socket)      serves until Shutdown or Close. It owns the socket or
//	                   listener and closes it. Its error is never nil; after
//	                   Shutdown or Close it is ErrClosed.
//	Shutdown(ctx)      stops serving after pending answers. Close stops at once.
//	Respond(...)       answers one datagram in a loop of the caller, without a
//	                   socket or a goroutine.
//	Set(state)         replaces the state that a server or host reports. On
//	                   error, the state is unchanged.
//	Run(ctx)           keeps a game listed until ctx is done.
//	Client             sends queries. It holds no socket between calls.
//	Stats()            returns counts. It may be called at any time.
//	Limits             bounds what peers may consume. A zero field is the
//	                   documented default.
//	Store              shares the list of a master between nodes.
//	Logger             is silent if nil, and never gets what a peer sent.
//
// # Errors
//
// Every error of a codec is an [*Error] that wraps one of [ErrTruncated],
// [ErrTrailing], [ErrTooLarge], [ErrInvalid] and [ErrUnsupported]. ErrTruncated
// means exactly that a longer input could be valid, so a stream reader knows
// when to read more. The errors of all helpers are [ErrTimeout], [ErrLost] and
// [ErrClosed].
//
// # Tolerance
//
// Encoders are strict. Decoders accept what real programs send, unless Options
// asks for strictness. A table in the documentation of each package lists the
// differences.
//
// # Text
//
// Text is kept byte by byte in Go strings, even if it is not valid UTF-8. It may
// hold control characters: quote it before printing.
//
// # JSON
//
// [MarshalJSON] and [UnmarshalJSON] convert messages to JSON and back without
// loss. Golden files have this form, and gamequery prints it.
//
// # Layouts
//
// The package documentation of a codec ends with the layout of each message:
// offset, size and name of each field, with an example. It is made from the golden
// files. The names are those of [Explanation] and [Error].
//
// # Struct literals
//
// Structs may gain fields in any release. Use keyed literals.
package lobbywire
