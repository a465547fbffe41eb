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

	// targetInterval is the time between two targets of an IPv4 address or IPv6 /64.
	// maxTargets of them take 3.2 s, less than one silent server with the defaults of
	// clients.
	targetInterval = 50 * time.Millisecond
)

// Targets returns the query addresses of the servers, without duplicates, for a [Scanner].
// It omits and counts addresses that a list must not make clients query; see [LeftOut].
//
// The sequence waits 50 ms between two targets of an IPv4 address or IPv6 /64. It ends
// when ctx is done.
func (r ListResult) Targets(ctx context.Context) (iter.Seq[netip.AddrPort], LeftOut) {
	targets, errs := r.choose(context.WithoutCancel(ctx))
	return paced(ctx, targets), r.leftOut(errs)
}

// A LeftOut counts servers of a list that are not queried, by reason.
type LeftOut struct {
	// Address: no server has such an address, for example one for multicast or broadcast, or
	// an IPv6 address that contains an IPv4 address. Or the port is 0.
	Address int `json:"address,omitzero"`

	// Private: the address is not [IsPublic], and the master's own address reaches farther.
	// In order of reach: networks for documentation and tests, private networks, link-local
	// addresses and services of clouds, loopback addresses.
	Private int `json:"private,omitzero"`

	// Service: other services use the port; see [IsServicePort].
	Service int `json:"service,omitzero"`

	// Crowd: 64 other servers of the list have the IPv4 address, or are in the IPv6 /64.
	Crowd int `json:"crowd,omitzero"`

	// Unreadable: the entry of the list cannot be read; see [ListResult]. Such an entry is in no
	// Row.
	Unreadable int `json:"unreadable,omitzero"`
}

// Total returns the number of servers left out.
func (l LeftOut) Total() int { return l.Address + l.Private + l.Service + l.Crowd + l.Unreadable }

// A LeftOutError says why servers of a list are not queried.
type LeftOutError struct{ LeftOut LeftOut }

// Error returns the reasons as LeftOut.String does.
func (e LeftOutError) Error() string { return e.LeftOut.String() }

// String returns the reasons, with the number of servers of each if there are several, or
// "none".
func (l LeftOut) String() string {
	if l.Total() == 0 {
		return "none"
	}
	what := "not queried: "
	if l.Unreadable == l.Total() {
		what = "left out: "
	}
	var reasons []string
	for _, r := range [...]struct {
		n    int
		text string
	}{
		{l.Address, "no address of a server"},
		{l.Private, "private address on a public list"},
		{l.Service, "port of another service"},
		{l.Crowd, fmt.Sprintf("more than %d servers of its address", maxTargets)},
		{l.Unreadable, "entry that cannot be read"},
	} {
		switch {
		case r.n > 0 && l.Total() == 1:
			reasons = append(reasons, r.text)
		case r.n > 0:
			reasons = append(reasons, fmt.Sprintf("%d (%s)", r.n, r.text))
		}
	}
	return what + strings.Join(reasons, ", ")
}

// The errors of single servers.
var (
	errAddress error = LeftOutError{LeftOut{Address: 1}}
	errPrivate error = LeftOutError{LeftOut{Private: 1}}
	errService error = LeftOutError{LeftOut{Service: 1}}
	errCrowd   error = LeftOutError{LeftOut{Crowd: 1}}
)

// leftOut counts the servers that are left out, by the reasons that choose returned.
func (r ListResult) leftOut(errs []error) (sum LeftOut) {
	sum.Unreadable = r.Skipped
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

// choose returns the addresses to query, without duplicates, and for each server the reason
// why it is left out: nil if it is queried or has no query address. It ends early if ctx is
// done.
func (r ListResult) choose(ctx context.Context) (targets []netip.AddrPort, errs []error) {
	errs = make([]error, len(r.Servers))
	chosen := make(map[netip.AddrPort]bool)
	perHost := make(map[netip.Addr]int)
	for i, l := range r.Servers {
		if l.Query == (netip.AddrPort{}) {
			continue
		}
		if hasEnded(ctx, i) {
			break
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

// paced yields the first target of each host, then the second of each, and so on, with a
// pause between these rounds. It ends when ctx is done.
func paced(ctx context.Context, targets []netip.AddrPort) iter.Seq[netip.AddrPort] {
	var rounds [][]netip.AddrPort
	perHost := make(map[netip.Addr]int)
	for i, t := range targets {
		if hasEnded(ctx, i) {
			break
		}
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

// hasEnded reports whether ctx is done. Long loops pass their index i: only every 1024th
// call looks at ctx.
func hasEnded(ctx context.Context, i int) bool { return i%1024 == 0 && ctx.Err() != nil }

func unmapped(at netip.AddrPort) netip.AddrPort {
	return netip.AddrPortFrom(at.Addr().Unmap(), at.Port())
}

// hostOf returns the network that counts as one host: an IPv4 address or an IPv6 /64.
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
	reach := scopeOf(at.Addr())
	allowed := scopeOf(master)
	if allowed == scopeNone {
		allowed = scopePublic
	}
	switch {
	case reach == scopeNone, at.Port() == 0:
		return errAddress
	case reach > allowed:
		return errPrivate
	case IsServicePort(at.Port()):
		return errService
	}
	return nil
}
