package gamespy1net

import (
	"log/slog"
	"sync/atomic"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/internal/serverlist"
	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A listServer sends the lists to clients and other masters: the list of GameAgent in
// datagrams, and those of games over connections.
type listServer struct {
	list   *serverlist.List
	sync   *syncer       // knows the other masters
	proven *limit.Proven // prefixes of clients with a connection
	logger *slog.Logger  // nil is silent

	conns   stream.Server
	limiter limit.Limiter // of datagrams
	packets atomic.Int64  // MaxListPackets or its default

	// As in MasterStats.
	gameAgentLists, gameSpyLists, wrong atomic.Uint64
}

func (l *listServer) setLimits(to MasterLimits) {
	l.limiter.Set(limit.RatesOf(to.Lists, lobbywire.Rates{PerSource: 16, PerPrefix: 400, Global: 10_000}))
	l.packets.Store(int64(wire.Limit(to.MaxListPackets, 16)))
	l.conns.SetLimits(to.Conns)
}

// sendList answers with the list of GameAgent. While a flood takes most of the limit, a
// client gets a part of a long list, and another part if it repeats its request.
func (l *listServer) sendList(p *serverlist.Packet, dst [][]byte) [][]byte {
	return l.list.AppendList(dst, p.Now, func(all int) int {
		n := min(all, int(l.packets.Load()))
		if n > 0 {
			n = l.limiter.AllowSome(p.From.Addr(), n, p.Now)
		}
		if n > 0 {
			l.gameAgentLists.Add(1)
		}
		return n
	})
}
