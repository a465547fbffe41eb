package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"iter"
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// A target is one host with ports that follow each other.
type target struct {
	addr  netip.Addr
	port  uint16 // the first
	count int    // of ports
}

// A targetSource is targets, or errors instead of such as are none.
type targetSource = iter.Seq2[target, error]

// sourceOf returns the source of targets that are known.
func sourceOf(all ...target) targetSource {
	return func(yield func(target, error) bool) {
		for _, t := range all {
			if !yield(t, nil) {
				return
			}
		}
	}
}

// parseTarget reads host:port or host:port-port. A host that is a name is
// looked up, and its first address counts.
func parseTarget(ctx context.Context, s string) (target, error) {
	host, ports, err := net.SplitHostPort(s)
	if err != nil {
		return target{}, badTarget(s, "write host:port")
	}
	t := target{}
	if t.port, t.count, err = parsePorts(ports); err != nil {
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

func parsePorts(s string) (first uint16, count int, err error) {
	from, to, isRange := strings.Cut(s, "-")
	if !isRange {
		to = from
	}
	a, errA := strconv.ParseUint(from, 10, 16)
	b, errB := strconv.ParseUint(to, 10, 16)
	if errA != nil || errB != nil || a == 0 || a > b {
		return 0, 0, fmt.Errorf("%q is no port from 1 to 65535 and no range of them, as 25600-25700", s)
	}
	return uint16(a), int(b-a) + 1, nil
}

func badTarget(s, problem string) error {
	return &usageError{
		problem: fmt.Sprintf("target %q: %s", s, problem),
		advice:  "Targets are host:port, [IPv6]:port and host:first-last.",
	}
}

// listedTargets returns the targets in the lines of a file: the first word of
// each counts, and lines that begin with # do not.
func listedTargets(ctx context.Context, name string, r io.Reader) targetSource {
	return func(yield func(target, error) bool) {
		lines := bufio.NewScanner(r)
		n := 1
		for ; lines.Scan(); n++ {
			words := strings.Fields(lines.Text())
			if len(words) == 0 || words[0][0] == '#' {
				continue
			}
			t, err := parseTarget(ctx, words[0])
			if err != nil {
				err = fmt.Errorf("%s, line %d: %w", name, n, err)
			}
			if !yield(t, err) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(target{}, fmt.Errorf("%s ends at line %d: %w", name, n, err))
		}
	}
}
