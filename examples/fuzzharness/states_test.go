package fuzzharness

import (
	"fmt"
	"net/netip"
	"testing"

	"github.com/lobbywire/lobbywire"
)

// A protocol queries the state of a game, and lists its edges.
type protocol struct {
	token func(a ask) (uint32, error) // nil if the protocol has none
	query func(a ask) (lobbywire.View, error)
	shown func(v lobbywire.View) lobbywire.View // what a query shows of a state

	edges Edges
}

// check asks for the token of each address, and for each state, as soon as it is set.
func (p protocol) check(all clients, set func(v lobbywire.View)) error {
	if err := p.checkTokens(all); err != nil {
		return err
	}
	for _, s := range p.edges.States() {
		set(s.View)
		for i, a := range all {
			got, err := p.query(a)
			if err == nil {
				err = Differ(p.shown(s.View), got)
			}
			if err != nil {
				return fmt.Errorf("state %q, client %d: %w", s.Name, i, err)
			}
		}
	}
	return nil
}

// checkTokens returns an error if two clients have the same token, because one could then
// forge requests of the other.
func (p protocol) checkTokens(all clients) error {
	if p.token == nil {
		return nil
	}
	owner := map[uint32]int{}
	for i, a := range all {
		token, err := p.token(a)
		if err != nil {
			return err
		}
		if first, ok := owner[token]; ok {
			return fmt.Errorf("clients %d and %d have the same token: it must depend on host and port", first, i)
		}
		owner[token] = i
	}
	return nil
}

// fuzz tries inputs. After each, a query must still show the state.
func (p protocol) fuzz(f *testing.F, all clients, set func(v lobbywire.View), seeds [][]byte,
	try func(all clients, input []byte) error,
) {
	ordinary := p.edges.States()[0].View
	set(ordinary)
	fuzz(f, seeds, func(input []byte) error {
		if err := try(all, input); err != nil {
			return err
		}
		v, err := p.query(all[0])
		if err != nil {
			return err
		}
		return Differ(p.shown(ordinary), v)
	})
}

// A fault is a mistake in a server, and the error that the harness reports.
type fault struct {
	plant func(right server) server
	want  string
}

// answering is a fault of the answers to datagrams.
func answering(with func(right server, from netip.AddrPort, req []byte) []byte) func(server) server {
	return func(right server) server {
		wrong := right
		wrong.respond = func(from netip.AddrPort, req []byte) []byte { return with(right, from, req) }
		return wrong
	}
}

// oneToken ignores the port of clients.
func oneToken(right server, from netip.AddrPort, req []byte) []byte {
	return right.respond(netip.AddrPortFrom(from.Addr(), 0), req)
}

// tokenOf also takes the token of another client.
func tokenOf(client int) func(right server, from netip.AddrPort, req []byte) []byte {
	return func(right server, from netip.AddrPort, req []byte) []byte {
		if answer := right.respond(from, req); answer != nil {
			return answer
		}
		return right.respond(addresses[client], req)
	}
}

// setting is a fault of the state that answers show.
func setting(wrong func(v lobbywire.View) lobbywire.View) func(server) server {
	return func(right server) server {
		return server{right.respond, func(v lobbywire.View) { right.set(wrong(v)) }}
	}
}

// stale keeps the first state.
func stale(right server) server {
	isSet := false
	return server{right.respond, func(v lobbywire.View) {
		if !isSet {
			right.set(v)
		}
		isSet = true
	}}
}

// wantNoticed fails unless at least one of the seeds or states reveals a fault.
func (f fault) wantNoticed(
	t *testing.T, newServer func() server, p protocol, seeds [][]byte, try func(all clients, seed []byte) error,
) {
	t.Helper()
	wrong := f.plant(newServer())
	all := wrong.clients()
	tries := []func() error{func() error { return p.check(all, wrong.set) }}
	for _, seed := range seeds {
		tries = append(tries, func() error { return try(all, seed) })
	}
	wantError(t, f.want, tries)
}
