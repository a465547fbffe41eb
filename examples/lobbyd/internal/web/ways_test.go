package web_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/web"
)

func ways() []web.Way {
	return []web.Way{
		{Protocol: "GameAgent", At: "[::]:9005", How: "Set it."},
		{Protocol: "Bomberman", At: "192.0.2.9:51963", How: "<b>Pass</b> it."},
		{Protocol: "Warzone", Path: "/lobby", How: "Write it."},
		{Protocol: "Warzone, TLS", At: ":8443", Scheme: "https", Path: "/lobby", How: "Write it."},
	}
}

// The page shows addresses for registering that its visitor can reach.
func TestShownAddressesCanBeReached(t *testing.T) {
	for _, tt := range []struct{ host, proto, want string }{
		{"lobby.example", "",
			"lobby.example:9005 192.0.2.9:51963 http://lobby.example/lobby https://lobby.example:8443/lobby"},
		{"lobby.example:8080", "https",
			"lobby.example:9005 192.0.2.9:51963 https://lobby.example:8080/lobby https://lobby.example:8443/lobby"},
		{"[2001:db8::1]:80", "",
			"[2001:db8::1]:9005 192.0.2.9:51963 http://[2001:db8::1]:80/lobby https://[2001:db8::1]:8443/lobby"},
		{`"><script>`, "", ""},
	} {
		s := &web.Server{Ways: ways}
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = tt.host
		r.Header.Set("X-Forwarded-Proto", tt.proto)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		page := w.Body.String()
		for want := range strings.FieldsSeq(tt.want) {
			if !strings.Contains(page, "<code>"+want+"</code>") {
				t.Errorf("%s: there is no %s", tt.host, want)
			}
		}
		if strings.Contains(page, tt.host+":9005") && tt.want == "" || strings.Contains(page, "<b>Pass") {
			t.Errorf("%s: not escaped", tt.host)
		}
	}
}

// An empty list shows how to register; a search without a match does not.
func TestEmptyListShowsHowToRegister(t *testing.T) {
	b := browse(t)
	s := show(t, func(s *web.Server) { s.Ways = ways })
	b.open(s.URL)
	b.Until(`!document.getElementById("register").hidden`)
	b.Until(`document.getElementById("empty").innerText.startsWith("No games are open")`)
	b.Do(chromedp.SendKeys(chromedp.CSS(`input[name="q"]`), "x"))
	b.Until(`document.getElementById("register").hidden`)
	b.Until(`document.getElementById("empty").innerText === "No game matches these filters."`)
	b.open(s.URL)
	gun, _, _ := three()
	s.set(gun)
	b.rows("Gun")
	b.Until(`document.getElementById("register").hidden && document.getElementById("empty").hidden`)
	b.Clean()
}
