package lobbywire

import (
	"context"
	"fmt"
	"iter"
	"net/netip"
	"strings"
	"time"
)

// Limits on the queries that a list causes. Anybody may run a master, and anybody may
// register at an honest one.
const (
	// maxTargets is the number of servers of an IPv4 address or IPv6 /64 that are
	// queried: the masters of this module list as many by default.
	maxTargets = 64

	// targetInterval is the time between two targets of an IPv4 address or IPv6 /64. So
	// maxTargets of them take 3.2 s, less than one silent server with the defaults of
	// clients.
	targetInterval = 50 * time.Millisecond

	// minTargetPort is the first port that is no system port.
	minTargetPort = 1024
)

// otherServices are the higher ports of services that attackers make answer to others:
// MS SQL, SSDP, WS-Discovery, multicast DNS and memcached.
var otherServices = [...]uint16{1434, 1900, 3702, 5353, 11211}

// Targets returns the query addresses of the servers, each once, for a [Scanner]. It
// leaves out those that a master must not make its clients query, and counts them; see
// [LeftOut].
//
// The sequence waits 50 ms between two targets of an IPv4 address or IPv6 /64. It ends
// when ctx is done.
func (r ListResult) Targets(ctx context.Context) (iter.Seq[netip.AddrPort], LeftOut) {
	targets, errs := r.choose()
	return paced(ctx, targets), countLeftOut(errs)
}

// A LeftOut counts servers of a list that are not queried, by the reason. It is also the
// error of such a server.
type LeftOut struct {
	// Address: no server has such an address, for example one for multicast or broadcast,
	// or the port is 0.
	Address int `json:"address,omitzero"`

	// Private: the address is private, link-local or loopback, and the master is not in such
	// a network itself. Masters at a loopback address may list all addresses, others no
	// loopback addresses. Link-local addresses may be listed by masters at one.
	Private int `json:"private,omitzero"`

	// Service: other services use the port. It is below 1024, or 1434, 1900, 3702, 5353 or 11211.
	Service int `json:"service,omitzero"`

	// Crowd: 64 other servers of the list have the IPv4 address, or are in the IPv6 /64.
	Crowd int `json:"crowd,omitzero"`
}

// Total returns the number of servers.
func (l LeftOut) Total() int { return l.Address + l.Private + l.Service + l.Crowd }

// Error returns the reasons, and how many servers each has if there are several.
func (l LeftOut) Error() string {
	var reasons []string
	for _, r := range [...]struct {
		n    int
		text string
	}{
		{l.Address, "no address of a server"},
		{l.Private, "private address on a public list"},
		{l.Service, "port of another service"},
		{l.Crowd, fmt.Sprintf("more than %d servers of its address", maxTargets)},
	} {
		switch {
		case r.n > 0 && l.Total() == 1:
			reasons = append(reasons, r.text)
		case r.n > 0:
			reasons = append(reasons, fmt.Sprintf("%d (%s)", r.n, r.text))
		}
	}
	return "not queried: " + strings.Join(reasons, ", ")
}

// The errors of single servers.
var (
	errAddress error = LeftOut{Address: 1}
	errPrivate error = LeftOut{Private: 1}
	errService error = LeftOut{Service: 1}
	errCrowd   error = LeftOut{Crowd: 1}
)

func countLeftOut(errs []error) (sum LeftOut) {
	for _, err := range errs {
		switch err {
		case errAddress:
			sum.Address++
		case errPrivate:
			sum.Private++
		case errService:
			sum.Service++
		case errCrowd:
			sum.Crowd++
		}
	}
	return sum
}

// choose returns the addresses to query, each once, and for each server the reason why it
// is left out, nil if it is not or has no query address.
func (r ListResult) choose() (targets []netip.AddrPort, errs []error) {
	errs = make([]error, len(r.Servers))
	chosen := make(map[netip.AddrPort]bool)
	perHost := make(map[netip.Addr]int)
	for i, l := range r.Servers {
		if l.Query == (netip.AddrPort{}) {
			continue
		}
		at := unmapped(l.Query)
		host := hostOf(at.Addr())
		err := checkTarget(r.MasterIP, at)
		switch {
		case err != nil:
			errs[i] = err
		case chosen[at]:
		case perHost[host] == maxTargets:
			errs[i] = errCrowd
		default:
			chosen[at] = true
			perHost[host]++
			targets = append(targets, at)
		}
	}
	return targets, errs
}

