package main

import (
	"io"
	"net/netip"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
)

func TestGatewayIsReadFromRoutes(t *testing.T) {
	const header = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
	for routes, want := range map[string]string{
		header + "eth0\t00000000\t010011AC\t0003\t0\t0\t0\t00000000\t0\t0\t0\neth0\t000011AC\t00000000\t0001\n": "172.17.0.1",
		header + "eth0\t000011AC\t00000000\t0001\n":                                                             "invalid IP",
		header + "eth0\t00000000\tx\t0003\n":                                                                    "invalid IP",
		"":                                                                                                      "invalid IP",
	} {
		if got := gatewayIn(routes); got.String() != want {
			t.Errorf("%q: %v, want %s", routes, got, want)
		}
	}
}

// In a container, an explanation names Docker's proxy only if servers appear at the gateway instead
// of their own addresses.
func TestExplainNamesDockersProxy(t *testing.T) {
	l := newLobbyd(defaults(), io.Discard).lists
	gateway, other := netip.MustParseAddrPort("172.17.0.1:0"), netip.MustParseAddrPort("192.0.2.7:0")
	names := func(at netip.AddrPort) bool { return strings.Contains(l.explain(at, true).Summary, "Docker") }
	l.gateway = gateway.Addr()
	if names(gateway) || names(other) {
		t.Error("nothing has come from there")
	}
	l.refusals.Of("gameagent", false)(lobbywire.Refusal{From: netip.AddrPortFrom(gateway.Addr(), 40000),
		Reason: lobbywire.ReasonChallenge})
	if !names(gateway) || !names(other) {
		t.Errorf("%q, %q", l.explain(gateway, true).Summary, l.explain(other, true).Summary)
	}
	l.gateway = netip.Addr{}
	if names(gateway) || names(other) {
		t.Error("it is not in a container")
	}
}
