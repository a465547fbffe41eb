package gamespy1net

import "github.com/lobbywire/lobbywire"

// MasterLimits bounds the resources of a [Master] that servers and clients may
// use. A zero field means the default.
type MasterLimits struct {
	// Rates limit requests, except requests for lists, heartbeats of listed servers and
	// correct answers to challenges. With the defaults, as many servers as may be listed
	// can register at once: four times MaxPerAddress a second for a source, at least 100,
	// four times MaxPerPrefix for a prefix, at least 800, and 10 000 in total. Listed
	// servers have separate limits of the same size.
	lobbywire.Rates

	// Lists limits the datagrams of the list of GameAgent. An answer with more datagrams
	// than the limit of a source uses up the whole limit. The defaults are 16 a second for
	// a source, 400 for a prefix and 10 000 in total, which is 10 MB.
	Lists lobbywire.Rates

	// MaxListPackets is the number of datagrams in an answer of GameAgent, with up to 170
	// servers each; by default 16. If the list is longer, each answer continues
	// where the last one ended, as the lists of games with more than 65 536 servers do.
	MaxListPackets int

	// Conns limits the connections of ServeLists. By default MaxConns is 4096,
	// MaxPerAddress 32 and MaxPerPrefix 256; First, Frame and Write are 10 s. A
	// connection lasts at most 30 s.
	Conns lobbywire.ConnLimits

	MaxServers    int // in total; by default 65 536, the most that the list of a game can contain
	MaxPerAddress int // servers of an IPv4 address; by default 64
	MaxPerPrefix  int // servers of an IPv4 /24; by default 256
}
