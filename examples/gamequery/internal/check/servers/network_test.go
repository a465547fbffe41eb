package servers

import (
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/examples/internal/oneport"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/internal/test/suite"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

func TestMain(m *testing.M) {
	suite.Waits()
	m.Run()
}

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
	for protocol, s := range map[string]ours{
		"sqp": &sqpnet.Server{Limits: plenty()},
		"gamespy2": &gamespy2net.Server{
			Challenge: gamespy2net.ChallengeRequired, Limits: gamespy2net.ServerLimits{Rates: plenty(), Unverified: plenty()},
		},
		"gameagent": oneport.New(plenty()),
	} {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			suite := Suite(protocol)
			first := fuzzharness.SQPEdges().States()[0].View
			s.SetView(first)
			at, hook := listen(t, s)
			set, err := check.Hook(t.Context(), hook, at.Addr())
			if err != nil {
				t.Fatal(err)
			}
			network := check.NewNetwork(t.Context(), at, patience)
			defer network.Close()
			r := suite.Run(t.Context(), network, check.Options{Robust: true, Set: set, Expect: &first})
			for _, f := range r.Findings {
				if f.Result != check.Pass {
					t.Errorf("%s %s: %s: %s", f.ID, f.Sentence, f.Result, f.Why())
				}
			}
			if r.Holds < check.Crowds()[0] || network.Foreign.IsValid() {
				t.Errorf("%d players are shown, answers from %s", r.Holds, network.Foreign)
			}
		})
	}
}
