package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"iter"
	"math"
	"net/netip"
	"strings"
)

// A target is one address with consecutive ports.
type target struct {
	addr  netip.Addr
	port  uint16 // the first
	count int    // of ports
	other uint16 // a port to try if there is no answer at port; 0 if there is none
}

// targetAt returns the target of a query address.
func targetAt(query netip.AddrPort) target {
	return target{addr: query.Addr(), port: query.Port(), count: 1}
}

// A targetSource yields targets, and errors for invalid ones.
type targetSource = iter.Seq2[target, error]

// sourceOf returns a source of the given targets.
func sourceOf(all ...target) targetSource {
	return func(yield func(target, error) bool) {
		for _, t := range all {
			if !yield(t, nil) {
				return
			}
		}
	}
}

// parseTargets reads a place and returns the ports of queries there, for each address
// of its host. Ranges of ports have no other ports.
func parseTargets(ctx context.Context, s string, ports ports) ([]target, error) {
	at, err := parsePlace(s)
	if err != nil {
		return nil, badTarget(s, err.Error())
	}
	queries := ports.queryPorts(at.port)
	if at.count > 1 && ports.fixed {
		queries = []uint16{at.port}
	}
	if len(queries) == 0 {
		return nil, badTarget(s, errNoPort.Error())
	}
	addresses, err := at.addresses(ctx)
	if err != nil {
		return nil, err
	}
	t := target{port: queries[0], count: min(at.count, math.MaxUint16+1-int(queries[0]))}
	if at.count == 1 && len(queries) > 1 {
		t.other = queries[1]
	}
	all := make([]target, len(addresses))
	for i, addr := range addresses {
		t.addr = addr
		all[i] = t
	}
	return all, nil
}

func badTarget(s, problem string) error {
	return &usageError{
		problem: fmt.Sprintf("target %q: %s", s, problem),
		advice:  "Targets are HOST, HOST:PORT, [IPv6]:PORT and HOST:FIRST-LAST.",
	}
}

// A listedWord is the first word of a line of a list.
type listedWord struct {
	text string
	line string // for errors: the name of the list and the number of the line
}

// listedWords returns the first words of the lines of a list. Lines that begin with #
// have none.
func listedWords(name string, r io.Reader) iter.Seq2[listedWord, error] {
	return func(yield func(listedWord, error) bool) {
		lines := bufio.NewScanner(r)
		n := 1
		for ; lines.Scan(); n++ {
			words := strings.Fields(lines.Text())
			if len(words) == 0 || words[0][0] == '#' {
				continue
			}
			if !yield(listedWord{words[0], fmt.Sprintf("%s, line %d", name, n)}, nil) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(listedWord{}, fmt.Errorf("%s ends at line %d: %w", name, n, err))
		}
	}
}

// listedTargets returns the targets of a list.
func listedTargets(ctx context.Context, name string, r io.Reader, ports ports) targetSource {
	return func(yield func(target, error) bool) {
		for word, err := range listedWords(name, r) {
			var all []target
			if err == nil {
				if all, err = parseTargets(ctx, word.text, ports); err != nil {
					err = fmt.Errorf("%s: %w", word.line, err)
				}
			}
			if err != nil && !yield(target{}, err) {
				return
			}
			for _, t := range all {
				if !yield(t, nil) {
					return
				}
			}
		}
	}
}
