// Package forwarded finds the client of an HTTP request that proxies may have forwarded.
package forwarded

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Client returns the address of the client of a request: the peer or, if that is a
// trusted proxy, the last address in X-Forwarded-For that is not. If all are trusted, the
// client is at a proxy: the first address. If a trusted proxy has not named the client, or
// the peer has no address, ok is false.
func Client(r *http.Request, trusted []netip.Prefix) (client netip.Addr, ok bool) {
	client, ok = Peer(r)
	if !ok || !contains(trusted, client) {
		return client, ok
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		client, ok = parseHop(hop)
		if !ok || !contains(trusted, client) {
			return client, ok
		}
	}
	return client, ok
}

// Peer returns the address of the peer that sent a request. If it has none, as over a Unix
// socket, ok is false.
func Peer(r *http.Request) (peer netip.Addr, ok bool) {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	return bare(at.Addr()), err == nil
}

// parseHop reads an address, to which some proxies add a port.
func parseHop(s string) (netip.Addr, bool) {
	s = strings.TrimSpace(s)
	withPort, err := netip.ParseAddrPort(s)
	if err == nil {
		return bare(withPort.Addr()), true
	}
	a, err := netip.ParseAddr(strings.Trim(s, "[]"))
	return bare(a), err == nil
}

// bare returns an address without a zone, with IPv4-mapped IPv6 addresses converted
// to IPv4.
func bare(a netip.Addr) netip.Addr { return a.Unmap().WithZone("") }

func contains(trusted []netip.Prefix, a netip.Addr) bool {
	return slices.ContainsFunc(trusted, func(p netip.Prefix) bool { return p.Contains(a) })
}
