package bombermannet_test

import (
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
)

// The list has the public address of a game server, and its entry the reported one.
func TestPublicAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &bombermannet.ManagementServer{Public: func(server netip.AddrPort) netip.AddrPort {
			if server == netip.MustParseAddrPort("192.0.2.7:1") {
				return netip.MustParseAddrPort("203.0.113.7:5001")
			}
			return server
		}}
		network := start(t, m)
		mapped, plain, named := connect(t, network), connect(t, network), connect(t, network)
		mapped.send(register("Mapped", 1))
		mapped.list()
		plain.send(register("Plain", 2))
		plain.list()
		named.send(strings.Replace(register("Named", 1), "192.0.2.7", "bomber.example", 1))
		named.list()
		mapped.send(update(2, 4, true, 2))
		mapped.list()

		public := listed("Mapped", 5001, 2, 4, true, 2)
		public.Address = "203.0.113.7"
		host := listed("Named", 1, 0, 4, true, 1)
		host.Address = "bomber.example"
		mapped.expectList(public, listed("Plain", 2, 0, 4, true, 1), host)
		for e := range m.Servers() {
			if e.Server.Name == "Mapped" && (e.Server.Address != "192.0.2.7" || e.Server.Port != 1) {
				t.Errorf("entry %+v", e)
			}
		}
	})
}
