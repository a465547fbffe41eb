package api

import (
	"container/list"
	"net"
	"net/http"
	"sync"
)

// maxConnections is the maximum number of open connections. A game needs one.
const maxConnections = 256

// A crowd bounds the open connections of a server. A new connection beyond the limit
// replaces the connection whose last change is oldest. So a game can always connect,
// however many connections others keep open.
type crowd struct {
	mu   sync.Mutex
	all  list.List // of net.Conn, the longest unchanged first
	find map[net.Conn]*list.Element
}

// note notes that a connection is now in another state, and closes the oldest if there are
// too many.
func (c *crowd) note(conn net.Conn, now http.ConnState) {
	if oldest := c.enter(conn, now); oldest != nil {
		oldest.Close()
	}
}

// enter returns the connection to close, if any.
func (c *crowd) enter(conn net.Conn, now http.ConnState) (oldest net.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.find == nil {
		c.find = make(map[net.Conn]*list.Element)
	}
	at, known := c.find[conn]
	switch {
	case now == http.StateClosed || now == http.StateHijacked:
		if known {
			c.all.Remove(at)
			delete(c.find, conn)
		}
	case known:
		c.all.MoveToBack(at)
	default:
		c.find[conn] = c.all.PushBack(conn)
		if c.all.Len() > maxConnections {
			oldest = c.all.Remove(c.all.Front()).(net.Conn)
			delete(c.find, oldest)
		}
	}
	return oldest
}
