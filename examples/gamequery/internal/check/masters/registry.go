// Package masters has the cases of masters and lobbies: a file of tables for each protocol, and a
// file with what the cases of it share. What all of them do is one interface.
package masters

import (
	"errors"
	"fmt"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
)

// A Game is what a master knows a game by.
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

// cases returns the cases of rows for t.
func cases[T any](protocol string, t T, rows []row[T]) (all []check.Case) {
	for _, r := range rows {
		all = append(all, check.NewCase(protocol, t, check.Row[T](r)))
	}
	return all
}

// sources is how many addresses the cases use.
const sources = 3

// A registry is what all masters do, as a server and a client see it. Servers have the numbers 0
// and 1.
type registry interface {
	// register registers a server. Then the master lists it.
	register(server int) error

	// absent returns ErrListed if the list has a server.
	absent(server int) error

	// end removes a server.
	end(server int) error

	// await repeats a check of the list while it returns ErrListed or ErrNotListed.
	await(check func() error) error
}

// present returns ErrNotListed if the list does not have a server.
func present(r registry, server int) error {
	err := r.absent(server)
	switch {
	case err == nil:
		return check.ErrNotListed
	case errors.Is(err, check.ErrListed):
		return nil
	}
	return err
}

// listed registers a server, and waits until it is listed.
func listed(r registry, server int) error {
	if err := r.register(server); err != nil {
		return err
	}
	return r.await(func() error { return present(r, server) })
}

// listsOnce is a case of a server that is registered and listed.
func listsOnce[R registry](r R) error { return listed(r, 0) }

// listsTwo is a case of two servers, of which only the one is removed that ends.
func listsTwo[R registry](r R) error {
	for server := range 2 {
		if err := listed(r, server); err != nil {
			return err
		}
	}
	if err := present(r, 0); err != nil {
		return fmt.Errorf("the first of two: %w", err)
	}
	if err := r.end(1); err != nil {
		return err
	}
	if err := r.await(func() error { return r.absent(1) }); err != nil {
		return fmt.Errorf("the server that ended: %w", err)
	}
	return r.await(func() error { return present(r, 0) })
}

// removesEnded is a case of a server that ends.
func removesEnded[R registry](r R) error {
	if err := listed(r, 0); err != nil {
		return err
	}
	if err := r.end(0); err != nil {
		return err
	}
	return r.await(func() error { return r.absent(0) })
}

// expiry is how long a silent server may be listed.
const expiry = 10 * time.Minute

// removesSilent is a case of a silent server, which is removed, and one that is not silent.
func removesSilent[R interface {
	registry
	refresh(server int) error // tells the master that the server is there
	Wait(d time.Duration)
}](r R) error {
	for server := range 2 {
		if err := listed(r, server); err != nil {
			return err
		}
	}
	defer func() { _ = r.end(1) }() // the case is over
	err := expires(r, expiry, func() error {
		if err := r.refresh(1); err != nil {
			return err
		}
		return r.absent(0)
	})
	if err != nil {
		return err
	}
	return present(r, 1)
}

// expires waits for up to most until a check finds that a silent server is not listed.
func expires(w interface{ Wait(d time.Duration) }, most time.Duration, absent func() error) error {
	const steps = 60
	for waited := time.Duration(0); ; waited += most / steps {
		err := absent()
		if !errors.Is(err, check.ErrListed) {
			return err
		}
		if waited >= most {
			return fmt.Errorf("%w after %v of silence", check.ErrListed, most)
		}
		w.Wait(most / steps)
	}
}

// A session is one with a master over UDP.
type session struct{ *check.Session }

// peer returns the master.
func (s session) peer() check.Master { return s.Peer.(check.Master) }

// Wait waits, and answers queries of the master meanwhile.
func (s session) Wait(d time.Duration) { s.peer().Wait(d) }

func (s session) await(check func() error) error { return s.AwaitList(check) }

// listPace is the least time between two requests for a list. Masters limit how often a
// client may send one.
const listPace = 125 * time.Millisecond

// converse opens a connection for a list, and keeps what was said.
func (s session) converse(say func(heard []byte) []byte, isWhole func(heard []byte) bool) ([]byte, error) {
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
	return heard, err
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

// askOnce sends a datagram that must be answered once.
func (s session) askOnce(source int, b []byte) ([]byte, error) {
	answers, err := s.AskWhole(source, b, check.One, true)
	if err != nil {
		return nil, err
	}
	if len(answers) == 0 {
		return nil, fuzzharness.ErrSilent
	}
	return answers[0], nil
}

// changedAt returns a text with another character at an index, from the end if it is
// negative.
func changedAt(text string, at int) string {
	b := []byte(text)
	if len(b) == 0 {
		return "A"
	}
	if at < 0 {
		at = len(b) - 1
	}
	b[at] = map[bool]byte{true: 'B', false: 'A'}[b[at] == 'A']
	return string(b)
}
