package bombermannet_test

import (
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
)

// Host names have no public address, and the entry of a game server has the reported address.
func TestEntryHasTheReportedAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &bombermannet.ManagementServer{Public: func(server netip.AddrPort) netip.AddrPort {
			if server == netip.MustParseAddrPort("192.0.2.7:1") {
				return netip.MustParseAddrPort("203.0.113.7:5001")
			}
			return server
		}}
		network := start(t, m)
		mapped, named := connect(t, network), connect(t, network)
		mapped.send(register("Mapped", 1))
		mapped.list()
		named.send(strings.Replace(register("Named", 1), "192.0.2.7", "bomber.example", 1))
		named.list()
		public := listed("Mapped", 5001, 0, 4, true, 1)
		public.Address = "203.0.113.7"
		host := listed("Named", 1, 0, 4, true, 1)
		host.Address = "bomber.example"
		mapped.expectList(public, host)
		for e := range m.Servers() {
			if e.Server.Name == "Mapped" && (e.Server.Address != "192.0.2.7" || e.Server.Port != 1) {
				t.Errorf("entry %+v", e)
			}
		}
	})
}
