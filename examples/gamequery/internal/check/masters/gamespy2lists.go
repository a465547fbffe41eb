package masters

import (
	"bytes"
	"fmt"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

func (m *gameSpyMaster) listsKeys() {
	g, entry := m.listing()
	g.hasKeys(entry, "mapname", "Check", "gametype", "test", "numplayers", "3", "maxplayers", "16")
}

func (m *gameSpyMaster) listsAddress() {
	g := m.new(0)
	want := m.peer().Address(0)
	port := func(port uint16) []byte { return fmt.Appendf(nil, "localport\x00%d\x00", port) }
	g.registerWith(bytes.Replace(g.heartbeat(qr2.StateStart), port(want.Port()), port(want.Port()^1), 1))
	g.listed("")
	l, entry := g.look("")
	got := entry.AddrPort(l.start.DefaultPort)
	if got.Port() != want.Port() || !want.Addr().IsUnspecified() && got.Addr() != want.Addr() {
		m.Failf("it has %s, want %s", got, want)
	}
}

func (m *gameSpyMaster) listsWithOtherKeys() {
	g := m.new(0)
	if bytes.Equal(g.list("").head.Challenge, g.list("").head.Challenge) {
		m.Failf("the challenges of the master are the same")
	}
}

// filters is a case of a filter that matches the server, and a filter that does not.
func filters(right, wrong string) func(m *gameSpyMaster) {
	return func(m *gameSpyMaster) {
		g, _ := m.listing()
		m.In(fmt.Sprintf("%q", right), func() { g.listed(right) })
		m.In(fmt.Sprintf("%q", wrong), func() { g.absent(wrong) })
	}
}

func (m *gameSpyMaster) listsNothing() {
	g, _ := m.listing()
	request := g.request("")
	request.Options |= sb2.OptionNoList
	_, err := sb2.ParseAnswer(m.converse(inOrder(check.MustBinary(request)), nil), m.game.Key, request)
	m.Check(err)
}

func (m *gameSpyMaster) limitsList() {
	for server := range 2 {
		listed(m, server)
	}
	g := m.servers[0]
	request := g.request("")
	request.Options |= sb2.OptionLimit
	request.MaxServers = 1
	if n := len(g.listIn(request, check.MustBinary(request)).servers); n != 1 {
		m.Failf("%d servers, want 1", n)
	}
}

func (m *gameSpyMaster) sendsRules() {
	g, entry := m.listing()
	g.rules(entry)
}

// refusesList is a case of a list request that is changed, and must get no list with the server.
func refusesList(filter string, change func(game Game, b []byte) []byte) func(m *gameSpyMaster) {
	return func(m *gameSpyMaster) {
		g, _ := m.listing()
		g.refused(g.request(filter), func(b []byte) []byte { return change(m.game, b) })
	}
}

func ofOtherGame(game Game, b []byte) []byte {
	return bytes.ReplaceAll(b, []byte(game.Name), bytes.Repeat([]byte("x"), len(game.Name)))
}

func (m *gameSpyMaster) readsPieces() {
	g, _ := m.listing()
	request := g.request("")
	if _, n := g.find(g.listIn(request, check.Pieces(check.MustBinary(request), 1, 40)...)); n != 1 {
		m.Fail(check.ErrNotListed)
	}
}
