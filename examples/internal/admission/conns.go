package admission

import (
	"cmp"
	"container/list"
	"math/rand/v2"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire/internal/source"
)

// ConnLimits limits the connections of each listener. 0 means a default.
type ConnLimits struct {
	Max        int // in total; 4096
	PerAddress int // of a client; 64
	PerPrefix  int // 512
}

// Conns are ConnLimits that may change while listeners use them. The zero value has the
// defaults.
type Conns struct{ limits atomic.Pointer[ConnLimits] }

// Set sets the limits. Connections beyond a lower one stay open.
func (c *Conns) Set(l ConnLimits) { c.limits.Store(&l) }

// grace is how long a connection may wait for a request before another may take its
// place. Clients send the first one at once.
const grace = time.Second

// Listener returns l with limits on its connections.
func (d *Limiter) Listener(l net.Listener, conns *Conns) net.Listener {
	d.start()
	limited := &listener{Listener: l, limiter: d, conns: conns, groups: make(map[key]*group)}
	limited.setLimits(ConnLimits{})
	return limited
}

func (l *listener) setLimits(to ConnLimits) {
	most := ConnLimits{
		Max:        cmp.Or(to.Max, 4096),
		PerAddress: cmp.Or(to.PerAddress, 64),
		PerPrefix:  cmp.Or(to.PerPrefix, 512),
	}
	l.limits = [...]int{ofAll: most.Max, ofClient: most.PerAddress, ofPrefix: most.PerPrefix}
	l.beyond.Max = max(most.Max/8, 1)
	l.beyond.MaxPerAddress = most.PerAddress
	l.beyond.MaxPerPrefix = max(most.PerPrefix/8, most.PerAddress)
}

// A listener accepts connections.
type listener struct {
	net.Listener
	limiter *Limiter
	conns   *Conns

	mu     sync.Mutex
	latest *ConnLimits // of conns
	limits [scopeCount]int
	groups map[key]*group
	open   []*conn        // in the groups, in no particular order
	beyond source.Counter // connections beyond the limits, which get 429
}

// A scope is the set of addresses that a limit applies to.
type scope int

const (
	ofClient scope = iota
	ofPrefix
	ofAll
	scopeCount
)

// A key identifies a group.
type key struct {
	scope scope
	block uint64
}

// A group is the connections of a client, of a prefix, or of all.
type group struct {
	open    int
	waiting list.List // of *conn, longest first
}

// Accept returns the next connection that gets an answer.
func (l *listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		from := addrOf(c)
		admitted, closed := l.admit(c, from)
		if closed.IsValid() {
			l.limiter.note(Closed, closed)
		}
		if admitted != nil {
			return admitted, nil
		}
		c.Close()
	}
}

func addrOf(c net.Conn) netip.Addr {
	peer, _ := c.RemoteAddr().(interface{ AddrPort() netip.AddrPort })
	if peer == nil {
		return netip.Addr{}
	}
	return peer.AddrPort().Addr().Unmap().WithZone("")
}

// admit counts a connection, or returns nil if there is no room for it. It also returns the
// client of the connection that must be closed, or that it has closed to make room, if any.
func (l *listener) admit(c net.Conn, from netip.Addr) (admitted *conn, closed netip.Addr) {
	admitted = &conn{Conn: c, listener: l, from: from, keys: l.keysOf(from)}
	l.mu.Lock()
	defer l.mu.Unlock()
	if latest := l.conns.limits.Load(); latest != l.latest {
		l.latest = latest
		l.setLimits(*latest)
	}
	now := time.Now()
	for _, k := range admitted.keys {
		g := l.groups[k]
		if g == nil || g.open < l.limits[k.scope] || l.closeLongest(g, now) {
			continue
		}
		if k.scope == ofAll {
			closed = l.closeOfLargest(admitted)
		}
		if !closed.IsValid() {
			admitted.isBeyond = true
			break
		}
	}
	switch {
	case !admitted.isBeyond:
		admitted.enter()
		admitted.wait(now)
	case !l.beyond.Add(from):
		return nil, from
	}
	return admitted, closed
}

// keysOf returns the groups of a client. Connections of trusted proxies only count in
// total.
func (l *listener) keysOf(from netip.Addr) []key {
	if !from.IsValid() || l.limiter.trusts(from) {
		return []key{{scope: ofAll}}
	}
	s := source.Of(from)
	return []key{{ofClient, s}, {ofPrefix, source.Prefix(s)}, {scope: ofAll}}
}

// closeLongest closes the connection of a group that has waited longest, if one has
// waited for a while.
func (l *listener) closeLongest(g *group, now time.Time) bool {
	first := g.waiting.Front()
	if first == nil {
		return false
	}
	c := first.Value.(*conn)
	if now.Sub(c.since) < grace {
		return false
	}
	c.leave()
	c.Conn.Close()
	l.limiter.closed.Add(1)
	return true
}

// closeOfLargest closes a connection, busy or not, of a prefix with many connections, if
// the prefix has more than twice as many as the prefix of the other connection would have.
// It returns the client of the closed one.
func (l *listener) closeOfLargest(other *conn) (client netip.Addr) {
	const samples = 8 // of all connections; most are from the largest prefixes
	var of *conn
	for range samples {
		c := l.open[rand.IntN(len(l.open))]
		if of == nil || l.neighbours(c) > l.neighbours(of) {
			of = c
		}
	}
	if l.neighbours(of) <= 2*(l.neighbours(other)+1) {
		return netip.Addr{}
	}
	of.leave()
	of.Conn.Close()
	return of.from
}

// neighbours returns the number of connections in the prefix of c, or 0 for a connection
// of a proxy.
func (l *listener) neighbours(c *conn) int {
	for _, k := range c.keys {
		if g := l.groups[k]; k.scope == ofPrefix && g != nil {
			return g.open
		}
	}
	return 0
}
