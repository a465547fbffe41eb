package gamespy2net

import (
	"cmp"
	"log/slog"
	"net/netip"
	"sync/atomic"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/internal/stream"
)

// A listServer serves the lists of a catalogue to clients, and forwards their messages to
// servers.
type listServer struct {
	catalogue *catalogue
	logger    *slog.Logger // nil is silent

	conns    stream.Server
	requests limit.Limiter
	filters  limit.Limiter // of the steps of filters
	slots    chan struct{} // limits the lists that are filtered at the same time

	maxSubscribers atomic.Int64
	subscribers    atomic.Int64

	// As in MasterStats.
	lists, refused, costly, pushed, rules, messages atomic.Uint64

	send    func(local netip.Addr, to netip.AddrPort, b []byte) (ok bool) // over the socket of servers
	lastID  atomic.Uint32                                                 // of a forwarded message
	unacked unacked
}

func (l *listServer) setLimits(to MasterLimits) {
	l.requests.Set(limit.RatesOf(to.Lists, lobbywire.Rates{PerSource: 10, PerPrefix: 40, Global: 1000}))
	filters := limit.RatesOf(to.Filters, lobbywire.Rates{PerSource: 20e6, PerPrefix: 50e6, Global: 400e6})
	filters.PerSource.Burst *= 5 // lists of 100 000 servers
	filters.PerPrefix.Burst *= 2
	l.filters.Set(filters)
	l.maxSubscribers.Store(int64(cmp.Or(to.MaxSubscribers, 1000)))
	l.conns.SetLimits(to.Conns)
}
