package wzhttpnet

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// clientOf returns the address of the client of a request, which may be behind trusted
// proxies. If a trusted proxy has not named it, ok is false.
func (l *Lobby) clientOf(r *http.Request) (client netip.Addr, ok bool) {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}, false
	}
	client = bare(peer.Addr())
	if !l.trusts(client) {
		return client, true
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		if client, ok = parseHop(hop); !ok || !l.trusts(client) {
			return client, ok
		}
	}
	return netip.Addr{}, false
}

// parseHop reads an address, to which some proxies add a port.
func parseHop(s string) (netip.Addr, bool) {
	s = strings.TrimSpace(s)
	if a, err := netip.ParseAddrPort(s); err == nil {
		return bare(a.Addr()), true
	}
	a, err := netip.ParseAddr(strings.Trim(s, "[]"))
	return bare(a), err == nil
}

// bare returns an address without a zone, with IPv4-mapped IPv6 addresses converted
// to IPv4.
func bare(a netip.Addr) netip.Addr { return a.Unmap().WithZone("") }

func (l *Lobby) trusts(a netip.Addr) bool {
	return slices.ContainsFunc(l.TrustedProxies, func(p netip.Prefix) bool { return p.Contains(a) })
}
