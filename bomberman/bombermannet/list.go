package bombermannet

import (
	"bytes"
	"errors"
	"math"
	"net"
	"net/netip"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/internal/registry"
)

// A list has the game servers for the answer to queries. Entries are encoded
// when they change; an answer consists of encoded entries.
type list struct{ open, closed group } // by whether players can join

// registered is a game server with a connection to this node or another one.
type registered struct {
	server  bomberman.Server
	from    netip.AddrPort // peer of the connection
	seen    time.Time      // by the other node; zero for a connection to this node
	encoded []byte         // the entry in the list
	place   int            // in its group while it is listed

	// shadowed means that another entry of its endpoint is listed in its place.
	shadowed bool
}

// maxEntry bounds the size of an entry in the list, in bytes, so that no game
// server takes the space of many others.
const maxEntry = 1024

var errEntryTooLong = errors.New("bombermannet: entry too long")

// encode returns the entry of a game server in the list, unless it is too long.
func (m *ManagementServer) encode(s bomberman.Server) ([]byte, error) {
	m.publish(&s)
	b, err := s.AppendListed(make([]byte, 0, 256)) // enough for most
	if err == nil && len(b) > maxEntry {
		err = errEntryTooLong
	}
	return bytes.Clone(b), err
}

// publish replaces the address of a game server by its public one.
func (m *ManagementServer) publish(s *bomberman.Server) {
	if m.Public == nil {
		return
	}
	addr, err := netip.ParseAddr(s.Address)
	if err != nil || s.Port > math.MaxUint16 {
		return
	}
	at := netip.AddrPortFrom(addr, uint16(s.Port)) // AppendListed refuses ports below 0
	public := registry.Public(m.Public, at, netip.AddrPort.IsValid)
	if public != at {
		s.Address, s.Port = public.Addr().String(), int(public.Port())
	}
}

// compacted returns a server with copies of its texts.
func compacted(s bomberman.Server) bomberman.Server {
	s.Name, s.Address = strings.Clone(s.Name), strings.Clone(s.Address)
	return s
}

// groupOf returns the group of a game server.
func (l *list) groupOf(s *registered) *group {
	if s.server.IsLobbyOpen {
		return &l.open
	}
	return &l.closed
}

// answer returns a frame with all listed game servers. If they do not fit, it
// has as many as fit, beginning with those that players can join. The next
// answer then continues where this one ends.
func (l *list) answer() net.Buffers {
	v := make(net.Buffers, 1, 2+len(l.open.pages)+len(l.closed.pages))
	v, left := l.open.appendNext(v, bomberman.RoomForServers())
	v, _ = l.closed.appendNext(v, left)
	v = append(v, nil)
	bomberman.FrameServers(v)
	return v
}
