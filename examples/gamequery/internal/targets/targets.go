// Package targets reads the addresses of servers: from command lines, files and lists.
package targets

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"iter"
	"math"
	"net"
	"net/netip"
	"strings"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
	"github.com/lobbywire/lobbywire/examples/internal/files"
)

// A Target is one address with consecutive ports.
type Target struct {
	Addr  netip.Addr
	Port  uint16 // the first
	Count int    // of ports
	other uint16 // a port to try if there is no answer at port; 0 if there is none

	host, line string // a name or network in place of Addr, and its line, for errors
	srv        string // as in Ports, if host is a name without a port
}

// At returns the target of a query address.
func At(query netip.AddrPort) Target {
	return Target{Addr: query.Addr(), Port: query.Port(), Count: 1}
}

// A Source yields targets, and errors for invalid ones.
type Source = iter.Seq2[Target, error]

// Of returns a source of the given targets.
func Of(all ...Target) Source {
	return func(yield func(Target, error) bool) {
		for _, t := range all {
			if !yield(t, nil) {
				return
			}
		}
	}
}

// Each returns a source of addresses.
func Each(all iter.Seq[netip.AddrPort]) Source {
	return func(yield func(Target, error) bool) {
		for query := range all {
			if !yield(At(query), nil) {
				return
			}
		}
	}
}

// Parse reads a place and returns the ports of queries there, for each address
// of its host or network. Ranges of ports have no other ports.
func Parse(ctx context.Context, s string, ports Ports) ([]Target, error) {
	t, err := parse(s, ports)
	if err != nil {
		return nil, err
	}
	return t.atAll(ctx)
}

// Argument returns the source of a place in a command line, and fails if s is not a place. A name
// is looked up when the source is read, so a name that is not found does not stop the other
// arguments.
func Argument(s string, ports Ports) (Source, error) {
	t, err := parse(s, ports)
	if err != nil {
		return nil, err
	}
	return Of(t), nil
}

// parse reads a place. The target has its address or host, and its ports.
func parse(s string, ports Ports) (Target, error) {
	at, err := parsePlace(s)
	if err == nil {
		err = at.checkNetwork()
	}
	queries := ports.queryPorts(at.Port)
	if at.Count > 1 && ports.Fixed {
		queries = []uint16{at.Port}
	}
	if err == nil && len(queries) == 0 {
		err = ErrNoPort
	}
	if err != nil {
		return Target{}, Bad(s, err.Error())
	}
	t := Target{host: at.Host, Port: queries[0], Count: min(at.Count, math.MaxUint16+1-int(queries[0]))}
	if addr, err := netip.ParseAddr(at.Host); err == nil {
		t.Addr, t.host = addr.Unmap(), ""
	}
	if at.Port == 0 {
		t.srv = ports.SRV
	}
	if at.Count == 1 && len(queries) > 1 {
		t.other = queries[1]
	}
	return t, nil
}

// atAll returns the target at all addresses of its host.
func (t Target) atAll(ctx context.Context) ([]Target, error) {
	if t.host == "" {
		return []Target{t}, nil
	}
	at := Ports{SRV: t.srv}.Locate(ctx, Place{Host: t.host}, net.DefaultResolver.LookupSRV)
	if at.Port != 0 {
		t.Port = at.Port
	}
	addresses, err := at.Addresses(ctx)
	switch {
	case err != nil && t.line != "":
		return nil, fmt.Errorf("%s: %w", t.line, err)
	case err != nil:
		return nil, err
	}
	t.host, t.line = "", ""
	all := make([]Target, len(addresses))
	for i, addr := range addresses {
		t.Addr = addr
		all[i] = t
	}
	return all, nil
}

// Bad returns a [usage.Error] for target s.
func Bad(s, problem string) error {
	return &usage.Error{
		Problem: fmt.Sprintf("target %q: %s", s, problem),
		Advice: "Targets are HOST, HOST:PORT, [IPv6]:PORT and HOST:FIRST-LAST; for scan, HOST may be " +
			"a network such as 192.0.2.0/24.",
	}
}

// A listedWord is the first word of a line of a list.
type listedWord struct {
	Text string
	Line string // for errors: the name of the list and the number of the line
}

// Words returns the first words of the lines of a list. Lines that begin with #
// have none.
func Words(name string, r io.Reader) iter.Seq2[listedWord, error] {
	return func(yield func(listedWord, error) bool) {
		lines := bufio.NewScanner(files.Text(r))
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

// Listed returns the targets of a list.
func Listed(name string, r io.Reader, ports Ports) Source {
	return func(yield func(Target, error) bool) {
		for word, err := range Words(name, r) {
			var t Target
			if err == nil {
				t, err = parse(word.Text, ports)
				t.line = word.Line
				if err != nil {
					err = fmt.Errorf("%s: %w", word.Line, err)
				}
			}
			if !yield(t, err) {
				return
			}
		}
	}
}
