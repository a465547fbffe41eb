package wzhttpnet

import (
	"cmp"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/source"
	"github.com/lobbywire/lobbywire/warzone/internal/serving"
)

// admissions returns the counters of connections that Limit describes.
func admissions(limits lobbywire.ConnLimits) [admissionCount]source.Counter {
	all := connCounter(limits)
	beyond := all
	beyond.Max = share(all.Max+7, 8)
	return [...]source.Counter{
		kept:    half(all, 1),
		brief:   half(all, 0), // without the middle of an odd limit
		refused: beyond,
	}
}

// defaultLimits returns the defaults for zero limits of connections.
func defaultLimits() lobbywire.ConnLimits {
	l := serving.DefaultLimits()
	l.First = 5 * time.Second
	l.Idle = 75 * time.Second // hosts send something at least every 30 s
	l.Write = 30 * time.Second
	return l
}

// connCounter returns a counter within the limits of connections.
func connCounter(limits lobbywire.ConnLimits) source.Counter {
	byDefault := defaultLimits()
	return source.Counter{
		Max:           cmp.Or(limits.MaxConns, byDefault.MaxConns),
		MaxPerAddress: cmp.Or(limits.MaxPerAddress, byDefault.MaxPerAddress),
		MaxPerPrefix:  cmp.Or(limits.MaxPerPrefix, byDefault.MaxPerPrefix),
	}
}

// half returns a counter with half of the limits. It rounds them up if up is 1.
func half(c source.Counter, up int) source.Counter {
	return source.Counter{
		Max:           share(c.Max+up, 2),
		MaxPerAddress: share(c.MaxPerAddress+up, 2),
		MaxPerPrefix:  share(c.MaxPerPrefix+up, 2),
	}
}

// share returns the n-th part of a limit, or a limit that admits nothing.
func share(limit, n int) int {
	return cmp.Or(max(limit, 0)/n, -1) // 0 would be no limit
}

// An admission says how the requests of a connection are answered.
type admission uint8

const (
	kept    admission = iota // as usual
	brief                    // one request, then the connection is closed
	refused                  // one request, with status 429
	admissionCount
)

// refusedTime is the maximum time of a refused connection.
const refusedTime = 10 * time.Second

type limitedListener struct {
	net.Listener

	conns  *atomic.Pointer[lobbywire.ConnLimits]
	mu     sync.Mutex
	limits *lobbywire.ConnLimits // of open
	open   [admissionCount]source.Counter
}

// Accept returns the next connection that gets an answer.
func (l *limitedListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		peer, _ := c.RemoteAddr().(*net.TCPAddr) // or none: a Unix socket
		from := peer.AddrPort().Addr()
		as, ok := l.admit(from)
		if !ok {
			c.Close()
			continue
		}
		admitted := &admittedConn{Conn: c, listener: l, from: from, as: as}
		if as == refused {
			admitted.end = time.Now().Add(refusedTime)
			admitted.SetDeadline(admitted.end)
		}
		return admitted, nil
	}
}

// admit counts a connection.
func (l *limitedListener) admit(from netip.Addr) (as admission, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if limits := l.conns.Load(); limits != l.limits {
		l.limits = limits
		for i, c := range admissions(*limits) {
			l.open[i].SetLimits(c)
		}
	}
	for as < admissionCount && !l.open[as].Add(from) {
		as++
	}
	return as, as < admissionCount
}

// An admittedConn counts until it is closed.
type admittedConn struct {
	net.Conn
	listener *limitedListener
	from     netip.Addr
	as       admission
	end      time.Time // no deadline is later; zero for none
	once     sync.Once
}

// Close closes the connection.
func (c *admittedConn) Close() error {
	c.once.Do(func() {
		c.listener.mu.Lock()
		defer c.listener.mu.Unlock()
		c.listener.open[c.as].Remove(c.from)
	})
	return c.Conn.Close()
}

// An admittedAddr is the local address of a connection. The server passes it to handlers,
// also over TLS.
type admittedAddr struct {
	net.Addr
	as admission
}

// LocalAddr returns the local address.
func (c *admittedConn) LocalAddr() net.Addr { return admittedAddr{c.Conn.LocalAddr(), c.as} }

// admissionOf returns the admission of the connection of a request.
func admissionOf(r *http.Request) admission {
	addr, _ := r.Context().Value(http.LocalAddrContextKey).(admittedAddr)
	return addr.as
}

// SetDeadline sets the deadlines.
func (c *admittedConn) SetDeadline(t time.Time) error { return c.Conn.SetDeadline(c.sooner(t)) }

// SetReadDeadline sets the deadline for reading.
func (c *admittedConn) SetReadDeadline(t time.Time) error { return c.Conn.SetReadDeadline(c.sooner(t)) }

// SetWriteDeadline sets the deadline for writing.
func (c *admittedConn) SetWriteDeadline(t time.Time) error {
	return c.Conn.SetWriteDeadline(c.sooner(t))
}

// sooner returns the earlier one of a deadline and the end of the connection.
func (c *admittedConn) sooner(t time.Time) time.Time {
	if !c.end.IsZero() && (t.IsZero() || t.After(c.end)) {
		return c.end
	}
	return t
}
