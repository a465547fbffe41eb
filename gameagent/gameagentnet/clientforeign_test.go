package gameagentnet_test

import (
	"net/netip"
	"testing"
	"testing/synctest"

	"github.com/lobbywire/lobbywire/internal/nettest"
)

// Answers that arrive from another address or port than the queried one are no answers.
func TestAnswersOfOthers(t *testing.T) {
	for _, from := range []netip.AddrPort{stranger, netip.AddrPortFrom(home.Addr(), home.Port()+1)} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld()
			w.serve(t, home, duel())
			w.Route = func(p nettest.Packet) []nettest.Packet {
				if p.From == home {
					p.From = from
				}
				return []nettest.Packet{p}
			}
			if a, err := w.client.Status(t.Context(), home.String()); err == nil {
				t.Errorf("from %v: %+v", from, a)
			}
			if a, err := w.client.Ping(t.Context(), home.String()); err == nil {
				t.Errorf("from %v: %+v", from, a)
			}
		})
	}
}
