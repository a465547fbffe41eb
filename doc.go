// Package lobbywire is the root of a library for the protocols that discover and
// query game servers. It declares what all codecs share: the type [Error] with five
// kinds of errors, [Explanation] and [View]. It also declares what all helpers share:
// errors, limits and statistics.
//
// # Packages
//
// Codecs convert messages between bytes and Go values:
//
//	sqp                 Server Query Protocol of Unity and Multiplay, UDP
//	gamespy2            GameSpy "FE FD" queries of Battlefield 2 and others, UDP
//	gamespy2/qr2        registration of such servers with a GameSpy master, UDP
//	gamespy2/sb2        the lists of GameSpy masters (server browsing, version 2), TCP
//	gamespy2/filter     the filters in requests for such lists, text
//	gameagent           Serious Engine GameAgent, masters and servers, UDP
//	gameagent/gamespy1  the first GameSpy protocol, of Unreal, Deus Ex and others:
//	                    queries, registration, lists of masters, UDP and TCP
//	bomberman           length-prefixed JSON, management and game servers, TCP
//	warzone             Warzone 2100 lobby of versions 2.0 to 4.6, TCP
//	warzone/wzhttp      Warzone 2100 lobby of version 4.7 and later, JSON over HTTP
//	warzone/wzproposal  the text and the binary proposal for a new lobby, TCP
//	warzone/wzjson      the JSON proposal, TCP
//
// The proposals date from 2009 and were never deployed. They and their helper may change in
// any release.
//
// Helpers add sockets. Each is in a subdirectory of its codec:
//
//	sqp/sqpnet              game server; client that queries or scans
//	gamespy2/gamespy2net    game server; registration; master; client
//	                        that queries, scans, discovers or fetches lists
//	gameagent/gameagentnet  game server; registration; client
//	gameagent/gamespy1/gamespy1net
//	                        game server; registration; master, of gamespy1 and gameagent;
//	                        client that queries, scans or
//	                        fetches lists
//	bomberman/bombermannet  management server; registrar; client; connection
//	                        between a game server and a player
//	warzone/warzonenet      lobby of 2.0 to 4.6; host; client
//	warzone/wzhttp/wzhttpnet
//	                        lobby, host and client of 4.7
//	warzone/wzproposal/proposalnet
//	                        lobby, host and client of the three proposals
//
// Package warzone/warzonegames holds the list of games that all lobbies of Warzone 2100 can
// share. Package warzone/wzhttp/wzsign signs and verifies what hosts and players of 4.7
// prove.
//
// # Terms
//
//	master       a server that lists game servers. Game servers register with it,
//	             and clients fetch its list. Warzone 2100 calls it a lobby, and
//	             Bomberman a management server.
//	host         the program that runs a Warzone game and registers it with a lobby
//	query port   the UDP port at which a game server answers queries; often not
//	             the port of the game
//	source       the sender of requests, as rate limits count it: an IPv4 address or
//	             an IPv6 /64
//	prefix       a network, as rate limits count it: an IPv4 /24 or an IPv6 /48
//	verified     a source that has returned a token or challenge sent to its address.
//	             The address of an unverified UDP request may be forged.
//	node         one of several processes that share the list of a master
//	golden file  a test vector: the bytes of a message and its value as JSON
//	Strict       the option that makes decoders refuse what the specification forbids
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
//	X.AppendBinary(b)  appends the wire form. If the format cannot carry a field,
//	                   it returns an error and b unchanged; it never clips.
//	Options.ParseX     decodes with other limits, or strictly. The zero Options
//	                   is the default of ParseX. Messages that no option changes
//	                   lack such a method.
//	Explain[X](b)      decodes b as ParseX does and accounts for every byte, as in
//	                   sqp.Explain[sqp.QueryRequest](datagram). ExplainWith[X] does
//	                   so with Options.
//	Framer             splits a stream that arrives in parts into frames, which are parts of the
//	                   slice given. It does not read the start of a frame again for
//	                   each part.
//	NextFrame(b, limit)
//	                   cuts a frame that starts with its length off b. Its result is a
//	                   part of b. A limit of 0 means the default.
//	AppendFrame        appends a frame.
//	X.Packets()        splits a message into datagrams.
//	Assembler          joins the datagrams of a split message.
//	Extra              holds well-formed data that the package does not know,
//	                   verbatim. AppendBinary sends it again.
//	X.Lookup(key)      returns the value of a key of the wire, with or without a field of
//	                   its own.
//	X.View()           describes a server for players, as a [View], which has the
//	                   same form for all protocols.
//	MaxX               is a limit, either of the format or our own; its comment
//	                   says which.
//
// # Helpers
//
// Helpers have the shape of net/http: structs that are configured through
// fields. The zero value is ready once a required address is set. The same names
// have the same meaning in all packages:
//
//	Serve(socket)      serves until Shutdown or Close. It owns the socket or
//	                   listener and closes it. Its error is never nil; after
//	                   Shutdown or Close it is ErrClosed. Over UDP it answers from
//	                   the address that a request was sent to; see below.
//	Shutdown(ctx)      stops serving once pending requests are answered. Close
//	                   stops at once.
//	Respond(from, request, dst)
//	                   appends the datagrams that answer a request to dst, or
//	                   none, for programs with a loop of their own: it needs no
//	                   socket or goroutine. Serve calls it too. It reuses the memory
//	                   of slices between len(dst) and cap(dst), so a loop that passes
//	                   dst[:0] of the last result allocates nothing. The caller must
//	                   send the datagrams from the address at which the request
//	                   arrived, as Serve does. It also reports whether the datagram
//	                   is of the protocol, answered or not: a program passes others
//	                   on, see below.
//	Set(state)         replaces the state that a server or host reports. On
//	                   error, the state is unchanged.
//	SetView(view)      sets the state from any [View], for games that use several
//	                   protocols; see below.
//	Refresh            is a function of the program that calls Set or SetView of a UDP
//	                   server, for programs that can describe the game at any moment.
//	                   It is called for the first datagram and before the state is sent
//	                   to a client or a master, but at most ten times a second, and a
//	                   slow one at most half of the time. One goroutine at a time calls
//	                   it, that of Serve, Respond, Run or Tick, and waits for it; others
//	                   use the last state. It must not call these, Shutdown or Close.
//	Run(ctx)           keeps a game listed until ctx is done. Renew of registrations
//	                   over UDP registers at once. Set and SetView report changes to the
//	                   master as soon as its protocol allows.
//	Status()           returns a [RegistrationStatus]: whether the master lists the game
//	                   and, if not, why. Changed is a function of the program that
//	                   receives each new status. One goroutine calls it, without holding
//	                   a lock. A repeated failure is not a change.
//	Client             sends queries. It holds no socket between calls. Its Options are
//	                   the codec's, except those that its requests determine.
//	ScanViews          queries many servers, with results in one form for all
//	                   protocols.
//	ListViews          fetches the list of a master, with a result in one form for all
//	                   protocols. A [Browser] fetches several lists, queries several
//	                   protocols at once, and merges the results for each server.
//	Listing.Targets    returns the servers of a master's list that may be queried. A
//	                   list cannot direct a flood at others: see [ListResult.Targets].
//	Listing.Views()    returns the servers of a master's list in the form of a View.
//	Listing.Partial    reports that the list ended early: a limit or a deadline cut it,
//	                   or the connection broke. The Listing then holds the entries that
//	                   arrived, and the error is nil; if none arrived, there is only an
//	                   error. A list of bomberman or wzproposal is one message, so it is
//	                   either complete or an error.
//	Stats()            returns counters. It may be called at any time.
//	Limits             bounds the resources that peers may use. A zero field means
//	                   the documented default, and a negative one admits nothing.
//	                   For no limit, set [NoLimit]. SetLimits replaces it at any
//	                   time; entries beyond a lower limit stay.
//	Store              shares the list of a master between nodes, as [Store].
//	Admit              is a function of the program that reports whether a master or
//	                   lobby lists an entry. Other entries are withheld: they are in no
//	                   list, but otherwise treated as usual. They are shared, count
//	                   towards the limits, and are returned by Servers or All, marked
//	                   as Withheld. nil admits all. Admit is called for every new or
//	                   changed entry, here or in the Store, and sometimes without a
//	                   change. One goroutine at a time calls it while others wait, so it
//	                   must be quick and must not call the master.
//	Review(keys...)    calls Admit again for the entries with the keys or, without keys,
//	                   for all entries, after the rules of Admit have changed. It blocks
//	                   the master only for a few hundred calls of Admit at a time.
//	Refused            is a function of the program that receives a [Refusal] for each
//	                   server or game that a master or lobby does not list, except those
//	                   that Admit withholds, and also while a server is pending, as most
//	                   are before they are listed: see [Reason.Pending]. It is called at
//	                   most 16 times a second for a source, 64 times for a prefix and 256
//	                   times in total, and four times as often for pending servers. In a
//	                   flood it therefore misses some; the next Refusal counts them in
//	                   Missed. Several goroutines may call it at once. It must be quick
//	                   and must not call the master. A datagram dropped by a rate limit
//	                   is not a refusal.
//	Logger             logs nothing if nil. Texts from peers are not logged, except
//	                   a lobby's reason for refusing a game, which is quoted.
//
// Several goroutines may call Respond, Tick, Leave and the other methods of a helper at once.
//
// # One port
//
// Servers of several protocols and the game itself can share a UDP port. A loop tries one after
// the other; the protocol with the strictest form comes first, and the game last:
//
//	answers, ok := gamespy.Respond(from, datagram, answers[:0]) // a gamespy2net.Server
//	if !ok {
//		answers, ok = queries.Respond(from, datagram, answers[:0]) // a sqpnet.Server
//	}
//	if !ok {
//		game.receive(from, datagram)
//	}
//
// Serve does the same with its field Other, a function that receives the datagrams of other
// protocols; the example named OnePort is a whole game. That is shorter unless a game has a loop
// already. Pass datagrams from the master of a Registration to Respond of its Server.
//
// # Local addresses
//
// A machine may have several addresses. Clients, routers and firewalls accept an answer only from
// the address that the request was sent to. If the socket of a UDP server or master is bound to
// all addresses, as by ":27900", it therefore answers from the address at which the request
// arrived, and a master also sends challenges, checks and messages to a server from the address
// at which its heartbeat arrived. The socket must be a *net.UDPConn. This works on Linux and
// where golang.org/x/net supports it: on macOS and Solaris, and on other Unix systems over IPv6.
// On other systems, and for a loop that calls Respond, the operating system chooses the address,
// so use one socket for each address.
//
// Clients and registrations send first, from the address that the operating system chooses
// or that their socket is bound to. A connection over TCP has one local address.
//
// # SetView
//
// Set is strict: it fails if the wire cannot carry the state. SetView never fails, whatever
// names players choose: each server reports as much of the [View] as its protocol can carry, and
// documents where each field goes. The rules are the same for all:
//
//   - Texts are converted to valid UTF-8, see [UTF8]. A question mark replaces each
//     character that the protocol cannot carry. Texts that are too long are cut off
//     between characters.
//   - Numbers beyond the range of the protocol become the nearest number in it, and
//     unknown numbers 0. [View.Counts] describes Players and Max.
//   - If the answer is too long, the Rules of players are left out first, key by key (as
//     "roster.rules"), then entries at the end of Roster, then those of other lists. Players
//     still counts all players.
//
// SetView returns the names of the fields that it has changed, as in the JSON form of a View,
// such as "roster[2].name" or "rules", or nil if all are reported unchanged. It does not return
// fields for which the protocol has no place.
//
// # Errors
//
// ParseX and AppendBinary fail with an [*Error] that wraps one of [ErrTruncated],
// [ErrTrailing], [ErrTooLarge], [ErrInvalid] and [ErrUnsupported]. If a longer input
// could be valid, the error is ErrTruncated: a stream reader must then read more. All
// helpers use [ErrTimeout], [ErrChallengeOnly], [ErrUnreadable], [ErrLost], [ErrRefused] and
// [ErrClosed]; some packages declare more.
//
// # Tolerance
//
// Encoders are strict. Decoders accept what real programs send, unless Options
// asks for strictness. The section Strictness of each codec lists the differences.
//
// # Text
//
// Strings hold the bytes of the wire, even if these are not valid UTF-8. They may
// contain control characters: quote them before printing. The texts of a View are
// valid UTF-8; [UTF8] converts other texts.
//
// # JSON and gob
//
// Package encoding/json writes and reads a [View]. The program gamequery decodes
// messages to JSON and encodes them again without loss, in the form of the golden
// files.
//
// A type has both MarshalBinary and UnmarshalBinary or neither, because encoding/gob cannot read
// what it writes with MarshalBinary alone. Entries of Stores have both. Messages have neither,
// because some are read only with Options or a request: gob writes their fields. It reads a
// pointer to 0 as nil; JSON changes texts that are not UTF-8.
//
// # Layouts
//
// The package documentation of a codec ends with the layout of each message:
// offset, size and name of each field, with an example. It is generated from the
// golden files. [Explanation] and [Error] use the same names.
//
// # Compatibility
//
// Until version 1, names may change, and CHANGELOG lists each change. From version 1 on,
// these stay as they are: exported names and their meaning, the kinds of errors, the JSON of
// a [View], the binary form of the entries of Stores, the flags and the JSON of the programs,
// and the data that lobbyd saves. Structs may gain fields in any release: use keyed literals.
// The proposals of 2009 are excepted.
package lobbywire
