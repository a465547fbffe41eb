package gamespy2net

import "github.com/lobbywire/lobbywire"

// MasterLimits bounds the resources of a [Master] that servers and clients may
// use. A zero field means the default.
type MasterLimits struct {
	// Rates limit the requests of servers, except heartbeats of listed servers without a
	// change and correct answers to challenges. With the defaults, as many servers as may
	// be listed can register at once: four times MaxPerAddress a second for a source, at
	// least 100, four times MaxPerPrefix for a prefix, at least 800, and 10 000 in total.
	// Listed servers have separate limits of the same size.
	lobbywire.Rates

	// Conns limits the connections of clients. Each needs a goroutine. By
	// default First, Frame and Write are 10 s; Idle is 2 min, and subscribers answer a
	// keepalive every 40 s; MaxConns is 10 000, MaxPerAddress 32, such as a household,
	// MaxPerPrefix 128 and MaxBuffered 4 MiB.
	Conns lobbywire.ConnLimits

	// Lists limits the requests of clients, over all their connections: for lists, for
	// the rules of a server, and messages to servers. The defaults are 10 a second for a
	// source, 40 for a prefix and 1000 in total. A client with more requests is
	// disconnected.
	Lists lobbywire.Rates

	// Filters limits the work for the filters of clients, for lists and for changes, in
	// steps a second of about a nanosecond each. The defaults are 20 million for a source,
	// 50 million for a prefix and 400 million in total. The burst is five times as much for
	// a source, and twice as much for a prefix. Beyond the limits, a list is refused, and a
	// client that receives changes is disconnected, as is a client whose filter needs more
	// than 65 536 steps for a server.
	Filters lobbywire.Rates

	MaxSubscribers int // connections that receive changes; further clients receive only lists; by default 1000

	MaxServers    int // in total; by default 65 536, as many as [Client.List] accepts
	MaxPerAddress int // servers of an IPv4 address; by default 64
	MaxPerPrefix  int // servers of an IPv4 /24, such as a hosting provider; by default 256
}
