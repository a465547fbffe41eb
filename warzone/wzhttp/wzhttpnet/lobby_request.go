package wzhttpnet

import (
	"errors"
	"io"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// A lobbyRequest is a request within the limits. The list does not need one.
type lobbyRequest struct {
	*http.Request
	from netip.Addr
	id   string // of the game, in paths that have one
	body []byte
}

// bodyOptions returns the options for decoding requests.
func bodyOptions() wzhttp.Options { return wzhttp.Options{MaxBody: wzhttp.MaxRequest} }

// readBody reads the body of a request. The http.Server sets the deadlines.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, wzhttp.MaxRequest))
	if _, tooLong := errors.AsType[*http.MaxBytesError](err); tooLong {
		return nil, errLongRequest
	}
	if err != nil {
		return nil, errIncomplete
	}
	return body, nil
}

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
		client, ok = parseHop(hop)
		if !ok || !l.trusts(client) {
			return client, ok
		}
	}
	return netip.Addr{}, false
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

func (l *Lobby) trusts(a netip.Addr) bool {
	return slices.ContainsFunc(l.TrustedProxies, func(p netip.Prefix) bool { return p.Contains(a) })
}
