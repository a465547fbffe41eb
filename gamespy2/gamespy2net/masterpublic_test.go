package gamespy2net_test

import (
	"net/netip"
	"testing"
	"testing/synctest"

	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// Clients see a server at its public address, from the list to its removal, and the master
// sends to the address that it registered from.
func TestMasterListsPublicAddresses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		behind, public := netip.MustParseAddrPort("192.168.1.2:6500"), netip.MustParseAddrPort("203.0.113.7:7500")
		m := newListMaster()
		m.Public = func(server netip.AddrPort) netip.AddrPort {
			switch server {
			case behind:
				return public
			case otherServer: // no list can have it
				return netip.MustParseAddrPort("[2001:db8::1]:6500")
			}
			return server
		}
		var packets nettest.Network
		pc, err := packets.Listen(netip.MustParseAddrPort("192.0.2.100:27900"))
		if err != nil {
			t.Fatal(err)
		}
		server, err := packets.Listen(behind)
		if err != nil {
			t.Fatal(err)
		}
		defer server.Close()
		go m.Serve(pc)
		network := serveLists(t, m)
		synctest.Wait()
		enlist(t, m, otherServer, beat{}.wire(t))

		request := requestFor()
		request.Options = sb2.OptionPush
		c := ask(t, network, request)
		c.list()
		c.push() // the keys
		enlist(t, m, behind, beat{key: instance}.wire(t))
		push, ok := c.push().(sb2.PushServer)
		if !ok || netip.AddrPortFrom(push.IP, push.Port) != public || push.PrivateIP != behind.Addr() {
			t.Errorf("pushed %+v", push)
		}
		for _, r := range []sb2.Request{
			sb2.RulesRequest{Addr: public}, sb2.MessageRequest{Addr: public, Data: qr2.NATNegotiation(7)},
		} {
			if _, err := c.Write(wireBytes(t, r)); err != nil {
				t.Fatal(err)
			}
		}
		if rules, ok := c.push().(sb2.PushServer); !ok || rules.IP != public.Addr() || rules.Flags&sb2.FlagRules == 0 {
			t.Errorf("rules %+v", rules)
		}
		b := make([]byte, 1000)
		n, _, err := server.ReadFrom(b)
		if err != nil {
			t.Fatal(err)
		}
		if message, err := qr2.ParseClientMessage(b[:n]); err != nil || message.Key != instance {
			t.Errorf("message %+v, %v", message, err)
		}
		listed := make(map[netip.AddrPort]bool)
		for _, s := range ask(t, network, requestFor()).list().Servers {
			listed[netip.AddrPortFrom(s.IP, s.Port)] = true
		}
		if len(listed) != 2 || !listed[public] {
			t.Errorf("list %v", listed)
		}
		wantListed(t, m, behind, otherServer) // entries have the address that servers register from

		noAnswer(t, m, behind, beat{key: instance, state: qr2.StateShutdown}.wire(t))
		c.wantPush(sb2.DeleteServer{Addr: public})
		if _, err := c.Write(wireBytes(t, sb2.RulesRequest{Addr: public})); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if s := m.Stats(); s.Rules != 1 || s.Messages != 1 {
			t.Errorf("%+v", s)
		}
	})
}
