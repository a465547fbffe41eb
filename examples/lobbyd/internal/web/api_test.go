package web_test

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/web"
)

// ask sends a request, with headers as "Name: value", and returns the answer.
func (s *shown) ask(method, path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Add(name, value)
	}
	w := httptest.NewRecorder()
	s.web.ServeHTTP(w, r)
	return w
}

func (s *shown) get(t *testing.T, path string, into any) {
	t.Helper()
	w := s.ask("GET", path)
	if w.Code != http.StatusOK {
		t.Fatalf("%s: %d %s", path, w.Code, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

func TestAPIListsServers(t *testing.T) {
	s := show(t, nil)
	gun, rush, bomb := three()
	gun.Game, gun.Map, gun.Players, gun.MaxPlayers = "serioussamse", "Karnak\x00", -1, -1
	rush.Reach, bomb.Quarantine = "", "absurd"
	s.set(gun, rush, bomb)
	for path, want := range map[string][]string{
		"/api/servers":                                         {"gameagent-1", "warzone-2"},
		"/api/servers?quarantined=1":                           {"bomberman-3", "gameagent-1", "warzone-2"},
		"/api/servers?family=warzone":                          {"warzone-2"},
		"/api/servers?family=bomberman":                        {},
		"/api/servers?q=seriousSAMse":                          {"gameagent-1"},
		"/api/servers?game=SeriousSamSE":                       {"gameagent-1"},
		"/api/servers?game=serioussam":                         {},
		"/api/servers?q=kARN":                                  {"gameagent-1"},
		"/api/servers?q=oslo&family=bomberman&quarantined=1":   {"bomberman-3"},
		"/api/servers?q=" + strings.Repeat("x", 256):           {},
		"/api/servers?q=192.0.2.3%3A2102&unknown=%zz&family=":  {"warzone-2"},
		"/api/servers?family=gameagent&q=%22%5D%2C%22&q=other": {},
	} {
		var got struct {
			Version string
			Servers []struct{ ID string }
		}
		s.get(t, path, &got)
		ids := []string{}
		for _, server := range got.Servers {
			ids = append(ids, server.ID)
		}
		if diff := cmp.Diff(want, ids); diff != "" || !strings.HasSuffix(got.Version, "-3") {
			t.Errorf("%s: version %q\n%s", path, got.Version, diff)
		}
	}
	for path, want := range map[string]int{
		"/api/servers?family=quake":                  400,
		"/api/servers?q=" + strings.Repeat("x", 257): 400,
		"/api/servers/warzone-9":                     404,
		"/api/servers/":                              404,
		"/api/servers/..%2fgameagent-1":              404,
		"/api":                                       404,
		"/server/warzone-9":                          404,
		"/assets/none.js":                            404,
		"/assets/":                                   404,
		"/assets/../server.go":                       307, // redirected by net/http to the clean path
		"/server/" + strings.Repeat("%ff", 1000) + "?q=%": 404,
	} {
		if got := s.ask("GET", path).Code; got != want {
			t.Errorf("%s: got %d, want %d", path, got, want)
		}
	}

	var got map[string]any
	s.get(t, "/api/servers/gameagent-1", &got)
	stamp := gun.Seen.UTC().Format(time.RFC3339)
	want := map[string]any{
		"id": "gameagent-1", "family": "gameagent", "source": "gameagent", "node": "oslo", "address": "192.0.2.2:2101",
		"game": "serioussamse", "name": "Gun", "map": "Karnak⟨00⟩", "mode": "", "version": "", "reach": "reachable",
		"verified": true, "queryable": false,
		"since": gun.Since.UTC().Format(time.RFC3339), "seen": stamp,
		"fields": []any{[]any{"name", "Gun"}, []any{"players", "3"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("one server:\n%s", diff)
	}
	got = nil
	s.get(t, "/api/servers/warzone-2", &got)
	if got["players"] != 5.0 || got["maxPlayers"] != 8.0 || got["reach"] != "unknown" {
		t.Errorf("got %v", got)
	}
}

// The API and the page of a game have its spectators, if they are known.
func TestAPIHasSpectators(t *testing.T) {
	s := show(t, nil)
	gun, rush, bomb := three()
	rush.Spectators = catalogue.Spectators{Known: true, Now: 2, Max: 10}
	bomb.Spectators = catalogue.Spectators{Known: true}
	s.set(gun, rush, bomb)
	for id, want := range map[string]struct {
		spectators, places any
		page               string
	}{
		"gameagent-1": {nil, nil, `<dd data-fact="spectators"></dd>`},
		"warzone-2":   {2.0, 10.0, `<dd data-fact="spectators">2 of 10 spectators</dd>`},
		"bomberman-3": {0.0, 0.0, `<dd data-fact="spectators">0 of 0 spectators</dd>`},
	} {
		var got map[string]any
		s.get(t, "/api/servers/"+id, &got)
		if got["spectators"] != want.spectators || got["maxSpectators"] != want.places {
			t.Errorf("%s: %v of %v", id, got["spectators"], got["maxSpectators"])
		}
		if page := s.ask("GET", "/server/"+id).Body.String(); !strings.Contains(page, want.page) {
			t.Errorf("%s: the page has no %s", id, want.page)
		}
	}
}

func TestAPIShowsHistory(t *testing.T) {
	s := show(t, nil)
	var got struct {
		Span   int
		Points []struct {
			Time             time.Time
			Servers, Players int
		}
	}
	s.get(t, "/api/history", &got)
	if got.Span != 600 || got.Points == nil || len(got.Points) != 0 {
		t.Errorf("of nothing: %+v", got)
	}
	s.day(evening(20))
	s.get(t, "/api/history", &got)
	last := got.Points[len(got.Points)-1]
	if len(got.Points) != 137 || last.Servers != 19 || !last.Time.Equal(s.now.Truncate(catalogue.Span)) {
		t.Errorf("%d points, the last is %+v", len(got.Points), last)
	}
	for _, tt := range []struct {
		query                 string
		span, points, servers int
	}{
		{"?range=day", 600, 137, 19}, {"?range=week", 3600, 0, 19}, {"?range=month", 14400, 0, 19},
		{"?game=WARZONE2100", 600, 137, 7}, {"?range=week&game=warzone2100", 3600, 0, 7}, {"?game=none", 600, -1, 0},
	} {
		s.get(t, "/api/history"+tt.query, &got)
		if got.Span != tt.span || tt.points > 0 && len(got.Points) != tt.points || tt.points < 0 && len(got.Points) > 0 {
			t.Errorf("%s: %d points of %d s", tt.query, len(got.Points), got.Span)
		}
		if tt.points >= 0 && got.Points[len(got.Points)-1].Servers != tt.servers {
			t.Errorf("%s: the last is %+v", tt.query, got.Points[len(got.Points)-1])
		}
	}
	if w := s.ask("GET", "/api/history?range=year"); w.Code != 400 {
		t.Errorf("a year: %d", w.Code)
	}
}

// The zero Server shows empty lists.
func TestZeroServerShowsEmptyLists(t *testing.T) {
	s := &shown{web: new(web.Server)}
	for _, path := range []string{"/", "/api/servers", "/api/history"} {
		if w := s.ask("GET", path); w.Code != 200 {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	if err := s.web.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
}

// A client gets a list again only if it has changed.
func TestListIsSentOnlyIfChanged(t *testing.T) {
	s := show(t, nil)
	gun, rush, bomb := three()
	s.set(gun, rush)
	paths := []string{
		"/", "/server/gameagent-1",
		"/api/servers", "/api/servers?q=gun", "/api/servers?quarantined=1", "/api/servers/gameagent-1", "/api/history",
		"/assets/base.css", "/assets/list.js", "/assets/icon.svg",
	}
	for _, path := range paths {
		first := s.ask("GET", path)
		tag := first.Header().Get("ETag")
		if strings.HasPrefix(path, "/api") || strings.HasPrefix(path, "/assets") {
			for _, header := range []string{tag, `"other", W/` + tag, "*"} {
				if again := s.ask("GET", path, "If-None-Match: "+header); again.Code != 304 || again.Body.Len() > 0 ||
					again.Header().Get("ETag") != tag {
					t.Errorf("%s with %s: %d %s", path, header, again.Code, again.Body)
				}
			}
			if tag == "" || strings.HasPrefix(tag, "W/") {
				t.Errorf("%s: the tag is %s", path, tag)
			}
		}
		if head := s.ask("HEAD", path); head.Code != 200 || head.Body.Len() > 0 ||
			head.Header().Get("Content-Length") != fmt.Sprint(first.Body.Len()) || head.Header().Get("ETag") != tag {
			t.Errorf("HEAD %s: %d %v", path, head.Code, head.Header())
		}
	}

	before := s.ask("GET", "/api/servers").Header().Get("ETag")
	s.set(gun, rush, bomb)
	if w := s.ask("GET", "/api/servers", "If-None-Match: "+before); w.Code != 200 {
		t.Errorf("after a change: %d", w.Code)
	}
	other := show(t, nil)
	other.set(gun, rush)
	if other.ask("GET", "/api/servers").Header().Get("ETag") == before {
		t.Error("another process has the same tag")
	}
	// A later Seen time changes the list.
	before = s.ask("GET", "/api/servers").Header().Get("ETag")
	s.now = s.now.Add(time.Minute)
	s.set(gun, rush, bomb)
	if w := s.ask("GET", "/api/servers", "If-None-Match: "+before); w.Code != 200 {
		t.Errorf("a minute later: %d", w.Code)
	}
}

func TestAnswersAreCompressed(t *testing.T) {
	s := show(t, nil)
	s.set(evening(100)...)
	for _, path := range []string{"/api/servers", "/api/servers?family=warzone", "/api/servers?q=a"} {
		t.Run(path, func(t *testing.T) { testGzip(t, s, path) })
	}
	w := s.ask("GET", "/api/servers?q=none+of+them", "Accept-Encoding: gzip")
	if w.Header().Get("Content-Encoding") != "" {
		t.Errorf("%d bytes are compressed", w.Body.Len())
	}
}

func testGzip(t *testing.T, s *shown, path string) {
	plain := s.ask("GET", path)
	for header, want := range map[string]bool{
		"gzip": true, "br, gzip;q=0.5": true, "deflate , gzip": true,
		"": false, "br": false, "gzip;q=0": false, "gzip; q=0.000": false, "xgzip": false,
	} {
		w := s.ask("GET", path, "Accept-Encoding: "+header)
		zipped := w.Header().Get("Content-Encoding") == "gzip"
		if zipped != want || w.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("%q: %v", header, w.Header())
		}
		if !zipped {
			continue
		}
		r, err := gzip.NewReader(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || string(got) != plain.Body.String() {
			t.Errorf("%q: another list, %v", header, err)
		}
		tag := w.Header().Get("ETag")
		if tag == plain.Header().Get("ETag") {
			t.Error("other bytes have the same tag")
		}
		if w := s.ask("GET", path, "Accept-Encoding: gzip", "If-None-Match: "+tag); w.Code != 304 ||
			w.Header().Get("Content-Encoding") != "" {
			t.Errorf("again: %d %v", w.Code, w.Header())
		}
	}
}

// All answers have the security headers, and the API is read-only.
func TestAnswersHaveSecurityHeaders(t *testing.T) {
	s := show(t, func(s *web.Server) { s.Title = "<b>" })
	gun, _, _ := three()
	gun.Name = "<script>alert(1)</script>"
	s.set(gun)
	for _, path := range []string{"/", "/server/gameagent-1", "/server/none", "/api/servers", "/api/servers/none",
		"/api/events", "/assets/list.js", "/none"} {
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "BREW"} {
			if path == "/api/events" && method == "GET" {
				continue // ends only when the client disconnects
			}
			w := s.ask(method, path)
			h := w.Header()
			csp := strings.Split(h.Get("Content-Security-Policy"), "; ")
			for _, want := range []string{
				"default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self'",
				"base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
			} {
				if !slices.Contains(csp, want) {
					t.Errorf("%s %s: no %s in %v", method, path, want, csp)
				}
			}
			if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") != "no-referrer" {
				t.Errorf("%s %s: %v", method, path, h)
			}
			reads := method == "GET" || method == "HEAD"
			if !reads && (w.Code != 405 || h.Get("Allow") != "GET, HEAD") {
				t.Errorf("%s %s: %d %v", method, path, w.Code, h)
			}
			if open := h.Get("Access-Control-Allow-Origin") == "*"; open != (reads &&
				strings.HasPrefix(path, "/api/")) {
				t.Errorf("%s %s: open to others: %v", method, path, open)
			}
			if strings.Contains(w.Body.String(), "<script>") || strings.Contains(w.Body.String(), "<b>") {
				t.Errorf("%s %s: not escaped:\n%s", method, path, w.Body)
			}
		}
	}
}
