package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"iter"
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// A target is one host with a range of ports.
type target struct {
	addr        netip.Addr
	first, last uint16
}

// targets are what to scan.
type targets []target

// count returns how many servers to ask.
func (t targets) count() int {
	n := 0
	for _, r := range t {
		n += int(r.last) - int(r.first) + 1
	}
	return n
}

// all returns every address.
func (t targets) all() iter.Seq[netip.AddrPort] {
	return func(yield func(netip.AddrPort) bool) {
		for _, r := range t {
			for port := int(r.first); port <= int(r.last); port++ {
				if !yield(netip.AddrPortFrom(r.addr, uint16(port))) {
					return
				}
			}
		}
	}
}

// parseTarget reads host:port or host:port-port. A host that is a name is
// looked up, and its first address counts.
func parseTarget(ctx context.Context, s string) (target, error) {
	host, ports, err := net.SplitHostPort(s)
	if err != nil {
		return target{}, badTarget(s, "write host:port, [IPv6]:port or host:first-last")
	}
	t := target{}
	if t.first, t.last, err = parsePorts(ports); err != nil {
		return target{}, badTarget(s, err.Error())
	}
	if t.addr, err = netip.ParseAddr(host); err == nil {
		return t, nil
	}
	if host == "" {
		return target{}, badTarget(s, "the host is missing; 127.0.0.1 is this machine")
	}
	found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return target{}, fmt.Errorf("%w; check the name, or give an address", err)
	}
	t.addr = found[0].Unmap()
	return t, nil
}

func parsePorts(s string) (first, last uint16, err error) {
	from, to, isRange := strings.Cut(s, "-")
	if !isRange {
		to = from
	}
	a, errA := strconv.ParseUint(from, 10, 16)
	b, errB := strconv.ParseUint(to, 10, 16)
	if errA != nil || errB != nil || a == 0 || a > b {
		return 0, 0, fmt.Errorf("%q is no port from 1 to 65535 and no range of them, as 25600-25700", s)
	}
	return uint16(a), uint16(b), nil
}

func badTarget(s, advice string) error {
	return &usageError{problem: fmt.Sprintf("target %q", s), advice: "Targets: " + advice + "."}
}

// readTargets reads targets from the lines of a file: the first word of each
// counts, and lines that begin with # do not.
func readTargets(ctx context.Context, in *input, name string) (targets, error) {
	text, err := in.raw(name)
	if err != nil {
		return nil, err
	}
	var all targets
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		words := strings.Fields(lines.Text())
		if len(words) == 0 || words[0][0] == '#' {
			continue
		}
		t, err := parseTarget(ctx, words[0])
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", name, n, err)
		}
		all = append(all, t)
	}
	return all, lines.Err()
}
