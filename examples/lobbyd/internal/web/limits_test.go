package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/admission"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/web"
)

// Searches count by the number of servers, and lists by their size. Answers that the
// client already has do not count.
func TestLargeAnswersCostMore(t *testing.T) {
	for _, tt := range []struct {
		name, path string
		answered   int // with 20 units
	}{
		{"a search", "/api/servers?q=nothing", 10}, // of 3000 servers: 2 units
		{"a page of a search", "/?q=nothing", 3},   // the search, and 4 units for rows
		{"a page", "/", 40},
		{"a list", "/api/servers?quarantined=1", 2}, // 1 MiB: 8 units
		{"one server", "/api/servers/no", 40},       // which only Limit counts
	} {
		t.Run(tt.name, func(t *testing.T) {
			limited := func(s *web.Server) { s.Limiter = &admission.Limiter{Rates: lobbywire.Rates{PerSource: 20}} }
			onStage(t, limited, func(t *testing.T, s *stage) {
				s.set(evening(3000)...)
				answered, tag := 0, ""
				for range 40 {
					w := s.ask(http.MethodGet, tt.path)
					if w.Code == http.StatusTooManyRequests {
						if w.Header().Get("Retry-After") == "" || w.Header().Get("ETag") != "" {
							t.Errorf("refused with %v", w.Header())
						}
						break
					}
					answered++
					tag = w.Header().Get("ETag")
				}
				if answered != tt.answered {
					t.Errorf("answered %d", answered)
				}
				if tag == "" {
					return
				}
				if w := s.ask(http.MethodGet, tt.path, "If-None-Match: "+tag); w.Code != http.StatusNotModified {
					t.Errorf("with the tag: %d", w.Code)
				}
			})
		})
	}
}

// A filtered list contains exactly the servers that match, whether they are adjacent or not.
func TestFilteredListsHaveWhatMatches(t *testing.T) {
	type server struct{ ID, Game, Name, Map, Mode, Version, Address, Source, Node string }
	onStage(t, nil, func(t *testing.T, s *stage) {
		s.set(evening(300)...)
		var all struct{ Servers []server }
		s.get(t, "/api/servers", &all)
		for _, q := range []string{"1", "12", "9", "299", ".", "none%20of%20them"} {
			var want []server
			for _, of := range all.Servers {
				text := strings.Join([]string{of.Name, of.Game, of.Map, of.Mode, of.Version, of.Address, of.Source, of.Node}, " ")
				if strings.Contains(strings.ToLower(text), q) {
					want = append(want, of)
				}
			}
			var got struct{ Servers []server }
			s.get(t, "/api/servers?q="+q, &got)
			if diff := cmp.Diff(want, got.Servers, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%q (-want +got):\n%s", q, diff)
			}
		}
	})
}
