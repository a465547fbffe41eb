package gameagent

import (
	"math"
	"net/netip"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A ServerList is one packet of the answer to a [ListRequest]. It contains the IPv4
// addresses and the ports of games. A long list consists of several packets, which are not
// numbered, and the last one is not marked. A [ListAssembler] joins them.
//
//wire:message type=typeList
type ServerList struct {
	// Servers are the addresses of the games. Queries go to another port: see
	// [QueryAddr]. The master lists port 0 for a server that sends from port 1.
	Servers []netip.AddrPort
}

// Sizes of the header and of a server.
const (
	headerSize = 1
	serverSize = 6
)

// decode accepts any number of servers. It ignores bytes at the end that are too
// few for a server; with Options.Strict it refuses them.
func (m *ServerList) decode(r *wire.Reader, o Options) {
	m.decodeHeader(r)
	m.Servers = make([]netip.AddrPort, r.Len()/serverSize)
	for i := range m.Servers {
		r.In("servers", i)
		addr := r.IPv4("addr")
		m.Servers[i] = netip.AddrPortFrom(addr, r.Uint16LE("port"))
	}
	if r.Len() > 0 && o.Strict {
		r.In("servers", len(m.Servers))
		r.Fail(lobbywire.ErrTruncated, "", r.Offset())
	}
	r.In("", -1)
	r.Skip(r.Len(), "ignored")
}

// append fails if an address is not IPv4, if a game port is 0 or 65535 and
// therefore has no query port, or if there are more than [MaxListEntries]
// servers. Use [ServerList.Packets] for longer lists.
func (m *ServerList) append(w *wire.Writer) {
	if len(m.Servers) > MaxListEntries {
		w.Exceed("servers", len(m.Servers), MaxListEntries)
		return
	}
	m.appendHeader(w)
	appendServers(w, m.Servers, 0)
}

// appendServers appends servers, numbered from first.
func appendServers(w *wire.Writer, servers []netip.AddrPort, first int) {
	for i, s := range servers {
		if !s.Addr().Is4() || s.Port() == 0 || s.Port() == math.MaxUint16 {
			w.In("servers", first+i)
			if !s.Addr().Is4() {
				w.Refuse("addr", "is not an IPv4 address")
			}
			w.Refuse("port", noQueryPort)
			return
		}
		ip := s.Addr().As4()
		w.Bytes(ip[:])
		w.Uint16LE(s.Port())
	}
}

// Packets returns a list of any length as datagrams of up to [MaxListEntries] servers, as
// the master sends it. An empty list is one datagram. Packets fails if AppendBinary does,
// except because of the number of servers.
func (m ServerList) Packets() ([][]byte, error) {
	const full = headerSize + MaxListEntries*serverSize
	w := wire.NewWriter(make([]byte, 0, (len(m.Servers)/MaxListEntries+1)*headerSize+len(m.Servers)*serverSize))
	for first := 0; first == 0 || first < len(m.Servers); first += MaxListEntries {
		m.appendHeader(&w)
		appendServers(&w, m.Servers[first:min(first+MaxListEntries, len(m.Servers))], first)
	}
	b, err := w.Finish(proto)
	if err != nil {
		return nil, err
	}
	return slices.Collect(slices.Chunk(b, full)), nil
}

// GameAddr returns the address of the game whose server answers queries at query. It is the
// inverse of [QueryAddr]; port 0 stays 0.
func GameAddr(query netip.AddrPort) netip.AddrPort {
	return netip.AddrPortFrom(query.Addr(), max(query.Port(), 1)-1)
}

// noQueryPort is the reason for refusing a game port after which there is no query port.
const noQueryPort = "is 0 or 65535, so no query port follows it"

// QueryAddr returns the address at which the server of a game answers queries:
// the port after the port of the game. It fails for port 65535.
func QueryAddr(game netip.AddrPort) (netip.AddrPort, error) {
	if game.Port() == math.MaxUint16 {
		return netip.AddrPort{}, &lobbywire.Error{Proto: proto, Field: "port", Offset: -1,
			Err: wire.Invalid(noQueryPort)}
	}
	return netip.AddrPortFrom(game.Addr(), game.Port()+1), nil
}
