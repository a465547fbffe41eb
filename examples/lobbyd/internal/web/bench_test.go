package web_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/web"
)

// BenchmarkList requests a list of ten thousand servers: after a change, from the
// cache, and with a search.
func BenchmarkList(b *testing.B) {
	s := &shown{has: make(map[catalogue.Family][]catalogue.Entry)}
	s.web = &web.Server{Catalogue: &s.all}
	all := evening(10_000)
	for _, bench := range []struct {
		name, path, encoding string
		changing             bool
	}{
		{"changed", "/api/servers", "", true},
		{"changed-gzip", "/api/servers", "gzip", true},
		{"same", "/api/servers", "", false},
		{"same-gzip", "/api/servers", "gzip", false},
		{"search", "/api/servers?q=harbour", "", false},
	} {
		b.Run(bench.name, func(b *testing.B) {
			s.set(all...)
			r := httptest.NewRequest(http.MethodGet, bench.path, nil)
			r.Header.Set("Accept-Encoding", bench.encoding)
			size := 0
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				if bench.changing {
					b.StopTimer()
					all[0].Players = n
					s.set(all...)
					b.StartTimer()
				}
				w := httptest.NewRecorder()
				s.web.ServeHTTP(w, r)
				size = w.Body.Len()
			}
			b.ReportMetric(float64(size), "bytes/list")
		})
	}
}
