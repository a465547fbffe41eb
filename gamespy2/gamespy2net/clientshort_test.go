package gamespy2net_test

import (
	"math/rand/v2"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// An answer that lists fewer players than it counts is Partial. After a short answer in
// one packet, the client queries for a split one.
func TestQueryFlagsShortAnswers(t *testing.T) {
	isPlain := func(req []byte) bool { return len(req) == 10 }
	counts := func(state gamespy2net.State, n string) gamespy2net.State {
		i := slices.IndexFunc(state.Info, func(kv gamespy2.KeyValue) bool { return kv.Key == "numplayers" })
		state.Info[i].Value = n
		return state
	}
	unlisted := sampleState(0)
	unlisted.Players = gamespy2.Table{}
	for _, tt := range []struct {
		name     string
		state    gamespy2net.State
		protocol gamespy2net.Protocol
		keep     func(attempt int, req []byte) bool // the requests that arrive
		partial  bool
		least    int // number of players
		attempts int
	}{
		{"split after plain", sampleState(64), gamespy2net.ProtocolAuto,
			func(n int, _ []byte) bool { return n > 2 }, false, 64, 3},
		{"challenge after plain", sampleState(64), gamespy2net.ProtocolAuto,
			func(n int, req []byte) bool { return n > 5 || isPlain(req) }, false, 64, 4},
		{"plain only", sampleState(64), gamespy2net.ProtocolAuto,
			func(_ int, req []byte) bool { return isPlain(req) }, true, 20, 4},
		{"plain wanted", sampleState(64), gamespy2net.ProtocolPlain, func(int, []byte) bool { return true }, true, 20, 1},
		{"plain and whole", sampleState(6), gamespy2net.ProtocolAuto,
			func(_ int, req []byte) bool { return isPlain(req) }, false, 6, 3},
		{"split, a player is connecting", counts(sampleState(63), "64"), gamespy2net.ProtocolAuto,
			func(int, []byte) bool { return true }, true, 63, 1},
		{"without players", counts(unlisted, "64"), gamespy2net.ProtocolAuto,
			func(int, []byte) bool { return true }, false, 0, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld()
				w.client.Protocol = tt.protocol
				s := &gamespy2net.Server{Challenge: gamespy2net.ChallengeOff}
				if err := s.Set(tt.state); err != nil {
					t.Fatal(err)
				}
				var requests atomic.Int64
				w.serve(t, home, s, func(req []byte) bool { return tt.keep(int(requests.Add(1)), req) })
				a, err := w.client.Query(t.Context(), home.String())
				if n := len(a.Message.Players.Rows); err != nil || a.Partial != tt.partial || a.Attempts != tt.attempts ||
					n < tt.least || n < 64 != (tt.least < 64) {
					t.Errorf("query: %d players, partial %v, %d attempts, %v", n, a.Partial, a.Attempts, err)
				}
				if _, err := a.Message.AppendBinary(nil); err != nil {
					t.Errorf("a whole message cannot be encoded: %v", err)
				}
				requests.Store(0)
				for r := range w.client.ScanViews(t.Context(), slices.Values([]netip.AddrPort{home})) {
					if n := len(r.View.Roster); r.Err != nil || r.Partial != tt.partial || r.Attempts != tt.attempts ||
						n < tt.least || n < 64 != (tt.least < 64) {
						t.Errorf("scan: %d players, partial %v, %d attempts, %v", n, r.Partial, r.Attempts, r.Err)
					}
				}
			})
		})
	}
}

// A server that requires challenges is found although datagrams are lost: once it has
// answered a challenge request, the other forms are not tried.
func TestQueryKeepsTheProtocolThatIsAnswered(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var mu sync.Mutex
	silent := 0
	queries := suite.Pick(100, 300)
	for range queries {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld()
			w.serve(t, home, newServer(t, gamespy2net.ChallengeRequired, 10), nil)
			w.Route = func(p nettest.Packet) []nettest.Packet {
				mu.Lock()
				defer mu.Unlock()
				if r.IntN(20) == 0 {
					return nil
				}
				return []nettest.Packet{p}
			}
			a, err := w.client.Query(t.Context(), home.String())
			switch {
			case err != nil:
				silent++
			case !a.Partial && !cmp.Equal(sampleState(10).Players, a.Message.Players):
				t.Errorf("%+v", a)
			}
		})
	}
	if silent*25 > queries {
		t.Errorf("%d of %d queries got no answer", silent, queries)
	}
}
