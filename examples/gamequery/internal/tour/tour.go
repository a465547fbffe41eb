// Package tour shows protocols at work, on this machine only.
package tour

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/servers"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/tap"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
)

// Limits of a stop of the tour: stopTime is its time limit, attemptTime that of an attempt of
// its commands, which a busy machine may need, and maxStop is larger than its output, so that
// the servers do not wait for a reader.
const (
	stopTime    = 20 * time.Second
	attemptTime = 5 * time.Second
	maxStop     = 1 << 20
)

// StopsOf returns the stops of a tour of the named protocols, or of all. It leaves out
// commands for masters that are not part of the tour.
func StopsOf(cmd *cobra.Command, names []string) ([]Stop, error) {
	all := stops()
	var named []Stop
	var others []string // masters
	for _, s := range all {
		if slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, s.protocol.Name) }) {
			named = append(named, s)
		} else {
			others = append(others, "@"+s.protocol.Name)
		}
	}
	switch {
	case len(names) == 0:
		return all, nil
	case len(named) < len(names):
		return nil, usage.Bad(cmd, "the tour shows each of %s once", strings.Join(StopNames(), ", "))
	}
	for i := range named {
		named[i].commands = slices.DeleteFunc(named[i].commands, func(command string) bool {
			return slices.Contains(others, command[strings.LastIndexByte(command, ' ')+1:])
		})
	}
	return named, nil
}

// StopNames returns the names of all stops in their order.
func StopNames() (names []string) {
	for _, s := range stops() {
		names = append(names, s.protocol.Name)
	}
	return names
}

// A guide runs a tour.
type guide struct {
	out     *bufio.Writer
	execute func(ctx context.Context, via tap.Sockets, args []string, out io.Writer) error // runs a command
	tap     *tap.Tap
	masters []*servers.Running // these run until the end, since lobbies share their games
	words   []string           // placeholders in commands, and their values
}

func (g *guide) lead(ctx context.Context, all []Stop) (err error) {
	defer func() { err = errors.Join(err, stopAll(ctx, g.masters)) }()
	what := "1 protocol"
	if len(all) > 1 {
		what = fmt.Sprintf("%d protocols", len(all))
	}
	fmt.Fprintf(g.out, "A tour of %s: real servers and clients, on this machine only.\n", what)
	for i, s := range all {
		fmt.Fprintf(g.out, "\n=== %d of %d: %s ===\n%s\n\n", i+1, len(all), s.protocol.Name, s.about)
		shown := g.show(ctx, s)
		if err := g.out.Flush(); err != nil {
			return err
		}
		switch {
		case ctx.Err() != nil:
			return output.ErrInterrupted
		case shown != nil:
			return fmt.Errorf("%s: %w; check that programs may use sockets on 127.0.0.1", s.protocol.Name, shown)
		}
	}
	fmt.Fprintln(g.out, "\nThat was all. Now try things out:")
	fmt.Fprintln(g.out, "  gamequery serve sqp 127.0.0.1:25601   be a server, and query it")
	fmt.Fprintln(g.out, "  gamequery explain games.pcap          explain what tcpdump captured")
	fmt.Fprintln(g.out, "  gamequery -help                       see all commands")
	return g.out.Flush()
}

// Run shows the stops on out. execute runs the commands of this program.
func Run(ctx context.Context, all []Stop, out io.Writer,
	execute func(ctx context.Context, via tap.Sockets, args []string, out io.Writer) error) error {
	g := guide{out: bufio.NewWriterSize(out, maxStop), tap: new(tap.Tap), execute: execute}
	return g.lead(ctx, all)
}

// show starts the servers of a stop, runs its commands and stops the servers.
func (g *guide) show(ctx context.Context, s Stop) error {
	limited, cancel := context.WithTimeout(ctx, stopTime)
	defer cancel()
	started, err := g.startAll(limited, s)
	if err == nil {
		err = g.runAll(limited, s, started)
	}
	return errors.Join(err, stopAll(ctx, started))
}

