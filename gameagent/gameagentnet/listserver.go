package gameagentnet

import (
	"log/slog"
	"sync/atomic"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A listServer sends the lists of a catalogue to clients, the native list in datagrams and the
// legacy one over connections, and to other masters.
type listServer struct {
	catalogue *catalogue
	sync      *syncer       // has the other masters
	proven    *limit.Proven // prefixes of clients with a connection
	logger    *slog.Logger  // nil is silent

	conns   stream.Server
	limiter limit.Limiter // of datagrams
	packets atomic.Int64  // MaxListPackets or its default

	// As in MasterStats.
	lists, legacyLists, wrong atomic.Uint64
}

func (l *listServer) setLimits(to MasterLimits) {
	l.limiter.Set(limit.RatesOf(to.Lists, lobbywire.Rates{PerSource: 16, PerPrefix: 400, Global: 10_000}))
	l.packets.Store(int64(wire.Limit(to.MaxListPackets, 16)))
	l.conns.SetLimits(to.Conns)
}

// isCut reports whether a list lacks servers. The servers must be locked.
func (l *listServer) isCut() bool {
	if len(l.catalogue.list.packets.datagrams()) > int(l.packets.Load()) {
		return true
	}
	for _, g := range *l.catalogue.games.Load() {
		if len(g.owners) > gamespy1.MaxServers {
			return true
		}
	}
	return false
}

// sendList answers with the list. While a flood takes most of the limit, a client gets a
// part of a long list, and another part when it repeats its request.
func (l *listServer) sendList(p *packet, dst [][]byte) [][]byte {
	l.catalogue.servers.Do(p.now, func(*locked) { dst = l.appendList(p, dst) })
	return dst
}

func (l *listServer) appendList(p *packet, dst [][]byte) [][]byte {
	n := min(len(l.catalogue.list.packets.datagrams()), int(l.packets.Load()))
	if n == 0 {
		return dst
	}
	n = l.limiter.AllowSome(p.from.Addr(), n, p.now)
	if n == 0 {
		return dst
	}
	l.lists.Add(1)
	return l.catalogue.list.appendNext(dst, n)
}
