package web_test

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/admission"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/roster"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/web"
)

var asked = time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC)

// answered returns a Server whose servers answer with players, or an error.
func answered(err error) func(*web.Server) {
	return func(s *web.Server) {
		s.Players = func(context.Context, *catalogue.Entry) (roster.Players, error) {
			players := []lobbywire.Player{{Name: "^cff0000An^rgelo<b>", Score: new(14), Ping: new(80)}, {Name: "\u202e\xff"}}
			return roster.Players{Asked: asked, Players: players}, err
		}
	}
}

func TestAPIShowsPlayers(t *testing.T) {
	s := show(t, answered(nil))
	gun, _, _ := three()
	s.set(gun)
	const want = `{"asked":"2026-01-02T03:00:00Z","players":[{"name":"Angelo\u003cb\u003e","colours":[["An","#ff0000"],["gelo\u003cb\u003e",""]],"score":14,"ping":80},{"name":"⟨202E⟩�"}]}`
	if w := s.ask("GET", "/api/servers/gameagent-1/players"); w.Body.String() != want {
		t.Errorf("got %s", w.Body)
	}
	if w := s.ask("GET", "/api/servers/none/players"); w.Code != http.StatusNotFound {
		t.Errorf("another: %d", w.Code)
	}
	for err, want := range map[error]int{
		roster.ErrNoQuery: 404, roster.ErrBusy: 503, errors.New("silent"): 504,
	} {
		s := show(t, answered(err))
		s.set(gun)
		if w := s.ask("GET", "/api/servers/gameagent-1/players"); w.Code != want {
			t.Errorf("%v: %d", err, w.Code)
		}
	}
}

// Requests for players count as costly, whether or not they need a query.
func TestPlayersAreLimited(t *testing.T) {
	s := show(t, func(s *web.Server) {
		answered(nil)(s)
		s.Limiter = &admission.Limiter{Rates: lobbywire.Rates{PerSource: 20}}
	})
	gun, _, _ := three()
	s.set(gun)
	n := 0
	for s.ask("GET", "/api/servers/gameagent-1/players").Code == http.StatusOK && n < 100 {
		n++
	}
	if n == 0 || n > 10 {
		t.Errorf("%d requests are answered", n)
	}
}

func TestPageShowsPlayers(t *testing.T) {
	b := browse(t)
	s := show(t, answered(nil))
	gun, _, _ := three()
	gun.Query = netip.MustParseAddrPort("192.0.2.2:25601")
	s.set(gun)
	b.open(s.URL + "/server/gameagent-1")
	b.Until(
		`document.querySelector("#players tbody")?.innerText.replace(/\s+/g, " ").trim() ===
			"Angelo<b> 14 80 ⟨202E⟩� – –"`)
	gun.Query = netip.AddrPort{}
	s.set(gun)
	b.Until(`document.getElementById("players").hidden`)
	b.Clean()
}
