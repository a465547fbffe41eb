package gamespy2net_test

import (
	"testing"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
)

func BenchmarkRespond(b *testing.B) {
	s := newServer(b, gamespy2net.ChallengeOffered, 16)
	s.Limits.PerSource, s.Limits.Global = 1<<30, 1<<30
	s.Limits.Unverified = s.Limits.Rates
	basic := gamespy2.Request{Type: gamespy2.TypeQuery, Info: gamespy2.Keys(1, 2, 3, 4, 5, 6, 7, 8)}
	for _, bm := range []struct {
		name string
		req  []byte
	}{
		{"Challenge", wireOf(b, gamespy2.Request{Type: gamespy2.TypeChallenge})},
		{"Basic", wireOf(b, basic)},
		{"Plain", wireOf(b, fullQuery(0))},
		{"Split", wireOf(b, fullQuery(gamespy2.FlagSplit))},
	} {
		b.Run(bm.name, func(b *testing.B) {
			b.ReportAllocs()
			var dst [][]byte
			for b.Loop() {
				dst, _ = s.Respond(asker, bm.req, dst[:0])
				if len(dst) == 0 {
					b.Fatal("not answered")
				}
			}
		})
	}
}
