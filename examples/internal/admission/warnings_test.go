package admission

import (
	"bytes"
	"log/slog"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestWarningsAreLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said bytes.Buffer
		w := Warnings{Logger: slog.New(slog.NewTextHandler(&said, nil))}
		lines := func() int {
			defer said.Reset()
			return strings.Count(said.String(), "\n")
		}
		for host := range 100 {
			w.Warn("not listed", "key", netip.AddrFrom4([4]byte{192, 0, 2, byte(host)}), "server", "gamespy")
		}
		if text := said.String(); !strings.Contains(text, `reason=key prefix=192.0.2.0/24 server=gamespy`) {
			t.Errorf("%q", text)
		}
		if got := lines(); got != 1 {
			t.Errorf("%d lines for one prefix", got)
		}
		for network := range 1000 {
			w.Warn("not listed", "key", netip.AddrFrom4([4]byte{10, byte(network >> 8), byte(network), 1}))
		}
		if got := lines(); got != maxPerCause-1 {
			t.Errorf("%d lines for a flood", got)
		}
		w.Warn("no certificate", "lobby.example", netip.Addr{}, "error", "timeout")
		if text := said.String(); !strings.Contains(text, "reason=lobby.example error=timeout") {
			t.Errorf("without an address: %q", text)
		}
		said.Reset()
		w.Warn("not listed", "full", netip.MustParseAddr("2001:db8::1"))
		if got := lines(); got != 1 {
			t.Errorf("%d lines for another cause after a flood", got)
		}
		time.Sleep(warnEvery + 1)
		w.Warn("not listed", "key", netip.MustParseAddr("192.0.2.1"))
		if got := lines(); got != 1 {
			t.Errorf("%d lines after a pause", got)
		}
	})
}
