package main

import (
	"net/netip"
	"testing"
)

func TestRulesMapAddresses(t *testing.T) {
	var rules []mapRule
	for _, text := range []string{
		"127.0.0.1=203.0.113.7", "192.168.1.2:2000=203.0.113.7:3000", "192.168.1.2:2001=203.0.113.8",
		"192.168.1.2=203.0.113.9", "[fd00::1]:5=[2001:db8::1]:6", "fd00::2=2001:db8::2",
	} {
		var r mapRule
		if err := r.UnmarshalText([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if again, err := r.MarshalText(); err != nil || string(again) != text {
			t.Errorf("%s became %s, %v", text, again, err)
		}
		rules = append(rules, r)
	}
	m, err := newAddressMap(rules)
	if err != nil {
		t.Fatal(err)
	}
	for from, want := range map[string]string{
		"127.0.0.1:6500":          "203.0.113.7:6500",
		"[::ffff:127.0.0.1]:6500": "203.0.113.7:6500",
		"127.0.0.2:6500":          "127.0.0.2:6500",
		"192.168.1.2:2000":        "203.0.113.7:3000",
		"192.168.1.2:2001":        "203.0.113.8:2001",
		"192.168.1.2:2002":        "203.0.113.9:2002",
		"[fd00::1]:5":             "[2001:db8::1]:6",
		"[fd00::1]:7":             "[fd00::1]:7",
		"[fd00::2]:7":             "[2001:db8::2]:7",
	} {
		if got := m.public(netip.MustParseAddrPort(from)); got.String() != want {
			t.Errorf("%s is public as %v, want %s", from, got, want)
		}
	}
	if got := (addressMap{}).public(netip.MustParseAddrPort("127.0.0.1:1")); got.String() != "127.0.0.1:1" {
		t.Errorf("without rules: %v", got)
	}
	if _, err := newAddressMap(append(rules, rules[0])); err == nil {
		t.Error("a rule twice was accepted")
	}
}

func TestBadMapRulesAreRefused(t *testing.T) {
	for _, text := range []string{
		"", "127.0.0.1", "=", "127.0.0.1=", "127.0.0.1=host.example", "127.0.0.1=203.0.113.7:5", "127.0.0.1:0=203.0.113.7",
		"127.0.0.1=2001:db8::1", "127.0.0.1=0.0.0.0", "127.0.0.1=224.0.0.1", "fe80::1%eth0=2001:db8::1",
		"127.0.0.0/8=203.0.113.7", "127.0.0.1=203.0.113.7=1",
	} {
		if err := new(mapRule).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q was accepted", text)
		}
	}
}