// paced yields the first target of each host, then the second ones, and so on, with a pause
// between these rounds, until ctx is done.
func paced(ctx context.Context, targets []netip.AddrPort) iter.Seq[netip.AddrPort] {
	var rounds [][]netip.AddrPort
	perHost := make(map[netip.Addr]int)
	for _, t := range targets {
		host := hostOf(t.Addr())
		n := perHost[host]
		perHost[host]++
		if n == len(rounds) {
			rounds = append(rounds, nil)
		}
		rounds[n] = append(rounds[n], t)
	}
	return func(yield func(netip.AddrPort) bool) {
		pause := time.NewTimer(targetInterval)
		defer pause.Stop()
		for i, round := range rounds {
			if i > 0 {
				pause.Reset(targetInterval)
				select {
				case <-pause.C:
				case <-ctx.Done():
					return
				}
			}
			for _, t := range round {
				if !yield(t) {
					return
				}
			}
		}
	}
}

func unmapped(at netip.AddrPort) netip.AddrPort {
	return netip.AddrPortFrom(at.Addr().Unmap(), at.Port())
}

// hostOf returns what counts as one host: an IPv4 address or an IPv6 /64.
func hostOf(a netip.Addr) netip.Addr {
	a = embedded(a)
	if a.Is4() {
		return a
	}
	prefix, _ := a.Prefix(64) // cannot fail for a valid address
	return prefix.Addr()
}

// checkTarget returns the reason why a server on the list of a master is not queried.
func checkTarget(master netip.Addr, at netip.AddrPort) error {
	a := embedded(at.Addr())
	switch {
	case !a.IsValid(), at.Port() == 0, a.IsUnspecified(), a.IsMulticast(), a == loopbackBroadcast,
		thisNetwork.Contains(a), reserved.Contains(a):
		return errAddress
	case scopeOf(a) > scopeOf(embedded(master)):
		return errPrivate
	case at.Port() < minTargetPort:
		return errService
	}
	for _, port := range otherServices {
		if at.Port() == port {
			return errService
		}
	}
	return nil
}

// A scope is how far an address reaches. A master may list addresses of its own scope and
// of those that reach farther.
type scope int

const (
	scopePublic scope = iota // also of an unknown address
	scopePrivate
	scopeLinkLocal
	scopeLoopback
)

var (
	loopbackBroadcast = netip.MustParseAddr("127.255.255.255")
	thisNetwork       = netip.MustParsePrefix("0.0.0.0/8")
	reserved          = netip.MustParsePrefix("240.0.0.0/4") // with 255.255.255.255, limited broadcast
	carrierNetwork    = netip.MustParsePrefix("100.64.0.0/10")
	siteLocal         = netip.MustParsePrefix("fec0::/10")
	localNAT64        = netip.MustParsePrefix("64:ff9b:1::/48")

	nat64      = netip.MustParsePrefix("64:ff9b::/96")
	compatible = netip.MustParsePrefix("::/96")
	sixToFour  = netip.MustParsePrefix("2002::/16")
)

func scopeOf(a netip.Addr) scope {
	switch {
	case a.IsLoopback():
		return scopeLoopback
	case a.IsLinkLocalUnicast():
		return scopeLinkLocal
	case a.IsPrivate(), carrierNetwork.Contains(a), siteLocal.Contains(a), localNAT64.Contains(a):
		return scopePrivate
	}
	return scopePublic
}

// embedded returns the IPv4 address that gateways make of an IPv6 address, or the address
// itself.
func embedded(a netip.Addr) netip.Addr {
	a = a.Unmap().WithZone("")
	if !a.Is6() || a.IsLoopback() || a.IsUnspecified() {
		return a
	}
	b := a.As16()
	switch {
	case nat64.Contains(a), compatible.Contains(a):
		return netip.AddrFrom4([4]byte(b[12:]))
	case sixToFour.Contains(a):
		return netip.AddrFrom4([4]byte(b[2:]))
	}
	return a
}
