package masters

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

func (m *gameSpyMaster) listsKeys() error {
	_, entry, err := m.listing()
	if err != nil {
		return err
	}
	return hasKeys(entry, "mapname", "Check", "gametype", "test", "numplayers", "3", "maxplayers", "16")
}

func (m *gameSpyMaster) listsAddress() error {
	g := m.new(0)
	want := m.peer().Address(0)
	port := func(port uint16) []byte { return fmt.Appendf(nil, "localport\x00%d\x00", port) }
	heartbeat := bytes.Replace(g.heartbeat(qr2.StateStart), port(want.Port()), port(want.Port()^1), 1)
	if err := g.registerWith(heartbeat); err != nil {
		return err
	}
	if _, err := g.listed(""); err != nil {
		return err
	}
	l, entry, err := g.look("")
	if err != nil {
		return err
	}
	got := entry.AddrPort(l.start.DefaultPort)
	if got.Port() != want.Port() || !want.Addr().IsUnspecified() && got.Addr() != want.Addr() {
		return fmt.Errorf("it has %s, want %s", got, want)
	}
	return nil
}

func (m *gameSpyMaster) listsWithOtherKeys() error {
	g := m.new(0)
	first, err := g.list(g.request(""))
	if err != nil {
		return err
	}
	second, err := g.list(g.request(""))
	if err == nil && bytes.Equal(first.head.Challenge, second.head.Challenge) {
		err = errors.New("the challenges of the master are the same")
	}
	return err
}

// filters is a case of a filter that matches the server, and one that does not.
func filters(right, wrong string) func(m *gameSpyMaster) error {
	return func(m *gameSpyMaster) error {
		g, _, err := m.listing()
		if err != nil {
			return err
		}
		if _, err := g.listed(right); err != nil {
			return fmt.Errorf("%q: %w", right, err)
		}
		if err := g.absent(wrong); err != nil {
			return fmt.Errorf("%q: %w", wrong, err)
		}
		return nil
	}
}

func (m *gameSpyMaster) listsNothing() error {
	g, _, err := m.listing()
	if err != nil {
		return err
	}
	request := g.request("")
	request.Options |= sb2.OptionNoList
	heard, err := m.converse(inOrder(check.MustBinary(request)), nil)
	if err == nil {
		_, err = sb2.ParseAnswer(heard, m.game.Key, request)
	}
	return err
}

func (m *gameSpyMaster) limitsList() error {
	for server := range 2 {
		if err := listed(m, server); err != nil {
			return err
		}
	}
	g := m.servers[0]
	request := g.request("")
	request.Options |= sb2.OptionLimit
	request.MaxServers = 1
	l, err := g.list(request)
	if err == nil && len(l.servers) != 1 {
		err = fmt.Errorf("%d servers, want 1", len(l.servers))
	}
	return err
}

func (m *gameSpyMaster) sendsRules() error {
	g, entry, err := m.listing()
	if err != nil {
		return err
	}
	return g.rules(entry)
}

// refusesList is a case of a list request that is changed, and must get no list with the server.
func refusesList(filter string, change func(game Game, b []byte) []byte) func(m *gameSpyMaster) error {
	return func(m *gameSpyMaster) error {
		g, _, err := m.listing()
		if err != nil {
			return err
		}
		return g.refused(g.request(filter), func(b []byte) []byte { return change(m.game, b) })
	}
}

func ofOtherGame(game Game, b []byte) []byte {
	return bytes.ReplaceAll(b, []byte(game.Name), bytes.Repeat([]byte("x"), len(game.Name)))
}

func (m *gameSpyMaster) readsPieces() error {
	g, _, err := m.listing()
	if err != nil {
		return err
	}
	request := g.request("")
	l, err := g.listIn(request, check.Pieces(check.MustBinary(request), 1, 40)...)
	if err == nil {
		_, err = g.find(l)
	}
	return err
}
