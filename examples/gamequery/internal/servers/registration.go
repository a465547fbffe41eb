package servers

import (
	"context"
	"errors"
	"net/netip"
)

// A Master is a master at which a server registers.
type Master struct {
	Addr string // host:port, or the URL of a lobby

	// Addresses are the addresses of the host, for protocols over UDP. Connections try all
	// Addresses of a name themselves.
	Addresses []netip.AddrPort
}

// runAll runs registrations at the same time, until the last one ends.
func runAll(ctx context.Context, all []func(ctx context.Context) error) (err error) {
	ended := make(chan error)
	for _, run := range all {
		go func() { ended <- run(ctx) }()
	}
	for range all {
		err = errors.Join(err, <-ended)
	}
	return err
}
