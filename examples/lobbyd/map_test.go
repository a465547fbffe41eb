package main

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
)

// The list and the API contain the public address of a server, which lobbyd still reaches at
// its own address.
func TestMappedServersArePublic(t *testing.T) {
	t.Parallel()
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

// If lists are public, a server at an address that players elsewhere cannot use is reported once
// in the log, in the explanation and on the page.
func TestLocalAddressesAreReported(t *testing.T) {
	t.Parallel()
	l, over := adminOf(t, withGameSpy(t, "-map", "127.0.0.2=203.0.113.7")...)
	at := registerGameSpy(t, l, "Alone")
	registerGameSpyFrom(t, l, "127.0.0.2", "Public")
	eventually(t, func() string {
		text := l.get(t, "/api/servers?q=alone")
		if strings.Contains(text, `"local":true`) {
			return ""
		}
		return text
	})
	if text := l.get(t, "/api/servers?q=public"); strings.Contains(text, "local\":") {
		t.Errorf("the other one: %s", text)
	}
	x := explained(t, over, "127.0.0.1")
	if len(x.Servers) != 1 || !x.Servers[0].Local || !strings.Contains(x.Summary, "-map") {
		t.Errorf("explained: %+v", x)
	}
	page := l.get(t, fmt.Sprintf("/server/gamespy2-127.0.0.1-%d", at.Port()))
	if !strings.Contains(page, `<p class="why" id="local" >Players elsewhere cannot use its address`) ||
		!strings.Contains(page, "-map") {
		t.Errorf("page: %s", page)
	}
	line := l.logged(t, "players elsewhere cannot use a listed address: -map lists another in its place")
	if line["level"] != "WARN" || line["address"] != "127.0.0.1:7777" {
		t.Errorf("log: %v", line)
	}
}
