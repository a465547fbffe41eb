// Package lobbywire is the root of a library of wire formats by which game
// servers are found and queried. It holds what all codecs share: [Error] with
// its five kinds, and [Explanation], a packet taken apart.
//
// # Packages
//
//	sqp            Server Query Protocol of Unity and Multiplay, UDP
//	gamespy2       GameSpy "FE FD" queries of Battlefield 2 and many others, UDP
//	gameagent      Serious Engine GameAgent: master and servers, UDP
//	bomberman      length-prefixed JSON: management server and game server, TCP
//	warzone        Warzone 2100 lobby as deployed since 2005, TCP
//	warzone/wzproposal, wzjson
//	               the three protocols proposed to replace it: text and
//	               binary, JSON; TCP
//
// They are codecs. Helpers that own sockets are beside them:
//
//	sqp/sqpnet              server; client that asks one or scans thousands
//	gamespy2/gamespy2net    the same, and looking for servers on a local network
//	gameagent/gameagentnet  the same, and registration, master and its list
//	bomberman/bombermannet  management server, registration, its list, and both
//	                        ends of a connection to a game server
//	warzone/warzonenet      lobby, host and its list, of the game's protocol and
//	                        of the three proposals, over one list of games
//
// # Helpers
//
// Helpers are shaped as net/http is: structs whose zero value is useful but for
// addresses that nobody else can know, and whose fields are the settings. The
// same names mean the same in each:
//
//	Serve(x)           serves on a socket or listener of the caller's, which it
//	                   closes. Its error is never nil: ErrClosed after
//	                   Shutdown and Close.
//	Shutdown(ctx)      ends it once what was asked is answered; Close at once.
//	Respond(...)       is one step of it, for a game with a loop of its own. It
//	                   starts no goroutine and opens no socket.
//	Set(state)         says what is told from now on; it refuses what cannot be
//	                   sent, and then changes nothing.
//	Run(ctx)           keeps a game listed until ctx is done.
//	Client             asks. It holds no socket between calls.
//	Stats()            counts, and may be called at any time.
//	Store              shares the list of a master between nodes.
//	Logger             is silent if nil, and is never told what a peer sent.
//
// # The contract
//
// Every codec is pure: bytes to values and values to bytes. It opens
// no socket, reads no clock, starts no goroutine and holds no mutable state,
// so every function may be called from any goroutine. The same names mean the
// same in each:
//
//	ParseX(b)          reads one whole message. The result owns its memory: b
//	                   is neither kept nor changed. It is a value or an error,
//	                   never both.
//	X.AppendBinary(b)  appends the wire form. It refuses what the wire cannot
//	                   carry, naming the field, and then returns b as given; it
//	                   never clips. MarshalBinary and UnmarshalBinary wrap it
//	                   and ParseX.
//	Options.ParseX     reads with other limits, or strictly. The zero Options
//	                   is plain ParseX.
//	ExplainX(b)        reads as ParseX does and accounts for every byte.
//	NextFrame, SplitFrames, AppendFrame
//	                   cut and build frames of a stream, on byte slices.
//	Assembler          joins an answer that was split over packets.
//	Extra              holds what was well-formed and not understood, verbatim;
//	                   AppendBinary sends it again.
//	MaxX               is a limit; its comment says whose.
//
// # Errors
//
// Each error is an [*Error] and wraps one of [ErrTruncated], [ErrTrailing],
// [ErrTooLarge], [ErrInvalid] and [ErrUnsupported]. ErrTruncated is a law: it
// is returned if and only if a longer input could be valid, so a stream reader
// knows when to wait for more.
//
// # Tolerance
//
// Encoders are strict. Decoders accept what real peers send, as the table in
// each package documentation lists, unless Options asks for strictness.
//
// # Text
//
// Text is kept byte by byte in Go strings, even where it is not valid UTF-8:
// decoding loses nothing. Text of unknown origin may hold control characters;
// quote it before printing.
//
// # JSON
//
// [MarshalJSON] and [UnmarshalJSON] convert messages to JSON and back without
// loss. The golden files have this form, and gamequery prints it.
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
