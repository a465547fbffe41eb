package gamespy2net

import (
	"net/netip"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2/qr2"
)

// A message of a client is sent every resendEvery, up to maxSent times, until the server
// acknowledges it. Other masters do the same, because the clients of GameSpy send it once.
const (
	resendEvery = time.Second
	maxSent     = 10
)

// Limits on the messages that are sent again. Further messages are sent once.
const (
	maxUnacked       = 1024
	maxUnackedServer = 16 // of one server
)

// unacked holds the messages that their servers have not acknowledged.
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

// A sender sends a datagram, and reports whether it succeeded.
type sender func(to netip.AddrPort, b []byte) bool

// forward sends a message to a server, and reports whether it succeeded.
func (u *unacked) forward(to netip.AddrPort, message qr2.ClientMessage, send sender) bool {
	p, err := message.AppendBinary(nil)
	if err != nil || !send(to, p) {
		return false
	}
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
		again: time.AfterFunc(resendEvery, func() { u.forwardAgain(message.ID, send) }),
	}
	return true
}

// forwardAgain sends a message again, unless it has been acknowledged.
func (u *unacked) forwardAgain(id uint32, send sender) {
	u.mu.Lock()
	defer u.mu.Unlock()
	message := u.messages[id]
	if message == nil {
		return
	}
	message.sent++
	if !send(message.to, message.packet) || message.sent == maxSent {
		u.removeLocked(id)
		return
	}
	message.again.Reset(resendEvery)
}

// acknowledged ends the repetition of a message that its server acknowledges.
func (u *unacked) acknowledged(from netip.AddrPort, req []byte) {
	ack, err := qr2.ParseClientMessageAck(req)
	if err != nil {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if message := u.messages[ack.ID]; message != nil && message.to == from && message.key == ack.Key {
		u.removeLocked(ack.ID)
	}
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
