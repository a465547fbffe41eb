package gameagentnet_test

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// A scan for views has rosters if it is to request the players.
func TestScanViewsWithPlayers(t *testing.T) {
	for _, tt := range []struct {
		name     string
		lose     func(b []byte) bool // which answers
		players  int
		partial  bool
		attempts int
	}{
		{"whole", func([]byte) bool { return false }, 100, false, 1},
		{"no players", func(b []byte) bool { return b[0] != '0' }, 0, true, 4},
		{"the first is lost", func(b []byte) bool { return b[0] == 1 }, 60, true, 4},
		{"one from the middle is lost", func(b []byte) bool {
			return strings.HasPrefix(string(b), "player_") && b[len(b)-1] != 4
		}, 40, true, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld()
				w.Serve(t, home, unlimited(t, crowd(100, 20)))
				w.Route = drop(tt.lose)
				w.client.ViewPlayers = true
				n := 0
				for r := range w.client.ScanViews(t.Context(), slices.Values([]netip.AddrPort{home})) {
					n++
					full, ok := r.Answer.(gameagentnet.FullStatus)
					if r.Err != nil || !ok || r.Partial != tt.partial || r.Attempts != tt.attempts {
						t.Errorf("partial %v, %d attempts, %T, %v", r.Partial, r.Attempts, r.Answer, r.Err)
					}
					if got := len(r.View.Roster); got < tt.players || got == 100 != (tt.players == 100) ||
						len(full.Players.Players) != got {
						t.Errorf("%d players", got)
					}
					if r.View.Name != full.Status.View().Name || *r.View.Players != 100 ||
						r.View.Roster == nil != (tt.players == 0) {
						t.Errorf("view %+v", r.View)
					}
				}
				if n != 1 {
					t.Errorf("%d results", n)
				}
			})
		})
	}
}

// A query for the players that is lost is repeated.
func TestFullStatusRepeatsTheSecondQuery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		s := newServer(t, crowd(10, 20))
		requests := 0
		w.Serve(t, home, func(from netip.AddrPort, req []byte) [][]byte {
			requests++
			if requests == 2 {
				return nil
			}
			return nettest.Answers(s.Respond(from, req, nil))
		})
		start := time.Now()
		a, err := w.client.FullStatus(t.Context(), home.String())
		if err != nil || a.Partial || len(a.Message.Players.Players) != 10 || a.Attempts != 1 ||
			time.Since(start) != 500*time.Millisecond {
			t.Errorf("%+v, %v after %v", a, err, time.Since(start))
		}
	})
}
