package health

import (
	"net/netip"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
)

// BenchmarkLook looks again at a GameAgent master with a hundred thousand servers.
func BenchmarkLook(b *testing.B) {
	w := watcher()
	w.GameAgent = &gamespy1net.Master{Admit: w.Judge.AdmitGameAgent,
		Limits: gamespy1net.MasterLimits{Rates: lobbywire.Rates{PerSource: 1 << 30, Global: 1 << 30}, MaxServers: 100_000}}
	for i := range 100_000 {
		enlist(b, w.GameAgent,
			netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}), 25601))
	}
	if n := w.GameAgent.Stats().Listed; n != 100_000 {
		b.Fatalf("%d listed", n)
	}
	w.look(b.Context(), time.Now())
	b.ReportAllocs()
	for b.Loop() {
		w.look(b.Context(), time.Now())
	}
}
