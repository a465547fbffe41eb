package wzhttpnet

import (
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// requestLimits are the rate limits of requests; the package documentation lists them.
type requestLimits struct{ lists, creates, hosts, joins limit.Limiter }

func (q *requestLimits) init() {
	set := func(l *limit.Limiter, r lobbywire.Rates) { l.Set(limit.RatesOf(lobbywire.Rates{}, r)) }
	set(&q.lists, lobbywire.Rates{PerSource: 8, PerPrefix: 80, Global: 2000})
	set(&q.creates, lobbywire.Rates{PerSource: 8, PerPrefix: 40, Global: 400})
	set(&q.hosts, lobbywire.Rates{PerSource: 64, PerPrefix: 512, Global: 20_000})
	set(&q.joins, lobbywire.Rates{PerSource: 8, PerPrefix: 80, Global: 2000})
}

// allow reports whether a request to an endpoint is within the limits.
func (q *requestLimits) allow(e wzhttp.Endpoint, from netip.Addr) bool {
	l := &q.hosts
	switch e {
	case wzhttp.EndpointList:
		l = &q.lists
	case wzhttp.EndpointCreate, wzhttp.EndpointConnection:
		l = &q.creates
	case wzhttp.EndpointJoin:
		l = &q.joins
	}
	return l.Allow(from, time.Now())
}
