package warzonegames_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

func fullGames(b *testing.B, n int) (*warzonegames.Games, []uint32) {
	b.Helper()
	g := &warzonegames.Games{Limits: warzonegames.Limits{MaxPerPrefix: n}, MaxListed: n}
	ids := make([]uint32, n)
	for i := range ids {
		ids[i] = gamestest.Add(b, g, gamestest.At(i)).ID
	}
	return g, ids
}

// A change costs the same with any number of games.
func BenchmarkGamesUpdate(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		for _, listed := range []bool{false, true} {
			b.Run(fmt.Sprintf("games=%d/listed=%v", n, listed), func(b *testing.B) {
				g, ids := fullGames(b, n)
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if listed { // so that the page must be copied
						g.ForLobbies().Records(warzone.LayoutVersioned)
					}
					if _, err := g.Update(ids[i%n],
						func(e *warzonegames.Entry) { e.Game.CurrentPlayers++ }); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// The cost of a Keep.
func BenchmarkGamesTouch(b *testing.B) {
	g, ids := fullGames(b, 10_000)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if !g.ForLobbies().Touch(ids[i%len(ids)], time.Time{}) {
			b.Fatal("gone")
		}
	}
}
