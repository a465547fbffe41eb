package warzonegames_test

import (
	"errors"
	"net/netip"
	"testing"

	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// Limits may change while games are open, which stay open.
func TestLimitsChangeWhileGamesAreOpen(t *testing.T) {
	g := &warzonegames.Games{Limits: warzonegames.Limits{MaxPerAddress: 1}}
	add := func(port uint16) error {
		_, err := g.Add(warzonegames.Entry{Key: netip.AddrPortFrom(netip.MustParseAddr("192.0.2.1"), port),
			Source: warzonegames.SourceText, Game: warzone.Game{Name: "Game"}})
		return err
	}
	for i, step := range []struct {
		limit int
		want  error
	}{{1, nil}, {1, warzonegames.ErrFull}, {2, nil}, {1, warzonegames.ErrFull}, {0, nil}} {
		g.SetLimits(warzonegames.Limits{MaxPerAddress: step.limit})
		if err := add(uint16(2100 + i)); !errors.Is(err, step.want) {
			t.Errorf("%d with a limit of %d: %v, want %v", i, step.limit, err, step.want)
		}
	}
	if n := g.Stats().Listed; n != 3 {
		t.Errorf("%d games", n)
	}
}
