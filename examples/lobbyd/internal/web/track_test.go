package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

// The API and the page of a server show its history.
func TestHistoryOfAServerIsShown(t *testing.T) {
	s := show(t, nil)
	gun, rush, _ := three()
	now := s.now
	for i, n := range []int{2, 6} {
		gun.Players = n
		s.now = now.Add(time.Duration(i-2) * catalogue.Span)
		s.set(gun)
	}
	s.now = now
	gun.Players = 3
	rush.Players = -1
	s.set(gun, rush)

	r, body := fetch(t, s.URL+"/api/servers/"+gun.ID+"/history")
	if r.StatusCode != http.StatusOK || r.Header.Get("Access-Control-Allow-Origin") != "*" ||
		!strings.HasPrefix(body, `{"span":600,"points":[{"time":"`) ||
		strings.Count(body, `"players":2`)+strings.Count(body, `"players":6`)+strings.Count(body, `"players":3`) != 3 {
		t.Errorf("%s: %s", r.Status, body)
	}
	if _, body := fetch(t, s.URL+"/api/servers/"+rush.ID+"/history"); body != `{"span":600,"points":[]}` {
		t.Errorf("got %s", body)
	}
	if r, _ := fetch(t, s.URL+"/api/servers/none/history"); r.StatusCode != http.StatusNotFound {
		t.Error(r.Status)
	}

	b := browse(t)
	b.open(s.URL + "/server/" + gun.ID)
	b.Until(`document.querySelector("#tile-players strong").innerText === "3"`)
	b.Until(`document.querySelector("#tile-players svg").ariaLabel === "Players over the last day: at most 6, now 3"`)
	b.open(s.URL + "/server/" + rush.ID)
	b.Until(`document.querySelector('[data-fact="players"]').textContent.startsWith("unknown")`)
	b.Until(`document.getElementById("past").hidden`)

	// A week is a link, and needs no script.
	b.open(s.URL + "/server/" + gun.ID)
	b.Do(chromedp.Click(chromedp.CSS(`[data-range="week"]`)))
	b.Until(`location.search === "?range=week" && document.querySelector("#tile-players svg")?.
		ariaLabel.startsWith("Players over the last week: at most 6, now")`)
	b.Until(`document.querySelector(".axis span").textContent === "7 days ago"`)
	_, body = fetch(t, s.URL+"/server/"+gun.ID+"?range=month")
	if !strings.Contains(body, "over the last month: at most 6") {
		t.Errorf("no month: %s", body)
	}
	if r, _ := fetch(t, s.URL+"/api/servers/"+gun.ID+"/history?range=year"); r.StatusCode != http.StatusBadRequest {
		t.Error(r.Status)
	}
	b.Clean()
}
