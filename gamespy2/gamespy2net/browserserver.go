package gamespy2net

import (
	"net/netip"

	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

// rules sends all keys of a server, or nothing if the server is not listed.
func (b *browser) rules(addr netip.AddrPort) error {
	s, _, ok := b.lists.catalogue.listedAt(b.game, addr)
	if !ok {
		return nil
	}
	b.lists.rules.Add(1)
	return b.send(sb2.PushServer{Server: s.listing.Rules()})
}

// maxMessage is the size of the longest message that is forwarded to a server. The
// usual one, which starts NAT negotiation, has 10 bytes.
const maxMessage = 512

// message forwards data of the client to a listed server, with a new ID. It sends from each
// socket at the address where the server's datagrams arrive, because the server may accept
// datagrams only from the address that it sends to.
func (b *browser) message(m sb2.MessageRequest) {
	s, at, ok := b.lists.catalogue.listedAt(b.game, m.Addr)
	if !ok || len(m.Data) > maxMessage {
		return
	}
	message := qr2.ClientMessage{Key: s.key, ID: b.lists.lastID.Add(1), Data: m.Data}
	send := func(to netip.AddrPort, packet []byte) bool { return b.lists.send(s.local, to, packet) }
	if b.lists.unacked.forward(at, message, send) {
		b.lists.messages.Add(1)
	}
}
