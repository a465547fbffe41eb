package gamespy2net

import (
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/internal/registry"
)

// maxMessage is the size of the longest message that is forwarded to a server. The
// usual one, which starts NAT negotiation, has 10 bytes.
const maxMessage = 512

// message forwards data of the client to a listed server, with a new ID and from each
// socket, because the server may accept datagrams only from the one that it sends to.
func (b *browser) message(m sb2.MessageRequest) {
	_, key, ok := b.listingAt(b.game, m.Addr)
	if !ok || len(m.Data) > maxMessage {
		return
	}
	if b.forward(m.Addr, qr2.ClientMessage{Key: key, ID: b.lists.lastID.Add(1), Data: m.Data}) {
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
