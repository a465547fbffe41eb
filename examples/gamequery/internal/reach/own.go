package reach

import (
	"net"
	"net/netip"
	"sync"
	"time"
)

// ownEvery is how often the addresses of the machine are read.
const ownEvery = 10 * time.Second

// own are the addresses of this machine. Peers reach them through its firewall, but the service
// would bypass it.
type own struct {
	mu    sync.Mutex
	read  time.Time
	known map[netip.Addr]bool
}

// has reports whether an address is one of this machine, or whether that is unknown.
func (o *own) has(a netip.Addr, interfaces func() ([]net.Addr, error)) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if now := time.Now(); o.known == nil || now.Sub(o.read) >= ownEvery {
		all, err := interfaces()
		if err != nil {
			return true
		}
		o.read, o.known = now, map[netip.Addr]bool{}
		for _, at := range all {
			if p, err := netip.ParsePrefix(at.String()); err == nil {
				o.known[p.Addr()] = true
			}
		}
	}
	return o.known[a.WithZone("")]
}
