package health

import (
	"fmt"
	"net"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/oneport"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/roster"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// A recorder notes the sources of the datagrams that arrive.
type recorder struct {
	net.PacketConn
	mu      sync.Mutex
	sources map[string]int
}

func (r *recorder) ReadFrom(b []byte) (int, net.Addr, error) {
	n, from, err := r.PacketConn.ReadFrom(b)
	if err == nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.sources[from.(*net.UDPAddr).IP.String()]++
	}
	return n, from, err
}

// All queries of a server leave from the address at which it has registered, because its router
// may drop others.
func TestQueriesLeaveFromTheAddressOfTheRegistration(t *testing.T) {
	const via = "127.0.50.9"
	for _, form := range []string{"native", "legacy"} {
		pc, err := net.ListenPacket("udp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		at := pc.LocalAddr().(*net.UDPAddr).AddrPort()
		r := &recorder{PacketConn: pc, sources: make(map[string]int)}
		s := oneport.New(lobbywire.Rates{})
		s.SetView(lobbywire.View{Name: "One", Game: "serioussamse", Max: new(8), Port: at.Port() - 1})
		go s.Serve(r)
		w := watcher()
		w.ProbeEvery = time.Millisecond
		w.GameAgent = new(gamespy1net.Master)
		go w.GameAgent.Check(t.Context())
		said := func(text string) [][]byte {
			return nettest.Answers(w.GameAgent.RespondAt(netip.MustParseAddr(via), at, []byte(text), nil))
		}
		if form == "legacy" {
			said(fmt.Sprintf(`\heartbeat\%d\gamename\serioussamse`, at.Port()))
		} else {
			c, err := gameagent.ParseChallenge(said("q")[0])
			if err != nil {
				t.Fatal(err)
			}
			said(fmt.Sprintf("0;challenge;%d;players;0", c.Challenge))
		}
		until(t, w, func() bool { return reach(w, "One") == catalogue.Reachable })
		var asker roster.Asker
		if _, err := asker.Players(t.Context(), w.Catalogue.Snapshot().Entries[0]); err != nil {
			t.Error(err)
		}
		w.GameAgent.Close()
		s.Close()
		r.mu.Lock()
		if r.sources[via] < 2 || len(r.sources) > 1 {
			t.Errorf("%s: datagrams from %v", form, r.sources)
		}
		r.mu.Unlock()
	}
}
