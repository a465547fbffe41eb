package main

import (
	"net/netip"
	"strings"
	"testing"
)

// The list and the API have the public address of a server, which lobbyd still reaches at its
// own.
func TestMap(t *testing.T) {
	l := start(t, withGameSpy(t, "-map", "127.0.0.1=203.0.113.7")...)
	at := registerGameSpy(t, l, "Behind")
	l.wantGameSpy(t, netip.AddrPortFrom(netip.MustParseAddr("203.0.113.7"), at.Port()))
	eventually(t, func() string {
		text := l.get(t, "/api/servers?q=behind")
		if strings.Contains(text, `"address":"203.0.113.7:7777"`) && strings.Contains(text, `"reach":"reachable"`) {
			return ""
		}
		return text
	})
}
