package admission

import (
	"container/list"
	"context"
	"net"
	"net/http"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/refusals"
)

// A conn is a connection of a listener, which counts until it is closed. The mutex of the
// listener guards the fields that change.
type conn struct {
	net.Conn
	listener *listener
	from     netip.Addr
	keys     []key
	isBeyond bool // the limits; it is in no group

	place  int             // in open of the listener
	places []*list.Element // in the groups, while it waits for a request
	since  time.Time       // when it began to wait
	gone   bool            // it no longer counts

	begun bool // something has been read
}

// Read reports a client whose first bytes are of another protocol than HTTP, maybe over
// TLS: the server answers it and says nothing.
func (c *conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 && !c.begun {
		c.begun = true
		other, refused := refusals.ProtocolOf(b[:n]), c.listener.limiter.Refused
		if other != nil && other != refusals.ErrHTTP && other != refusals.ErrTLS && refused != nil {
			refused(lobbywire.Refusal{From: netip.AddrPortFrom(c.from, 0), Reason: lobbywire.ReasonProtocol, Err: other})
		}
	}
	return n, err
}

func (c *conn) enter() {
	l := c.listener
	c.place = len(l.open)
	l.open = append(l.open, c)
	for _, k := range c.keys {
		g := l.groups[k]
		if g == nil {
			g = new(group)
			l.groups[k] = g
		}
		g.open++
	}
}

func (c *conn) leave() {
	c.gone = true
	c.stopWaiting()
	l := c.listener
	last := len(l.open) - 1
	l.open[c.place] = l.open[last]
	l.open[c.place].place = c.place
	l.open[last] = nil
	l.open = l.open[:last]
	for _, k := range c.keys {
		g := l.groups[k]
		g.open--
		if g.open == 0 {
			delete(l.groups, k)
		}
	}
}

func (c *conn) wait(now time.Time) {
	c.since = now
	for _, k := range c.keys {
		c.places = append(c.places, c.listener.groups[k].waiting.PushBack(c))
	}
}

func (c *conn) stopWaiting() {
	for i, place := range c.places {
		c.listener.groups[c.keys[i]].waiting.Remove(place)
	}
	c.places = c.places[:0]
}

// Close closes the connection.
func (c *conn) Close() error {
	l := c.listener
	l.mu.Lock()
	switch {
	case c.gone:
	case c.isBeyond:
		c.gone = true
		l.beyond.Remove(c.from)
	default:
		c.leave()
	}
	l.mu.Unlock()
	return c.Conn.Close()
}

// CloseWrite ends what the server sends, so that clients that still send receive the
// answer.
func (c *conn) CloseWrite() error {
	half, ok := c.Conn.(interface{ CloseWrite() error })
	if !ok {
		return nil
	}
	return half.CloseWrite()
}

// setState is for the field ConnState of a server.
func setState(of net.Conn, state http.ConnState) {
	c := connOf(of)
	if c == nil || c.isBeyond {
		return
	}
	c.listener.mu.Lock()
	defer c.listener.mu.Unlock()
	if c.gone {
		return
	}
	switch state {
	case http.StateActive:
		c.stopWaiting()
	case http.StateIdle:
		c.stopWaiting()
		c.wait(time.Now())
	}
}

// connOf returns the conn that a server knows, maybe below TLS, or nil.
func connOf(of net.Conn) *conn {
	if over, ok := of.(interface{ NetConn() net.Conn }); ok {
		of = over.NetConn()
	}
	c, _ := of.(*conn)
	return c
}

type connKey struct{}

// withConn is for the field ConnContext of a server.
func withConn(ctx context.Context, of net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, connOf(of))
}

// isBeyond reports whether the connection of a request is beyond the limits.
func isBeyond(ctx context.Context) bool {
	c, _ := ctx.Value(connKey{}).(*conn)
	return c != nil && c.isBeyond
}
