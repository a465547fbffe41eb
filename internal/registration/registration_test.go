package registration

import (
	"net/netip"
	"testing"
)

func TestMasterAddrRefusesImpossibleAddresses(t *testing.T) {
	for addr, want := range map[string]string{
		"192.0.2.1:27900":          "192.0.2.1:27900",
		"[::ffff:192.0.2.1]:27900": "192.0.2.1:27900",
		"192.0.2.1":                "",
		"192.0.2.1:0":              "",
		"[2001:db8::1]:27900":      "",
		"master.example.org:27900": "",
		"":                         "",
	} {
		got, err := MasterAddr(addr)
		if (err == nil) != (want != "") || err == nil && got.String() != want {
			t.Errorf("%q is %v, %v, want %q", addr, got, err, want)
		}
		if want == "" {
			continue
		}
		if parsed, name, err := parse(addr, nil); err != nil || name != nil || parsed != got {
			t.Errorf("%q is parsed as %v, %v, %v", addr, parsed, name, err)
		}
	}
}

func TestParseRefusesImpossibleAddresses(t *testing.T) {
	for _, addr := range []string{"master.invalid", "master.invalid:0", "master.invalid:port", ":27900",
		"[2001:db8::1]:27900", "192.0.2.1:0"} {
		if got, name, err := parse(addr, nil); err == nil {
			t.Errorf("%q is %v, %v", addr, got, name)
		}
	}
	_, name, err := parse("master.example:27900", nil)
	if err != nil || name.host != "master.example" || name.port != 27900 {
		t.Errorf("%+v, %v", name, err)
	}
}

func TestServerKnowsOneMasterOfEachRegistration(t *testing.T) {
	a, b := netip.MustParseAddrPort("192.0.2.1:1"), netip.MustParseAddrPort("192.0.2.2:2")
	var s Server[*beacon]
	if len(s.Masters()) > 0 {
		t.Errorf("%v at first", s.Masters())
	}
	first, second := new(Runner[*beacon]), new(Runner[*beacon])
	s.setMaster(first, a)
	s.setMaster(second, b)
	before := s.Masters()
	s.setMaster(first, b)
	s.setMaster(second, netip.AddrPort{})
	s.setMaster(new(Runner[*beacon]), netip.AddrPort{})
	if all := s.Masters(); len(all) != 1 || all[0] != (Known[*beacon]{b, first}) {
		t.Errorf("%v", all)
	}
	if len(before) != 2 || before[0].Addr != a {
		t.Errorf("an earlier list has changed: %v", before)
	}
}