// startAll starts the servers of a stop and registers them at its master. On error,
// it returns the servers that it has started.
func (g *guide) startAll(ctx context.Context, s Stop) (started []*servers.Running, err error) {
	var masters []string
	var lobby string // its address, as in commands
	if s.master != nil {
		list := ""
		if s.overTCP {
			list = "127.0.0.1:0"
		}
		m, err := g.start(ctx, s.protocol, "master", list,
			func(netip.AddrPort) (servers.Server, error) { return s.master(), nil })
		if err != nil {
			return nil, err
		}
		lobby = s.protocol.Scheme + m.Local.String()
		masters = []string{lobby}
		if s.overTCP {
			lobby = m.List.Addr().String()
		}
		g.masters = append(g.masters, m)
		g.words = append(g.words, "@"+s.protocol.Name, lobby)
		// Lobbies share their games, so the last stop's may still be listed.
		if err := awaitListed(ctx, s.protocol, lobby, 0); err != nil {
			return nil, err
		}
	}
	for _, played := range s.games {
		r, err := g.start(ctx, s.protocol, fmt.Sprintf("server %q", played.Name), "",
			func(at netip.AddrPort) (servers.Server, error) {
				played.At, played.Masters, played.Messages = at, masters, io.Discard
				return s.protocol.Serve(played)
			})
		if err != nil {
			return started, err
		}
		started = append(started, r)
	}
	if s.master != nil {
		err = awaitListed(ctx, s.protocol, lobby, len(started))
	}
	return started, err
}

func (g *guide) start(ctx context.Context, p protocols.Protocol, what, list string,
	make func(at netip.AddrPort) (servers.Server, error)) (*servers.Running, error) {
	r, err := servers.Open(ctx, p.Network, "127.0.0.1:0", list, make)
	if err != nil {
		return nil, err
	}
	r.Start(ctx)
	fmt.Fprintf(g.out, "Started a %s on %s.\n", what, r.Local)
	return r, nil
}

func stopAll(ctx context.Context, all []*servers.Running) (err error) {
	for _, r := range all {
		err = errors.Join(err, r.Stop(ctx))
	}
	return err
}

// runAll runs the commands of a stop, and explains the traffic of the first.
func (g *guide) runAll(ctx context.Context, s Stop, started []*servers.Running) error {
	addrs := make([]string, len(started))
	for i, r := range started {
		addrs[i] = r.Local.String()
	}
	words := append(g.words, "SERVERS", strings.Join(addrs, " "), "SERVER", addrs[0])
	for i, command := range s.commands {
		if err := g.run(ctx, strings.NewReplacer(words...).Replace(command)); err != nil {
			return err
		}
		if sent := g.tap.Take(); i == 0 {
			writeBytes(g.out, s.protocol.Name, sent)
		}
	}
	return nil
}

// run prints a command line and executes it, with the tap and more time for an answer.
func (g *guide) run(ctx context.Context, line string) error {
	fmt.Fprintf(g.out, "\n$ gamequery %s\n", line)
	args := append(strings.Fields(line), "-timeout", attemptTime.String())
	return g.execute(ctx, g.tap.Sockets(), args, g.out)
}

// listedSoon is how long the tour waits before it first checks again whether a game
// is listed. The wait doubles each time.
const listedSoon = 10 * time.Millisecond

// awaitListed waits until a master lists exactly this many games.
func awaitListed(ctx context.Context, p protocols.Protocol, master string, count int) error {
	for wait := listedSoon; ; wait *= 2 {
		listed, err := countListed(ctx, p, master)
		if err != nil || listed == count {
			return err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return fmt.Errorf("the master lists %d of %d: %w", listed, count, ctx.Err())
		}
	}
}

func countListed(ctx context.Context, p protocols.Protocol, master string) (int, error) {
	a := protocols.Settings{Timeout: attemptTime, Attempts: 3}
	switch sample := (servers.GameKey{}).OrSample(); {
	case p.Name == "gamespy2":
		listing, err := protocols.GameSpy2Client(a).List(ctx, master,
			gamespy2net.ListQuery{Game: sample.Game, Key: sample.Key})
		return len(listing.Servers), err
	case p.Games == nil:
		listing, err := protocols.GameAgentClient(a).List(ctx, master)
		return len(listing.Queries), err
	}
	all, err := p.Games(ctx, master, a)
	return len(all.Games), err
}
