package web_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/lobbywire/lobbywire/examples/internal/browsertest"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/web"
)

// TestScreenshots writes pictures of the pages to the directory $LOBBYD_SCREENSHOTS, or
// to the artifacts of the test.
func TestScreenshots(t *testing.T) {
	b := browse(t)
	dir := os.Getenv("LOBBYD_SCREENSHOTS")
	if dir == "" {
		dir = t.ArtifactDir()
	}
	nodes := []string{"oslo", "porto", "riga"}
	calm := show(t, func(s *web.Server) { s.State = func() web.State { return web.State{Node: "oslo", Nodes: nodes} } })
	cutOff := time.Now().Add(-4 * time.Minute)
	alone := show(t, func(s *web.Server) {
		s.State = func() web.State { return web.State{Node: "oslo", Nodes: nodes[:1], CutOff: cutOff} }
	})
	calm.day(lively(260))
	alone.day(evening(60))

	const drawn = `document.querySelector("tbody tr") && document.fonts.status === "loaded"`
	for _, picture := range []struct {
		name, url, scheme string
		width, height     int64
	}{
		{"list-light", calm.URL + "/?sort=age", "light", 1280, 900},
		{"list-dark", calm.URL + "/?sort=age", "dark", 1280, 900},
		{"list-quarantined", calm.URL + "/?quarantined=1&sort=health", "light", 1280, 900},
		{"list-tablet", calm.URL + "/", "dark", 768, 900},
		{"list-phone", calm.URL + "/", "light", 375, 780},
		{"list-phone-dark", calm.URL + "/", "dark", 360, 780},
		{"list-cut-off", alone.URL + "/?q=no", "light", 1280, 900},
		{"server-light", calm.URL + "/server/gameagent-14", "light", 1280, 900},
		{"server-dark", calm.URL + "/server/gameagent-14", "dark", 1280, 900},
		{"server-phone", calm.URL + "/server/gameagent-14", "light", 360, 780},
	} {
		b.Do(chromedp.EmulateViewport(picture.width, picture.height, chromedp.EmulateScale(1.5)))
		b.Scheme(picture.scheme)
		b.open(picture.url)
		b.Until(drawn)
		if over := browsertest.Eval[int](b.Tab, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
			t.Errorf("%s is %d pixels wider than the screen", picture.name, over)
		}
		png, err := chromedp.Run(b.Ctx, chromedp.CaptureScreenshot())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, picture.name+".png"), png, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b.Clean()
}

// lively is evening with games of GameSpy, so that it contains all families.
func lively(n int) []catalogue.Entry {
	all := evening(n)
	kinds := []struct{ game, name, level, version string }{
		{"battlefield2", "Karkand infantry only", "Strike at Karkand", "1.5.3153-802.0"},
		{"crysis", "Nanosuit power struggle", "Mesa", "1.1.1.6156"},
		{"minecraft", "A quiet valley", "world", "1.20.4"},
		{"battlefield2", "Sunday squads", "Gulf of Oman", "1.5.3153-802.0"},
	}
	for i := 1; i < n; i += 5 {
		e, k := &all[i], kinds[i/5%len(kinds)]
		if e.Quarantine != "" || e.Players < 0 {
			continue
		}
		e.ID, e.Family, e.Source = strings.Replace(e.ID, string(e.Family), "gamespy2", 1), catalogue.GameSpy, "gamespy2"
		e.Game, e.Name, e.Map, e.Version = k.game, k.name, k.level, k.version
		e.MaxPlayers = 32
	}
	return all
}
