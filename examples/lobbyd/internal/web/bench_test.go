package web_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/web"
)

// BenchmarkPage requests the page with ten thousand servers, the page of one, and their
// histories of a day.
func BenchmarkPage(b *testing.B) {
	s := new(shown)
	s.web = &web.Server{Catalogue: &s.all}
	all := evening(10_000)
	s.now = time.Now().Add(-24 * time.Hour)
	for n := range 24 * 6 { // a day, the length of the history
		all[0].Players = n % 10
		s.set(all...)
		s.now = s.now.Add(10 * time.Minute)
	}
	one := all[0].ID
	for _, bench := range []struct{ name, path string }{
		{"page", "/"},
		{"page-search", "/?q=harbour"},
		{"server", "/server/" + one},
		{"history", "/api/history"},
		{"server-history", "/api/servers/" + one + "/history"},
	} {
		b.Run(bench.name, func(b *testing.B) {
			r := httptest.NewRequest(http.MethodGet, bench.path, nil)
			size := 0
			b.ReportAllocs()
			for b.Loop() {
				w := httptest.NewRecorder()
				s.web.ServeHTTP(w, r)
				if w.Code != http.StatusOK {
					b.Fatalf("status %d", w.Code)
				}
				size = w.Body.Len()
			}
			b.ReportMetric(float64(size), "bytes/answer")
		})
	}
}

// BenchmarkList requests a list of ten thousand servers: after a change, from the
// cache, and with a search.
func BenchmarkList(b *testing.B) {
	s := new(shown)
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
