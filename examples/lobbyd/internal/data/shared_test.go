package data

import (
	"net/netip"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/entries"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// An entry that the cluster still has from an earlier process of this node has not moved
// to another node.
func TestOwnEntriesInTheClusterHaveNotMoved(t *testing.T) {
	d, now := open(t, t.TempDir()), time.Now()
	w := opened(t, agents, d, now)
	w.Put(server(2, now))
	w.mustWrite(t, now)
	l := agents(d)
	if err := l.restore(now.Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	for _, e := range l.kept {
		e.heard = now.Add(-time.Minute)
	}
	ours := func(string) bool { return true }
	l.Shared(make(nodes), ours).Watch(func(gamespy1net.Entry) {}, func(netip.AddrPort) {})
	if got := l.state(l.form.ID(server(2, now).Game)); got != catalogue.Unchecked {
		t.Errorf("the entry is %q", got)
	}
}

// games is a Store that notes the games of this node.
type games map[string]bool

func (g games) Put(e warzonegames.Entry)                                { g[e.Game.Name] = true }
func (g games) Remove(uint32)                                           {}
func (games) Expire(uint32)                                             {}
func (g games) Watch(func(warzonegames.Entry), func(uint32)) (_ func()) { return func() {} }

// After all nodes were down, each shares the games of proposals that it has restored: their
// hosts announce them only every few minutes.
func TestProposalGamesAreSharedWithoutCheck(t *testing.T) {
	d, now := open(t, t.TempDir()), time.Now()
	list := func() *List[warzonegames.Entry, uint32] { return newList(d, entries.Warzone(), warzonePolicy()) }
	w := list()
	for i, source := range []warzonegames.Source{warzonegames.SourceText, warzonegames.SourceLobby} {
		w.Put(warzonegames.Entry{
			ID: uint32(1 + i), Key: netip.AddrPortFrom(netip.MustParseAddr("192.0.2.1"), uint16(2100+i)),
			Source: source, Game: warzone.Game{Name: source.String()}, Expires: now.Add(time.Minute),
		})
	}
	if err := w.write(now); err != nil {
		t.Fatal(err)
	}
	l, all := list(), make(games)
	if err := l.restore(now); err != nil {
		t.Fatal(err)
	}
	l.Shared(all, func(string) bool { return false }).Watch(func(warzonegames.Entry) {}, func(uint32) {})
	if !all["text"] || len(all) != 1 {
		t.Errorf("shared %v", all)
	}
}
