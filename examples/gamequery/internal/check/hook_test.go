package check

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
)

// States are set only on this machine and on the machine of the server, and redirects are not
// followed.
func TestHookStaysOnItsMachines(t *testing.T) {
	asked := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer other.Close()
	redirects := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusTemporaryRedirect))
	defer redirects.Close()
	server := netip.MustParseAddr("192.0.2.7")
	for url, want := range map[string]string{
		redirects.URL:           "307 Temporary Redirect",
		"http://198.51.100.8/":  "neither this machine nor that of the server",
		"http://[2001:db8::1]/": "neither this machine nor that of the server",
	} {
		set, err := Hook(t.Context(), url, server)
		if err != nil {
			t.Fatal(err)
		}
		if err := set(lobbywire.View{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", url, err, want)
		}
	}
	for _, url := range []string{"", "127.0.0.1:80", "ftp://127.0.0.1/", "http://", "file:///etc/passwd"} {
		if _, err := Hook(t.Context(), url, server); err == nil {
			t.Errorf("%q is accepted", url)
		}
	}
	if asked {
		t.Error("a redirect was followed")
	}
}
