// Package servers contains the cases of game servers: for each protocol a file of tables
// and a file of shared functions.
package servers

import (
	"errors"
	"fmt"
	"net/netip"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
)

// Suite returns the cases of a protocol; nil if there are none.
func Suite(protocol string) *check.Suite {
	suites := map[string]func() *check.Suite{
		"sqp": sqpSuite, "gamespy2": gameSpySuite, "gameagent": gameAgentSuite, "bombermangame": bombermanGameSuite,
	}
	if suites[protocol] == nil {
		return nil
	}
	return suites[protocol]()
}

// Protocols returns the protocols of Suite.
func Protocols() []string { return []string{"sqp", "gamespy2", "gameagent", "bombermangame"} }

// A row is a case for a T.
type row[T any] check.Row[T]

// sources is how many addresses the cases use.
const sources = 3

// A server holds what the cases know of a server under test.
type server interface {
	// request returns the bytes of an ordinary query from the first address.
	request() []byte

	// ask sends bytes from the first address, and fails if the answers are wrong for them.
	ask(request []byte)
}

// An edit changes the bytes of a request.
type edit func(b []byte) []byte

// asks is a case of the ordinary query with a change. The answers must be right for the
// changed query.
func asks[S server](edit edit) func(s S) {
	return func(s S) { s.ask(edit(s.request())) }
}

// sends is a case of bytes that must not be answered.
func sends[S interface {
	AskNothing(source int, requests ...[]byte)
}](requests ...[]byte) func(s S) {
	return func(s S) { s.AskNothing(0, requests...) }
}

// Edits of requests.

func unchanged(b []byte) []byte { return b }
func longer(b []byte) []byte    { return append(b, 0) }
func shorter(b []byte) []byte   { return b[:len(b)-1] }
func otherType(b []byte) []byte { b[0] = 2; return b }

// wrong changes a byte.
func wrong(at int) edit {
	return func(b []byte) []byte {
		b[at] ^= 0x55
		return b
	}
}

// answersOf adapts a respond that reports whether a request belongs to the protocol.
func answersOf(
	respond func(from netip.AddrPort, request []byte, dst [][]byte) ([][]byte, bool),
) func(from netip.AddrPort, request []byte, dst [][]byte) [][]byte {
	return func(from netip.AddrPort, request []byte, dst [][]byte) [][]byte {
		answers, _ := respond(from, request, dst)
		return answers
	}
}

// A Responder is a server in this process. Each Renew gives its clients other ports.
type Responder struct {
	Respond func(from netip.AddrPort, request []byte, dst [][]byte) [][]byte

	renewed uint16
}

// Address returns the address of a client of a server in this process. The other host has the
// port of the first client.
func (r *Responder) Address(source int) netip.AddrPort {
	const first, clients = 50000, 2
	port := first + r.renewed*clients
	if source == sources-1 {
		return netip.AddrPortFrom(netip.MustParseAddr("198.51.100.8"), port)
	}
	return netip.AddrPortFrom(netip.MustParseAddr("192.0.2.7"), port+uint16(source))
}

// Ask calls the server.
func (r *Responder) Ask(source int, request []byte, _ check.Whole, _ bool) ([][]byte, error) {
	return r.Respond(r.Address(source), request, nil), nil
}

// Dial fails: the protocols of responders have no connections.
func (*Responder) Dial(int) (*check.Line, error) {
	return nil, errors.New("these servers have no connections")
}

// Renew changes the ports of the clients.
func (r *Responder) Renew() { r.renewed++ }

// Pause does nothing: answers are immediate.
func (*Responder) Pause(int) {}

// Hasten does nothing.
func (*Responder) Hasten() {}

// size returns the number of bytes of packets.
func size(packets [][]byte) (n int) {
	for _, b := range packets {
		n += len(b)
	}
	return n
}

// samePlayers returns an error if two lists contain different players.
func samePlayers(want, got []lobbywire.Player) error {
	if len(want) != len(got) {
		return fmt.Errorf("one has %d players, and the other %d", len(want), len(got))
	}
	for i := range want {
		if !alike(want[i].Name, got[i].Name) {
			return fmt.Errorf("player %d is %q in one, and %q in the other", i, want[i].Name, got[i].Name)
		}
	}
	return nil
}
