package sqpnet_test

import (
	"testing"

	"github.com/lobbywire/lobbywire/sqp"
)

func BenchmarkRespond(b *testing.B) {
	s := newServer(b)
	s.Limits.PerSource, s.Limits.Global = 1<<30, 1<<30
	token := tokenFor(b, s, asker)
	for _, bm := range []struct {
		name string
		req  []byte
	}{
		{"Challenge", make([]byte, sqp.RequestSize)},
		{"ServerInfo", query(b, token, sqp.ChunkServerInfo)},
		{"AllChunks", query(b, token, sqp.AllChunks)},
	} {
		b.Run(bm.name, func(b *testing.B) {
			b.ReportAllocs()
			var dst [][]byte
			for b.Loop() {
				dst, _ = s.Respond(asker, bm.req, dst[:0])
				if len(dst) != 1 {
					b.Fatal("not answered")
				}
			}
		})
	}
}
