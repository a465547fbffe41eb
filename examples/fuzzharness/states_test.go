package fuzzharness

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
)

// A protocol is how a game is asked for its state, and how much it can say.
type protocol struct {
	token func(a ask) (uint32, error) // nil if the protocol has none
	query func(a ask) (lobbywire.View, error)
	shown func(v lobbywire.View) lobbywire.View // what a query shows of a state

	longest int    // bytes of a text
	largest int    // number, except for a port
	odd     string // a text with characters that need care
}

// A state is one that the server under test is set to.
type state struct {
	name string
	view lobbywire.View
}

// states returns the states at the edges. No two texts or numbers of one are the same,
// except at the limits, so that a server which swaps them shows it.
func (p protocol) states() []state {
	long := func(start string) string { return start + strings.Repeat(start[:1], p.longest-len(start)) }
	full := lobbywire.View{
		Name: "Duel", Mode: "ctf", Version: "1.2", Map: "Harbor", Port: 25601, Players: new(16), Max: new(16),
	}
	for i := range *full.Max {
		full.Roster = append(full.Roster, lobbywire.Player{Name: fmt.Sprintf("Player %d", i)})
	}
	ordinary := full
	ordinary.Players, ordinary.Roster = new(2), full.Roster[:2]
	empty := full
	empty.Players, empty.Roster = new(0), nil
	texts := ordinary
	texts.Name, texts.Mode, texts.Version, texts.Map = long("name"), long("mode"), long("version"), long("map")
	texts.Roster = []lobbywire.Player{{Name: long("Ann")}, {Name: long("Bob")}}
	numbers := ordinary
	numbers.Port, numbers.Players, numbers.Max = 65535, new(p.largest-1), new(p.largest)
	odd := ordinary
	odd.Name, odd.Mode, odd.Version, odd.Map = "n"+p.odd+"n", "m"+p.odd+"m", "v"+p.odd+"v", "p"+p.odd+"p"
	odd.Roster = []lobbywire.Player{{Name: "a" + p.odd + "a"}, {Name: "b" + p.odd + "b"}}
	return []state{
		{"ordinary", ordinary}, {"empty", empty}, {"full", full}, {fmt.Sprintf("texts of %d bytes", p.longest), texts},
		{"largest numbers", numbers}, {"odd characters", odd}, {"ordinary again", ordinary},
	}
}

// check asks for the token of each address, and for each state, as soon as it is set.
func (p protocol) check(all clients, set func(v lobbywire.View)) error {
	if err := p.checkTokens(all); err != nil {
		return err
	}
	for _, s := range p.states() {
		set(s.view)
		for i, a := range all {
			got, err := p.query(a)
			if err == nil {
				err = differ(p.shown(s.view), got)
			}
			if err != nil {
				return fmt.Errorf("state %q, client %d: %w", s.name, i, err)
			}
		}
	}
	return nil
}

// checkTokens returns an error if two clients have the same token: one
// could then use it for forged requests of the other.
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

// differ returns an error that names the members of a state that an answer shows
// differently.
func differ(set, shown lobbywire.View) error {
	want, got := members(set), members(shown)
	var wrong []string
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if !bytes.Equal(want[name], got[name]) {
			shows := cmp.Or(string(got[name]), "missing")
			wrong = append(wrong, fmt.Sprintf("%s is %s, want %s", name, shows, want[name]))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if want[name] == nil {
			wrong = append(wrong, fmt.Sprintf("%s is %s, want none", name, got[name]))
		}
	}
	if wrong == nil {
		return nil
	}
	return fmt.Errorf("the answer shows another state: %s", strings.Join(wrong, "; "))
}

// members returns the members of a View in JSON, in which all characters can be printed.
// An empty roster is none.
func members(v lobbywire.View) (all map[string]json.RawMessage) {
	if len(v.Roster) == 0 {
		v.Roster = nil
	}
	text, _ := json.Marshal(v)     // cannot fail
	_ = json.Unmarshal(text, &all) // nor this
	return all
}

// fuzz tries inputs. After each, a query must show the state that is set.
func (p protocol) fuzz(f *testing.F, all clients, set func(v lobbywire.View), seeds [][]byte,
	try func(all clients, input []byte) error,
) {
	ordinary := p.states()[0].view
	set(ordinary)
	fuzz(f, seeds, func(input []byte) error {
		if err := try(all, input); err != nil {
			return err
		}
		v, err := p.query(all[0])
		if err != nil {
			return err
		}
		return differ(p.shown(ordinary), v)
	})
}

// A fault is a mistake in a server, and what the harness says of it.
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
