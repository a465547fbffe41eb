package check

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
)

// A Game is what a master knows a game by.
type Game struct{ Name, Key string }

// MasterSuite returns the cases for a master over UDP that lists servers of a game; nil if
// there are none.
func MasterSuite(protocol string, game Game) *Suite {
	switch protocol {
	case "gamespy2":
		return gameSpyMasterSuite(game)
	case "gameagent":
		return gameAgentMasterSuite(game)
	}
	return nil
}

// A master is the Peer of cases that register servers. Its sources 0 and 1 are
// servers, and 2 is mostly a client.
type master interface {
	Peer

	// Address returns where a source is. Its address is 0.0.0.0 if only the system knows it.
	Address(source int) netip.AddrPort

	// Send sends a datagram, also after an interrupt, and waits for nothing.
	Send(source int, datagram []byte)

	// Converse opens a connection for a list. say returns what the client sends next, given
	// what has arrived, and nil to wait for more, until the list isWhole. If isWhole is nil, nothing more is expected:
	// the client closes its side once it has sent something.
	Converse(say func(heard []byte) []byte, isWhole func(heard []byte) bool) (heard []byte, err error)

	// Wait waits, and answers queries meanwhile.
	Wait(d time.Duration)
}

// serverName is the start of the names of the servers that the cases register.
const serverName = "gamequery check"

// newServerName returns a name that no list has yet.
func newServerName() string { return fmt.Sprintf("%s %08x", serverName, rand.Uint32()) }

// serverView is the state of the servers that the cases register.
func serverView(name string, game Game) lobbywire.View {
	return lobbywire.View{
		Name: name, Game: game.Name, Version: "1.0", Map: "Check", Mode: "test",
		Players: new(3), Max: new(16), Roster: []lobbywire.Player{{Name: "Ada"}, {Name: "Grace"}, {Name: "Noor"}},
	}
}

// An answerer returns the answers of the server at a source to a query of the master, nil
// if the datagram is no query. A query with no answers has empty ones.
type answerer func(source int, from netip.AddrPort, datagram []byte) [][]byte

// errNotListed and errListed are the errors for lists.
var (
	errNotListed = errors.New("the server is not listed")
	errListed    = errors.New("the server is listed")
)

// awaits repeats a check of a list while the error is errNotListed or errListed. Other errors
// are final.
func (s *Session) awaits(check func() error) (final error) {
	_ = s.eventually(func() error {
		final = check()
		if errors.Is(final, errNotListed) || errors.Is(final, errListed) {
			return final
		}
		return nil
	})
	return final
}

// listPace is the least time between two requests for a list. Masters limit how often a
// client may send one.
const listPace = 125 * time.Millisecond

// converse is Converse, and keeps what was said.
func (s *Session) converse(say func(heard []byte) []byte, isWhole func(heard []byte) bool) ([]byte, error) {
	m := s.peer.(master)
	m.Wait(listPace)
	seen := 0
	var last []byte
	received := func(heard []byte) {
		if len(heard) > seen {
			s.note(Packet{Request: last, Bytes: bytes.Clone(heard[seen:min(len(heard), seen+maxKept)]), stream: true})
			s.received++
		}
		seen = len(heard)
	}
	heard, err := m.Converse(func(heard []byte) []byte {
		sent := say(heard)
		if sent != nil {
			received(heard)
			s.note(Packet{Sent: true, Bytes: sent, stream: true})
			s.sent++
			last = sent
		}
		return sent
	}, isWhole)
	received(heard)
	return heard, err
}

// Limits of what is kept of a case: the last packets, and the start of a stream.
const (
	maxKeptPackets = 64
	maxKept        = 64 << 10
)

// note keeps a packet of the running case.
func (s *Session) note(p Packet) {
	if len(s.packets) == maxKeptPackets {
		s.packets = append(s.packets[:0], s.packets[1:]...)
	}
	s.packets = append(s.packets, p)
}

// inOrder returns a say that sends pieces, one after the other.
func inOrder(pieces ...[]byte) func([]byte) []byte {
	return func([]byte) (sent []byte) {
		if len(pieces) > 0 {
			sent, pieces = pieces[0], pieces[1:]
		}
		return sent
	}
}

// addSlow adds a case that takes minutes. It runs only if it is named.
func (s *Suite) addSlow(section string, level Level, sentence string, run func(s *Session) error) {
	s.add(section, level, sentence, run)
	s.Cases[len(s.Cases)-1].slow = true
}

// expiry is how long a silent server may be listed.
const expiry = 10 * time.Minute

// expires waits for up to most until a check finds that a silent server is not listed.
func (s *Session) expires(most time.Duration, absent func() error) error {
	const steps = 60
	for waited := time.Duration(0); ; waited += most / steps {
		err := absent()
		if !errors.Is(err, errListed) {
			return err
		}
		if waited >= most {
			return fmt.Errorf("it is still listed after %v of silence", most)
		}
		s.peer.(master).Wait(most / steps)
	}
}

// atMost returns an error if answers have more bytes than allowed: a sender with a forged
// address could flood others with them.
func atMost(answers [][]byte, most int) error {
	if n := len(bytes.Join(answers, nil)); n > most {
		return fmt.Errorf("%d bytes, want at most %d: strangers can flood others with them", n, most)
	}
	return nil
}
