package cluster

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"time"
)

// lookupTimeout limits the resolution of all names of peers.
const lookupTimeout = 2 * time.Second

// peersOf returns all addresses except the own address of the node that listens at self,
// which may be listed under another name. NATS derives the size of a cluster from the
// number of routes, so the own address would count as a node that never votes.
func peersOf(self string, all []string) ([]string, error) {
	host, port, err := splitHostPort(self)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), lookupTimeout)
	defer cancel()
	var others []string
	var own []netip.Addr
	for _, peer := range all {
		peerHost, peerPort, err := splitHostPort(peer)
		if err != nil {
			return nil, err
		}
		if peer == self || slices.Contains(others, peer) {
			continue
		}
		if peerPort == port {
			if own == nil {
				own = addrsOf(ctx, host)
			}
			if slices.ContainsFunc(addrsOf(ctx, peerHost), func(a netip.Addr) bool { return slices.Contains(own, a) }) {
				continue
			}
		}
		others = append(others, peer)
	}
	if len(others) == 0 {
		return nil, errors.New("cluster: the only peer is this node")
	}
	return others, nil
}

// addrsOf returns the addresses of a host. A name that cannot be resolved has none, and
// 0.0.0.0 and :: have all of this machine.
func addrsOf(ctx context.Context, host string) (all []netip.Addr) {
	found, _ := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	for _, addr := range found {
		all = append(all, addr.Unmap().WithZone(""))
	}
	if !slices.ContainsFunc(all, netip.Addr.IsUnspecified) {
		return all
	}
	interfaces, _ := net.InterfaceAddrs()
	for _, one := range interfaces {
		if p, err := netip.ParsePrefix(one.String()); err == nil {
			all = append(all, p.Addr().Unmap())
		}
	}
	return all
}
