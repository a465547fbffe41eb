package scan

import (
	"net"
	"net/netip"
)

// A refusal is a request that the system has not sent, such as one to a network that
// is unreachable.
type refusal struct {
	socket *socket
	target netip.AddrPort
	err    error
}

// check reports why no answer can come from a target, if that is certain.
func check(target netip.AddrPort) error {
	switch {
	case !target.IsValid() || target.Addr().IsUnspecified():
		return &net.AddrError{Err: "invalid address", Addr: target.String()}
	case target.Port() == 0:
		return &net.AddrError{Err: "invalid port", Addr: target.String()}
	}
	return nil
}
