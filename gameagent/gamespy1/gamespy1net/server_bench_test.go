package gamespy1net_test

import "testing"

// BenchmarkRespond measures a query without system calls.
func BenchmarkRespond(b *testing.B) {
	for _, status := range []struct {
		name    string
		players int
	}{{"0 players", 0}, {"16 players", 16}, {"180 players", 180}} {
		b.Run(status.name, func(b *testing.B) {
			s := newServer(b, crowd(status.players, 20))
			s.Limits.PerSource, s.Limits.Global = 1<<30, 1<<30
			req := []byte(`\status\`)
			var dst [][]byte
			b.ReportAllocs()
			for b.Loop() {
				dst, _ = s.Respond(asker, req, dst[:0])
			}
			if len(dst) == 0 {
				b.Fatal("not answered")
			}
		})
	}
}
