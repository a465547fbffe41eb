package health

import (
	"net"
	"net/netip"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

// locate sets Local of a server, and calls OnLocal if that begins.
func (w *Watcher) locate(s *server, wasLocal bool) {
	e := s.shown
	at, known := w.playersUse(e)
	isListed := known && e.Quarantine == ""
	s.isPublic = isListed && !isLocal(at)
	e.Local = isListed && !s.isPublic && w.last.isPublic
	if e.Local && !wasLocal && w.OnLocal != nil {
		w.OnLocal(*e)
	}
}

// playersUse returns the address that players get. It is unknown for a host name, except the
// name of the machine itself.
func (w *Watcher) playersUse(e *catalogue.Entry) (at netip.Addr, known bool) {
	if e.Address == "" { // only players may know it
		if w.Public == nil {
			return e.At.Addr(), e.At.IsValid()
		}
		return w.Public(e.At).Addr(), e.At.IsValid()
	}
	host, _, err := net.SplitHostPort(e.Address)
	if host == "localhost" {
		return netip.IPv6Loopback(), true
	}
	if err == nil {
		at, err = netip.ParseAddr(host)
	}
	return at, err == nil
}

// shared is for the customers of a provider (RFC 6598).
var shared = netip.MustParsePrefix("100.64.0.0/10")

// isLocal reports whether an address is of the machine itself or a private network.
func isLocal(a netip.Addr) bool {
	a = a.Unmap()
	return a.IsLoopback() || a.IsPrivate() || a.IsLinkLocalUnicast() || a.IsUnspecified() || shared.Contains(a)
}

// IsInternet reports whether a socket at one of the addresses can be reached from the internet:
// at a public IPv4 address, which is one of own if the socket is bound to all addresses. IPv6
// addresses do not count, because each machine at home has one.
func IsInternet(sockets, own []netip.Addr) bool {
	for _, at := range sockets {
		all := []netip.Addr{at}
		if at.IsUnspecified() {
			all = own
		}
		for _, a := range all {
			if a = a.Unmap(); a.Is4() && !isLocal(a) {
				return true
			}
		}
	}
	return false
}
