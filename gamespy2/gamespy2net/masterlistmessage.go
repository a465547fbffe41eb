package gamespy2net

import (
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/internal/registry"
)

// maxMessage is the size of the longest message that is forwarded to a server. The
// usual one, which starts NAT negotiation, has 10 bytes.
const maxMessage = 512

// message forwards data of the client to a listed server, over the socket that
// servers send to.
func (b *browser) message(m sb2.MessageRequest) {
	_, key, ok := b.listingAt(b.game, m.Addr)
	if !ok || len(m.Data) > maxMessage {
		return
	}
	if b.sockets.send(m.Addr, qr2.ClientMessage{Key: key, Data: m.Data}) {
		b.lists.messages.Add(1)
	}
}

// listingAt returns a server in the list of a game, and its instance key.
func (m *Master) listingAt(g *gameTable, addr netip.AddrPort) (l *listing, key [4]byte, ok bool) {
	m.servers.Lock(time.Now())
	defer m.servers.Unlock()
	i, known := m.servers.Find(addr)
	if !known {
		return nil, key, false
	}
	s := m.servers.Value(i)
	return s.listing, s.key, m.servers.State(i) == registry.Listed && s.game == g
}

// openSockets are the sockets that a Master serves on.
type openSockets struct {
	mu     sync.Mutex
	all    []net.PacketConn
	lastID uint32
}

// add adds a socket until the returned function is called.
func (s *openSockets) add(pc net.PacketConn) (remove func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, pc)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		i := slices.Index(s.all, pc)
		s.all = slices.Delete(s.all, i, i+1)
	}
}

// send sends a message with a new ID over each socket, because the server may accept
// datagrams only from the socket that it sends to. It reports whether there is a
// socket.
func (s *openSockets) send(to netip.AddrPort, m qr2.ClientMessage) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastID++
	m.ID = s.lastID
	b, err := m.MarshalBinary()
	if err != nil {
		return false
	}
	for _, pc := range s.all {
		pc.WriteTo(b, net.UDPAddrFromAddrPort(to)) // the client repeats a lost message
	}
	return len(s.all) > 0
}
