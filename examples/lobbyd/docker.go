package main

import (
	"encoding/hex"
	"net/netip"
	"os"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

// containerGateway returns the address of the gateway if lobbyd runs in a container, otherwise an
// invalid one. What comes through Docker's proxy comes from there, whoever has sent it.
func containerGateway() netip.Addr {
	for _, sign := range []string{"/.dockerenv", "/run/.containerenv"} {
		if _, err := os.Stat(sign); err == nil {
			routes, _ := os.ReadFile("/proc/net/route") // there is none on other systems
			return gatewayIn(string(routes))
		}
	}
	return netip.Addr{}
}

// gatewayIn returns the gateway of the default route in the form of /proc/net/route, whose addresses are
// hexadecimal, the last byte first.
func gatewayIn(routes string) netip.Addr {
	for line := range strings.Lines(routes) {
		columns := strings.Fields(line)
		if len(columns) < 3 || columns[1] != "00000000" {
			continue
		}
		if b, err := hex.DecodeString(columns[2]); err == nil && len(b) == 4 {
			slices.Reverse(b)
			return netip.AddrFrom4([4]byte(b))
		}
	}
	return netip.Addr{}
}

// dockerHint says that Docker's proxy has replaced the addresses of servers, if an explanation is of the
// address in their place, or found nothing although some are there.
func (l *lists) dockerHint(addr netip.Addr, x *explanation) string {
	const advice = "Docker's proxy replaces the addresses of servers. Run the container with --network host."
	isThere := func(e *catalogue.Entry) bool { return e.At.Addr().Unmap() == l.gateway }
	switch {
	case !l.gateway.IsValid():
	case addr == l.gateway && !x.isEmpty():
		return " This is the gateway of the container that lobbyd runs in: " + advice
	case x.isEmpty() && (slices.ContainsFunc(l.catalogue.Snapshot().Entries, isThere) ||
		len(l.refusals.From(l.gateway)) > 0):
		return " But servers appear at " + l.gateway.String() +
			", the gateway of the container that lobbyd runs in: " + advice
	}
	return ""
}
