package gamespy2net

import (
	"net/netip"
	"sync"
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
	s, at, ok := b.listedAt(b.game, m.Addr)
	if !ok || len(m.Data) > maxMessage {
		return
	}
	if b.forward(at, qr2.ClientMessage{Key: s.key, ID: b.lists.lastID.Add(1), Data: m.Data}) {
		b.lists.messages.Add(1)
	}
}

// listedAt returns the server with a public address in the list of a game, and the address
// that it registered from.
func (m *Master) listedAt(g *gameTable, public netip.AddrPort) (s registered, at netip.AddrPort, ok bool) {
	m.servers.Lock(time.Now())
	defer m.servers.Unlock()
	return m.listedAtLocked(g, public)
}

func (m *Master) listedAtLocked(g *gameTable, public netip.AddrPort) (s registered, at netip.AddrPort, ok bool) {
	at, isMapped := m.mapped[public]
	if !isMapped {
		at = public
	}
	i, known := m.servers.Find(at)
	if !known || m.servers.State(i) != registry.Listed || m.servers.Value(i).game != g {
		return registered{}, at, false
	}
	return *m.servers.Value(i), at, true
}

// forward sends a message to a server, and reports whether it could.
func (m *Master) forward(to netip.AddrPort, message qr2.ClientMessage) bool {
	p, err := message.MarshalBinary()
	if err != nil || !m.loop.Send(to, p) {
		return false
	}
	u := &m.lists.unacked
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.messages) >= maxUnacked || u.servers[to] >= maxUnackedServer {
		return true
	}
	if u.messages == nil {
		u.messages = make(map[uint32]*unackedMessage)
		u.servers = make(map[netip.AddrPort]int)
	}
	u.servers[to]++
	u.messages[message.ID] = &unackedMessage{
		to: to, key: message.Key, packet: p, sent: 1,
		again: time.AfterFunc(resendEvery, func() { m.forwardAgain(message.ID) }),
	}
	return true
}

// forwardAgain sends a message again, unless it has been acknowledged.
func (m *Master) forwardAgain(id uint32) {
	u := &m.lists.unacked
	u.mu.Lock()
	defer u.mu.Unlock()
	message := u.messages[id]
	if message == nil {
		return
	}
	message.sent++
	if !m.loop.Send(message.to, message.packet) || message.sent == maxSent {
		u.removeLocked(id)
		return
	}
	message.again.Reset(resendEvery)
}

// acknowledged ends the repetition of a message that its server acknowledges.
func (m *Master) acknowledged(from netip.AddrPort, req []byte) {
	ack, err := qr2.ParseClientMessageAck(req)
	if err != nil {
		return
	}
	u := &m.lists.unacked
	u.mu.Lock()
	defer u.mu.Unlock()
	if message := u.messages[ack.ID]; message != nil && message.to == from && message.key == ack.Key {
		u.removeLocked(ack.ID)
	}
}

// A message of a client is sent every resendEvery, up to maxSent times, until the server
// acknowledges it, as other masters do: the clients of GameSpy send it once.
const (
	resendEvery = time.Second
	maxSent     = 10
)

// Limits on the messages that are sent again. Further messages are sent once.
const (
	maxUnacked       = 1024
	maxUnackedServer = 16 // of one server
)

// unacked has the messages that their servers have not acknowledged.
type unacked struct {
	mu       sync.Mutex
	messages map[uint32]*unackedMessage // by ID
	servers  map[netip.AddrPort]int     // their messages
}

type unackedMessage struct {
	to     netip.AddrPort
	key    [4]byte
	packet []byte
	sent   int
	again  *time.Timer
}

func (u *unacked) removeLocked(id uint32) {
	message := u.messages[id]
	message.again.Stop()
	delete(u.messages, id)
	u.servers[message.to]--
	if u.servers[message.to] == 0 {
		delete(u.servers, message.to)
	}
}

// end ends all repetitions.
func (u *unacked) end() {
	u.mu.Lock()
	defer u.mu.Unlock()
	for id := range u.messages {
		u.removeLocked(id)
	}
}
