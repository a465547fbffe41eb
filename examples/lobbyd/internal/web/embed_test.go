package web_test

import (
	"encoding/xml"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/lobbywire/lobbywire/examples/internal/browsertest"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

func fetch(t *testing.T, url string) (*http.Response, string) {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r, string(body)
}

// A badge is well-formed and small, whatever the name of the server.
func TestBadgeIsWellFormed(t *testing.T) {
	s := show(t, nil)
	gun, rush, bomb := three()
	gun.Name = `<script>"&' ` + strings.Repeat("\u202e\x00W", 500)
	bomb.Players, bomb.MaxPlayers = -1, -1
	hidden := game(catalogue.Warzone, 9, "Hidden", 8)
	hidden.Quarantine = "absurd"
	s.set(gun, rush, bomb, hidden)
	for id, want := range map[string]string{
		gun.ID: "⟨202E⟩", rush.ID: "Rush: 5 of 8 players", bomb.ID: "Bomb: listed",
		hidden.ID: "lobbyd: not listed", "no-such": "lobbyd: not listed",
	} {
		r, body := fetch(t, s.URL+"/server/"+id+"/badge.svg")
		if r.StatusCode != http.StatusOK || r.Header.Get("Content-Type") != "image/svg+xml" ||
			r.Header.Get("Cache-Control") != "public, max-age=60" ||
			r.Header.Get("Cross-Origin-Resource-Policy") != "cross-origin" {
			t.Errorf("%s: %s, %v", id, r.Status, r.Header)
		}
		if !strings.Contains(body, want) || len(body) > 4096 || strings.Contains(body, "<script") {
			t.Errorf("%s: %d bytes without %q: %s", id, len(body), want, body)
		}
		if err := xml.Unmarshal([]byte(body), new(struct{})); err != nil {
			t.Errorf("%s: %v", id, err)
		}
		again, err := http.NewRequest("GET", s.URL+"/server/"+id+"/badge.svg", nil)
		if err != nil {
			t.Fatal(err)
		}
		again.Header.Set("If-None-Match", r.Header.Get("ETag"))
		known, err := http.DefaultClient.Do(again)
		if err != nil {
			t.Fatal(err)
		}
		known.Body.Close()
		if known.StatusCode != http.StatusNotModified {
			t.Errorf("%s: %s for a badge that the client has", id, known.Status)
		}
	}
}

// Only the page for frames may be framed.
func TestOnlyTheFramePageMayBeFramed(t *testing.T) {
	s := show(t, nil)
	gun, _, _ := three()
	s.set(gun)
	for _, path := range []string{
		"/", "/server/" + gun.ID, "/server/none",
		"/server/" + gun.ID + "/badge.svg", "/api/servers",
		"/api/servers/" + gun.ID, "/assets/list.js", "/none", "/server/" + gun.ID + "/embed",
	} {
		r, _ := fetch(t, s.URL+path)
		policy := r.Header.Get("Content-Security-Policy")
		framed := strings.Contains(policy, "frame-ancestors *")
		if framed != strings.HasSuffix(path, "/embed") || !framed && !strings.Contains(policy, "frame-ancestors 'none'") {
			t.Errorf("%s: policy %s", path, policy)
		}
		if !strings.Contains(policy, "script-src 'self';") {
			t.Errorf("%s may run other scripts: %s", path, policy)
		}
	}
	for _, path := range []string{"/", "/server/" + gun.ID, "/server/" + gun.ID + "/embed"} {
		if _, body := fetch(t, s.URL+path); strings.Contains(body, `http-equiv="refresh"`) {
			t.Errorf("%s reloads itself", path)
		}
	}
	if r, body := fetch(t, s.URL+"/server/none/embed"); r.StatusCode != http.StatusNotFound ||
		!strings.Contains(body, "not listed") {
		t.Errorf("a server that is not listed: %s: %s", r.Status, body)
	}
}

// A frame on a page of another origin shows the server, without a complaint of the browser.
func TestFrameShowsTheServer(t *testing.T) {
	b := browse(t)
	s := show(t, nil)
	gun, _, _ := three()
	gun.Name, gun.Game, gun.Map = "<b>Gun", "serioussamse", "Karnak"
	s.set(gun)
	b.Do(chromedp.EmulateViewport(375, 90))
	for _, scheme := range []string{"light", "dark"} {
		b.Scheme(scheme)
		b.Do(chromedp.Navigate(s.URL + "/server/" + gun.ID + "/embed"))
		b.Until(`document.body.innerText.includes("<b>Gun") && document.body.innerText.includes("3 of 8 players")`)
		if over := browsertest.Eval[int](b.Tab, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
			t.Errorf("%d pixels too wide", over)
		}
		for _, text := range browsertest.Eval[[]string](b.Tab, unreadable) {
			t.Errorf("%s: %s", scheme, text)
		}
	}
	b.Clean()

	// It follows the server, without loading the page again.
	browsertest.Eval[bool](b.Tab, `window.stays = true`)
	const refresh = `document.dispatchEvent(new Event("visibilitychange"))`
	for _, step := range []struct {
		change func(*catalogue.Entry)
		want   string
	}{
		{func(e *catalogue.Entry) { e.Players, e.Reach = 5, catalogue.Unreachable },
			"<b>Gun 5 of 8 players serioussamse · Karnak · " + gun.Address + " unreachable"},
		{func(e *catalogue.Entry) { e.Quarantine = "absurd" }, "lobbyd This game is not listed now."},
		{func(e *catalogue.Entry) { e.Quarantine, e.MaxPlayers, e.Map = "", -1, "" },
			"<b>Gun 5 players serioussamse · " + gun.Address + " unreachable"},
	} {
		step.change(&gun)
		s.set(gun)
		browsertest.Eval[bool](b.Tab, refresh)
		b.Until(`document.body.innerText.replace(/\s+/g, " ").trim() === ` + browsertest.JSON(t, step.want))
	}
	if !browsertest.Eval[bool](b.Tab, `window.stays`) {
		t.Error("the page was loaded again")
	}
	b.Clean()
	b.Do(chromedp.Navigate(`data:text/html,<iframe src="` + s.URL + "/server/" + gun.ID + `/embed"></iframe>`))
	b.Clean()
}
