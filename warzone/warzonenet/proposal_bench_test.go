package warzonenet

import (
	"fmt"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

const benchGames = 10_000

// newBenchGames returns games of 10 000 addresses.
func newBenchGames(b *testing.B, source warzonegames.Source) *warzonegames.Games {
	g := new(warzonegames.Games)
	for i := range benchGames {
		_, err := g.Add(warzonegames.Entry{Key: gamestest.Key(256 * i), Source: source, Game: gamestest.Named(fmt.Sprintf("Game %d", i))})
		fatalIf(b, err)
	}
	return g
}

// listerOf returns a function that returns the list of a server.
func listerOf(b *testing.B, s server) func() []byte {
	switch l := s.(type) {
	case *ProposalLobby:
		l.server.Once.Do(l.init)
		return l.rows.List
	case *JSONLobby:
		l.server.Once.Do(l.init)
		return l.rows.List
	}
	b.Fatalf("%T is no server of a proposal", s)
	return nil
}

// change changes game 0.
func change(b *testing.B, g *warzonegames.Games) {
	e, _ := g.Find(gamestest.Key(0))
	_, err := g.Update(e.ID, func(e *warzonegames.Entry) { e.Game.MaxPlayers++ })
	fatalIf(b, err)
}

// The cost of an unchanged list, before it is written.
func BenchmarkProposalList(b *testing.B) {
	for _, p := range proposals() {
		b.Run(p.source.String(), func(b *testing.B) {
			list := listerOf(b, p.serve(newBenchGames(b, p.source), lobbywire.ConnLimits{}))
			b.ReportAllocs()
			for b.Loop() {
				list()
			}
		})
	}
}

// A game changes and the list is requested.
func BenchmarkProposalChangeAndList(b *testing.B) {
	for _, p := range proposals() {
		b.Run(p.source.String(), func(b *testing.B) {
			g := newBenchGames(b, p.source)
			list := listerOf(b, p.serve(g, lobbywire.ConnLimits{}))
			b.SetBytes(int64(len(list())))
			b.ReportAllocs()
			for b.Loop() {
				change(b, g)
				list()
			}
		})
	}
}

// A game changes, without a list being requested, at a server that has sent one
// before. The difference to "without" is what the server adds.
func BenchmarkProposalChange(b *testing.B) {
	b.Run("without", func(b *testing.B) {
		g := newBenchGames(b, warzonegames.SourceText)
		b.ReportAllocs()
		for b.Loop() {
			change(b, g)
		}
	})
	for _, p := range proposals() {
		b.Run(p.source.String(), func(b *testing.B) {
			g := newBenchGames(b, p.source)
			listerOf(b, p.serve(g, lobbywire.ConnLimits{}))()
			b.ReportAllocs()
			for b.Loop() {
				change(b, g)
			}
		})
	}
}

// The most expensive filter that a server accepts: it passes no game.
func BenchmarkProposalFilter(b *testing.B) {
	l := JSONLobby{Games: newBenchGames(b, warzonegames.SourceJSON)}
	l.server.Once.Do(l.init)
	filter := make([]wzjson.Fields, maxFilter)
	for i := range filter {
		other := fmt.Sprintf("Other %d", i)
		filter[i].Map = &other
	}
	l.rows.List() // makes the rows
	b.ReportAllocs()
	for b.Loop() {
		_, err := l.filtered(filter)
		fatalIf(b, err)
	}
}
