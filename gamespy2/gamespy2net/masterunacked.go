package gamespy2net

import (
	"net/netip"
	"sync"
	"time"
)

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
