// Package masters contains the cases of masters and lobbies: for each protocol a file of tables
// and a file of shared functions. All masters implement one interface.
package masters

import (
	"errors"
	"fmt"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
)

// A Game identifies a game at a master.
type Game struct{ Name, Key string }

// Suite returns the cases for a master over UDP that lists servers of a game; nil if
// there are none.
func Suite(protocol string, game Game) *check.Suite {
	switch protocol {
	case "gamespy2":
		return gameSpySuite(game)
	case "gameagent":
		return gameAgentSuite(game)
	}
	return nil
}

// LobbySuite returns the cases of a master over TCP, whose cases host games on connections; nil
// if there are none.
func LobbySuite(protocol string) *check.Suite {
	switch protocol {
	case "bomberman":
		return bombermanSuite()
	case "warzone":
		return warzoneSuite()
	case "wzhttp":
		return wzhttpSuite()
	}
	return nil
}

// A row is a case for a T.
type row[T any] check.Row[T]

// sources is how many addresses the cases use.
const sources = 3

// A registry is a master as a server and a client see it. Servers have the numbers 0 and 1. Its
// methods end the case on an error.
type registry interface {
	// register registers a server. Then the master lists it.
	register(server int)

	// entries returns the number of right entries of a server in the list.
	entries(server int) int

	// end removes a server.
	end(server int)

	AwaitList(look func())
	Fail(err error)
}

// absent fails with ErrListed if the list contains a server.
func absent(r registry, server int) {
	if r.entries(server) > 0 {
		r.Fail(check.ErrListed)
	}
}

// present fails with ErrNotListed unless the list contains a server, once.
func present(r registry, server int) {
	switch n := r.entries(server); {
	case n == 0:
		r.Fail(check.ErrNotListed)
	case n > 1:
		r.Fail(fmt.Errorf("the list has it %d times, want once", n))
	}
}

// gone waits until a server is not listed.
func gone(r registry, server int) { r.AwaitList(func() { absent(r, server) }) }

// lists waits until a server is listed.
func lists(r registry, server int) { r.AwaitList(func() { present(r, server) }) }

// listed registers a server, and waits until it is listed.
func listed(r registry, server int) {
	r.register(server)
	lists(r, server)
}

// listsOnce is a case of a server that is registered and listed.
func listsOnce[R registry](r R) { listed(r, 0) }

// listsTwo is a case of two servers. Only the server that ends is removed.
func listsTwo[R registry](r R) { listsTwoThen(r, r.end) }

func listsTwoThen(r registry, end func(server int)) {
	for server := range 2 {
		listed(r, server)
	}
	present(r, 0)
	end(1)
	gone(r, 1)
	lists(r, 0)
}

// removesEnded is a case of a server that ends.
func removesEnded[R registry](r R) {
	listed(r, 0)
	r.end(0)
	gone(r, 0)
}

// expiry is how long a silent server may be listed.
const expiry = 10 * time.Minute

// removesSilent is a case of a silent server, which is removed, and another server, which
// is not.
func removesSilent[R interface {
	registry
	waiter
	refresh(server int) // renews the registration of the server
}](r R) {
	for server := range 2 {
		listed(r, server)
	}
	defer r.Try(func() { r.end(1) }) // the case is over
	expires(r, expiry, func() {
		r.refresh(1)
		absent(r, 0)
	})
	present(r, 1)
}

// A waiter waits for a master.
type waiter interface {
	Wait(d time.Duration)
	Try(part func()) error
	Fail(err error)
}

// expires waits for up to most until a silent server is not listed.
func expires(w waiter, most time.Duration, look func()) {
	const steps = 60
	for waited := time.Duration(0); ; waited += most / steps {
		err := w.Try(look)
		switch {
		case err == nil:
			return
		case !errors.Is(err, check.ErrListed):
			w.Fail(err)
		case waited >= most:
			w.Fail(fmt.Errorf("%w after %v of silence", check.ErrListed, most))
		}
		w.Wait(most / steps)
	}
}

// A session is a check.Session with a master over UDP.
type session struct{ *check.Session }

// peer returns the master.
func (s session) peer() check.Master { return s.Peer.(check.Master) }

// Wait waits, and answers queries of the master meanwhile.
func (s session) Wait(d time.Duration) { s.peer().Wait(d) }

// listPace is the least time between two requests for a list. Masters limit how often a
// client may send one.
const listPace = 125 * time.Millisecond

// converse opens a connection for a list, and keeps what was said.
func (s session) converse(say func(heard []byte) []byte, isWhole func(heard []byte) bool) []byte {
	s.Wait(listPace)
	seen := 0
	var last []byte
	received := func(heard []byte) {
		if len(heard) > seen {
			s.Note(check.Packet{Request: last, Bytes: heard[seen:], Stream: true})
		}
		seen = len(heard)
	}
	heard, err := s.peer().Converse(func(heard []byte) []byte {
		sent := say(heard)
		if sent != nil {
			received(heard)
			s.Note(check.Packet{Sent: true, Bytes: sent, Stream: true})
			last = sent
		}
		return sent
	}, isWhole)
	received(heard)
	s.Check(err)
	return heard
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

// serverView is the state of the servers that the cases register.
func serverView(name string, game Game) lobbywire.View {
	return lobbywire.View{
		Name: name, Game: game.Name, Version: "1.0", Map: "Check", Mode: "test",
		Players: new(3), Max: new(16), Roster: []lobbywire.Player{{Name: "Ada"}, {Name: "Grace"}, {Name: "Noor"}},
	}
}

// askOnce sends a datagram that must be answered.
func (s session) askOnce(source int, b []byte) []byte {
	return s.AskWhole(source, b, check.One, true)[0]
}

// changedAt returns a text with another character at an index, from the end if it is
// negative. The characters differ by more than case, and in the first of the bits that they
// have in base64: the last four bits of a token may be padding.
func changedAt(text string, at int) string {
	b := []byte(text)
	if len(b) == 0 {
		return "A"
	}
	if at < 0 {
		at = len(b) - 1
	}
	changed := byte('A')
	if c := b[at]; 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'f' {
		changed = 'z'
	}
	b[at] = changed
	return string(b)
}
