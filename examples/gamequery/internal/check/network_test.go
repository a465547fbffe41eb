package check

import (
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

// patience is how long a server may take to answer on a busy machine.
const patience = 20 * time.Second

// ours is a server of this library.
type ours interface {
	SetView(v lobbywire.View) (changed []string)
	Serve(socket net.PacketConn) error
	Close() error
}

// listen serves on loopback, and sets states by HTTP.
func listen(t *testing.T, s ours) (at netip.AddrPort, hook string) {
	t.Helper()
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- s.Serve(socket) }()
	states := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var v lobbywire.View
		if err := json.NewDecoder(r.Body).Decode(&v); err != nil || r.Method != http.MethodPut {
			http.Error(w, "want a state by PUT", http.StatusBadRequest)
			return
		}
		s.SetView(v)
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(func() {
		states.Close()
		s.Close()
		<-done
	})
	return socket.LocalAddr().(*net.UDPAddr).AddrPort(), states.URL
}

// Our servers pass all cases, with all states.
func TestOurServersPass(t *testing.T) {
	plenty := lobbywire.Rates{PerSource: 1e6, PerPrefix: 1e6, Global: 1e6}
	for protocol, s := range map[string]ours{
		"sqp": &sqpnet.Server{Limits: plenty},
		"gamespy2": &gamespy2net.Server{
			Challenge: gamespy2net.ChallengeRequired, Limits: gamespy2net.ServerLimits{Rates: plenty, Unverified: plenty},
		},
		"gameagent": &gameagentnet.Server{Limits: plenty},
	} {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			suite := ServerSuite(protocol)
			first := suite.edges.States()[0].View
			s.SetView(first)
			at, hook := listen(t, s)
			set, err := Hook(t.Context(), hook, at.Addr())
			if err != nil {
				t.Fatal(err)
			}
			network := NewNetwork(t.Context(), at, patience)
			defer network.Close()
			r := suite.Run(t.Context(), network, Options{Robust: true, Set: set, Expect: &first})
			for _, f := range r.Findings {
				if f.Result != Pass {
					t.Errorf("%s %s: %s: %s", f.ID, f.Sentence, f.Result, f.Why)
				}
			}
			if r.Holds < crowds[0] || network.Foreign.IsValid() {
				t.Errorf("%d players are shown, answers from %s", r.Holds, network.Foreign)
			}
		})
	}
}

// States are set only on this machine and on the machine of the server, and redirects are not
// followed.
func TestHookStays(t *testing.T) {
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
