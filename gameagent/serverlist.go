package gameagent

import (
	"math"
	"net/netip"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A ServerList is one packet of a master's answer to [ListRequest].
//
//	offset  size  field
//	0       1     type, 's'
//	per server:
//	        4     addr, IPv4
//	        2     port, of the game, little-endian
//
// A long list comes in several packets, which nothing numbers and no mark ends:
// collect them until none has come for a while, and join them with [JoinLists].
type ServerList struct {
	// Servers are addresses of games, not of queries: see [QueryAddr]. The
	// master lists port 0 for a server that sends from port 1.
	Servers []netip.AddrPort
}

// entrySize is the size of a server in a list.
const entrySize = 6

// ParseServerList reads a [ServerList]. It may hold any number of servers. A
// tail that is too short for a server is ignored.
func ParseServerList(b []byte) (ServerList, error) { return Options{}.ParseServerList(b) }

// ParseServerList reads a [ServerList]. With Strict, a tail is refused.
func (o Options) ParseServerList(b []byte) (ServerList, error) {
	r := wire.NewReader(b)
	var m ServerList
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return ServerList{}, err
	}
	return m, nil
}

// ExplainServerList accounts for every byte of a [ServerList].
func ExplainServerList(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "ServerList", b, func(r *wire.Reader) { new(ServerList).decode(r, Options{}) })
}

func (m *ServerList) decode(r *wire.Reader, o Options) {
	decodeType(r, typeList)
	m.Servers = make([]netip.AddrPort, r.Len()/entrySize)
	for i := range m.Servers {
		r.In("servers", i)
		addr := r.IPv4("addr")
		m.Servers[i] = netip.AddrPortFrom(addr, r.Uint16LE("port"))
	}
	if tail := r.Len(); tail > 0 && o.Strict {
		r.In("servers", len(m.Servers))
		r.Fail(lobbywire.ErrTruncated, "", r.Offset())
	}
	r.In("", -1)
	r.Skip(r.Len(), "ignored")
}

// AppendBinary appends the wire form to b. It refuses addresses that are not
// IPv4, game ports that have no query port beside them, which are 0 and 65535,
// and more than [MaxListEntries] servers: see [ServerList.Packets].
func (m ServerList) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	if len(m.Servers) > MaxListEntries {
		w.Fail(lobbywire.ErrTooLarge, "servers")
		return w.Finish(proto)
	}
	appendList(&w, m.Servers, 0)
	return w.Finish(proto)
}

// appendList appends a packet of servers, the first of which is number start.
func appendList(w *wire.Writer, servers []netip.AddrPort, start int) {
	w.Uint8(typeList)
	for i, s := range servers {
		if !s.Addr().Is4() || s.Port() == 0 || s.Port() == math.MaxUint16 {
			w.In("servers", start+i)
			field := "port"
			if !s.Addr().Is4() {
				field = "addr"
			}
			w.Fail(lobbywire.ErrInvalid, field)
			return
		}
		ip := s.Addr().As4()
		w.Bytes(ip[:])
		w.Uint16LE(s.Port())
	}
}

// Packets returns the datagrams of a list of any length, of [MaxListEntries]
// servers each, as the master cuts it. An empty list is one packet. It refuses
// what AppendBinary refuses, but for the number of servers.
func (m ServerList) Packets() ([][]byte, error) {
	chunks := slices.Collect(slices.Chunk(m.Servers, MaxListEntries))
	if len(chunks) == 0 {
		chunks = append(chunks, nil)
	}
	packets := make([][]byte, len(chunks))
	for i, servers := range chunks {
		w := wire.NewWriter(make([]byte, 0, 1+len(servers)*entrySize))
		appendList(&w, servers, i*MaxListEntries)
		var err error
		if packets[i], err = w.Finish(proto); err != nil {
			return nil, err
		}
	}
	return packets, nil
}

// MarshalBinary returns the wire form.
func (m ServerList) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseServerList] does.
func (m *ServerList) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseServerList(b)
	return err
}

// JoinLists returns the servers of several packets in the order in which they
// come. A server that is in more than one, as in a packet that came twice, is
// listed once.
func JoinLists(packets ...ServerList) ServerList {
	n := 0
	for _, p := range packets {
		n += len(p.Servers)
	}
	seen := make(map[netip.AddrPort]bool, n)
	joined := ServerList{Servers: make([]netip.AddrPort, 0, n)}
	for _, p := range packets {
		for _, s := range p.Servers {
			if !seen[s] {
				seen[s] = true
				joined.Servers = append(joined.Servers, s)
			}
		}
	}
	return joined
}

// QueryAddr returns where the server answers queries whose game is at game: the
// port above. It refuses port 65535, which has none above.
func QueryAddr(game netip.AddrPort) (netip.AddrPort, error) {
	if game.Port() == math.MaxUint16 {
		return netip.AddrPort{}, &lobbywire.Error{Proto: proto, Field: "port", Offset: -1, Err: lobbywire.ErrInvalid}
	}
	return netip.AddrPortFrom(game.Addr(), game.Port()+1), nil
}
