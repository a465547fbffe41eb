package proposalnet

import (
	"fmt"
	"testing"

	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

// newBenchLobby returns a lobby with 10 000 games, which has sent a list.
func newBenchLobby(b *testing.B, p Proposal) *Lobby {
	l := &Lobby{Proposal: p, Games: new(warzonegames.Games)}
	l.server.Once.Do(l.init)
	for i := range 10_000 {
		e := warzonegames.Entry{Key: gamestest.Key(256 * i), Source: p.dialect().facts().source,
			Game: gamestest.Named(fmt.Sprintf("Game %d", i))}
		_, err := l.Games.Add(e)
		fatalIf(b, err)
	}
	l.lister.rows.List()
	return l
}

// change changes game 0.
func change(b *testing.B, l *Lobby) {
	e, _ := l.Games.ForLobbies().Find(gamestest.Key(0))
	_, err := l.Games.Update(e.ID, func(e *warzonegames.Entry) { e.Game.MaxPlayers++ })
	fatalIf(b, err)
}

// The cost of an unchanged list, before it is written.
func BenchmarkList(b *testing.B) {
	for _, p := range []Proposal{Text, Binary, JSON} {
		b.Run(p.String(), func(b *testing.B) {
			l := newBenchLobby(b, p)
			b.ReportAllocs()
			for b.Loop() {
				l.lister.rows.List()
			}
		})
	}
}

// A game changes and the list is requested.
func BenchmarkChangeAndList(b *testing.B) {
	for _, p := range []Proposal{Text, Binary, JSON} {
		b.Run(p.String(), func(b *testing.B) {
			l := newBenchLobby(b, p)
			b.SetBytes(int64(len(l.lister.rows.List())))
			b.ReportAllocs()
			for b.Loop() {
				change(b, l)
				l.lister.rows.List()
			}
		})
	}
}

// A game changes at a lobby that has sent a list before.
func BenchmarkChange(b *testing.B) {
	for _, p := range []Proposal{Text, Binary, JSON} {
		b.Run(p.String(), func(b *testing.B) {
			l := newBenchLobby(b, p)
			b.ReportAllocs()
			for b.Loop() {
				change(b, l)
			}
		})
	}
}

// The most expensive filter that a lobby accepts: it passes no game, and all texts have the
// lengths of those in the list.
func BenchmarkFilter(b *testing.B) {
	l := newBenchLobby(b, JSON)
	filter := make([]wzjson.Fields, maxFilter)
	for i := range filter {
		filter[i].Name = new(fmt.Sprintf("Gome %d", 1000+i))
	}
	b.ReportAllocs()
	for b.Loop() {
		l.lister.rows.Read(func(rows []row) { l.lister.join(rows, filter) })
	}
}
