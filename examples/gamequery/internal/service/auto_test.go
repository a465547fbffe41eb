package service_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// The game auto finds the protocol, for a query and for a scan.
func TestAutoFindsTheProtocol(t *testing.T) {
	s, game := newService(), newGameServer(t)
	for _, path := range []string{"/v1/query?game=auto&address=" + game.addr, "POST /v1/scan?game=auto"} {
		w := ask(s, path, game.addr)
		if got := w.Body.String(); w.Code != http.StatusOK || !strings.Contains(got, `"protocol":"sqp"`) ||
			!strings.Contains(got, `"name":`) {
			t.Errorf("%s: %d %s", path, w.Code, got)
		}
	}
	full := ask(s, "/v1/query?full=1&game=AUTO&address="+game.addr, "")
	if full.Code != http.StatusOK || !strings.Contains(full.Body.String(), `"lacks":`) {
		t.Errorf("full: %d %s", full.Code, full.Body)
	}
	for path, want := range map[string]string{
		"/v1/query?game=auto&address=" + url.QueryEscape("10.0.0.1:5000"): "is not queried",
		"/v1/query?game=auto&address=127.0.0.1:80":                        "ports below",
		"/probe?module=auto&target=" + game.addr:                          "want sqp",
		"/v1/query?game=csgo&address=" + game.addr:                        "A2S",
		"/v1/query?game=cs2&address=" + game.addr:                         "A2S",
		"/probe?module=csgo&target=" + game.addr:                          "A2S",
		"POST /v1/scan?game=csgo":                                         "A2S",
		"/v1/query?game=minecrft&address=" + game.addr:                    "did you mean minecraft?",
	} {
		if w := ask(s, path, game.addr); w.Code < 400 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}
