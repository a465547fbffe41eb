package masters

import (
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
)

// A quick network does not wait long for lists to change.
type quick struct{ *check.Network }

func (q quick) Pause(try int) {
	const most = 4
	q.Network.Pause(min(try, most))
}

// checkHTTP runs the cases against a handler.
func checkHTTP(t *testing.T, handler http.Handler, o check.Options) check.Report {
	t.Helper()
	server := httptest.NewServer(handler)
	defer server.Close()
	network := check.NewNetwork(t.Context(), netip.MustParseAddrPort(server.Listener.Addr().String()), patience)
	defer network.Close()
	return wzhttpSuite().Run(t.Context(), quick{network}, o)
}

// Our lobby passes all cases.
func TestOurHTTPLobbyPasses(t *testing.T) {
	t.Parallel()
	for _, f := range checkHTTP(t, &wzhttpnet.Lobby{NoRates: true}, check.Options{Robust: true}).Findings {
		if f.Result != check.Pass {
			t.Errorf("%s %s: %s: %s", f.ID, f.Sentence, f.Result, f.Why())
		}
	}
}

// A token of base64 or of hexadecimal digits that has changed has another value.
func TestChangedTokensHaveOtherValues(t *testing.T) {
	lenient := base64.RawURLEncoding
	for value := range 256 {
		token := lenient.EncodeToString([]byte{0, byte(value)})
		digits := hex.EncodeToString([]byte{byte(value)})
		for _, at := range []int{0, -1} {
			if b, err := lenient.DecodeString(changedAt(token, at)); err == nil && b[1] == byte(value) && b[0] == 0 {
				t.Errorf("%s changes to %s", token, changedAt(token, at))
			}
			if b, err := hex.DecodeString(changedAt(digits, at)); err == nil && b[0] == byte(value) {
				t.Errorf("%s changes to %s", digits, changedAt(digits, at))
			}
		}
	}
}
