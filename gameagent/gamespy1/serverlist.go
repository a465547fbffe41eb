package gamespy1

import (
	"bytes"
	"net/netip"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A ServerList answers a [ListRequest] on the same connection. It
// contains IPv4 addresses and ports for queries, and the end mark \final\.
//
//wire:message
type ServerList struct {
	// Servers are the addresses for queries. For the ports of games, see GamePort.
	Servers []netip.AddrPort
}

// serverSize is the size of a server.
const serverSize = 6

// decode ignores bytes after the end of the list; with Options.Strict it refuses them. If a
// stream does not contain the end yet, the error is [lobbywire.ErrTruncated]; with
// Options.Part the list contains the complete servers. More than [MaxServers] servers are
// refused; with Options.Part the list contains the first ones.
func (m *ServerList) decode(r *wire.Reader, o Options) {
	m.Servers = make([]netip.AddrPort, 0, min(r.Len()/serverSize, MaxServers))
	for !r.Failed() {
		if bytes.HasPrefix(r.Peek(), []byte(endMark)) {
			r.In("", -1)
			r.ViewWithin(0, len(endMark), 0, "final")
			decodeEnd(r, o)
			return
		}
		if o.Part && (r.Len() < serverSize || bytes.HasPrefix([]byte(endMark), r.Peek())) {
			r.In("", -1)
			r.Skip(r.Len(), "ignored")
			return
		}
		full := len(m.Servers) == MaxServers && r.Len() >= len(endMark)
		if full && o.Part {
			r.In("", -1)
			r.Skip(r.Len(), "ignored")
			return
		}
		r.In("servers", len(m.Servers))
		if full {
			r.Exceed("", r.Offset(), MaxServers+1, MaxServers)
		}
		addr := r.IPv4("addr")
		m.Servers = append(m.Servers, netip.AddrPortFrom(addr, r.Uint16("port")))
	}
}

// append fails if an address is not IPv4, if a port is 0, or if there are more
// than [MaxServers] servers. It also fails if a server and the next byte spell
// the end of the list, as 92.102.105.110:24940 does before a server whose address
// starts with 92 and at the end of the list.
func (m *ServerList) append(w *wire.Writer) {
	if len(m.Servers) > MaxServers {
		w.Exceed("servers", len(m.Servers), MaxServers)
		return
	}
	for i, s := range m.Servers {
		w.In("servers", i)
		if !s.Addr().Is4() {
			w.Refuse("addr", "not IPv4")
			break
		}
		if s.Port() == 0 {
			w.Refuse("port", "missing")
		}
		ip := s.Addr().As4()
		if ip == [4]byte([]byte(endMark)) && s.Port() == 'a'<<8|'l' && m.beforeSlash(i) {
			w.Refuse("", "equals the end mark of the list")
		}
		w.Bytes(ip[:])
		w.Uint16(s.Port())
	}
	w.Text(endMark)
}

// beforeSlash reports whether a backslash follows server i.
func (m *ServerList) beforeSlash(i int) bool {
	i++
	if i == len(m.Servers) {
		return true
	}
	next := m.Servers[i].Addr()
	return next.Is4() && next.As4()[0] == slash
}

// IsListComplete reports whether a stream with a [ServerList] needs no
// more bytes: b ends as a list does, or is longer than any list. It examines only
// the end of b.
func IsListComplete(b []byte) bool {
	n := len(b) - len(endMark)
	return n > MaxServers*serverSize || n >= 0 && n%serverSize == 0 && string(b[n:]) == endMark
}
