package main

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

	"github.com/lobbywire/lobbywire/examples/internal/dashes"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
)

// Limits of a stop of the tour: stopTime is its time limit, and maxStop is more than
// it prints, so that the servers do not wait for a reader.
const (
	stopTime = 20 * time.Second
	maxStop  = 1 << 20
)

func newTourCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "tour [PROTOCOL...]",
		Short: "Show protocols at work, on this machine only",
		Long: `Tour starts servers and masters of all protocols, or of the given ones, on
127.0.0.1. It runs commands of this program against them, prints the results and
the bytes that were sent, and stops the servers. It takes two or three seconds.
In a terminal it pauses after each page.`,
		Example: `  gamequery tour
  gamequery tour sqp`,
		Args: func(cmd *cobra.Command, args []string) error {
			_, err := stopsOf(cmd, args)
			return err
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			all, err := stopsOf(cmd, args)
			if err != nil {
				return err
			}
			ctx, stop := interruptible(cmd)
			defer stop()
			err = (&guide{out: bufio.NewWriterSize(pagerOf(cmd), maxStop), tap: new(tap)}).lead(ctx, all)
			if errors.Is(err, errLeft) {
				return nil
			}
			return err
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return stopNames(), cobra.ShellCompDirectiveNoFileComp
		},
		DisableFlagsInUseLine: true,
	}
}

// stopsOf returns the stops of a tour of the named protocols, or of all. It leaves out
// commands for masters that are not part of the tour.
func stopsOf(cmd *cobra.Command, names []string) ([]stop, error) {
	all := stops()
	var named []stop
	var others []string // masters
	for _, s := range all {
		if slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, s.protocol.name) }) {
			named = append(named, s)
		} else {
			others = append(others, "@"+s.protocol.name)
		}
	}
	switch {
	case len(names) == 0:
		return all, nil
	case len(named) < len(names):
		return nil, badUsage(cmd, "the tour shows each of %s once", strings.Join(stopNames(), ", "))
	}
	for i := range named {
		named[i].commands = slices.DeleteFunc(named[i].commands, func(command string) bool {
			return slices.Contains(others, command[strings.LastIndexByte(command, ' ')+1:])
		})
	}
	return named, nil
}

func stopNames() (names []string) {
	for _, s := range stops() {
		names = append(names, s.protocol.name)
	}
	return names
}

// A guide runs a tour.
type guide struct {
	out     *bufio.Writer
	tap     *tap
	masters []*running // these run until the end, since lobbies share their games
	words   []string   // placeholders in commands, and their values
}

func (g *guide) lead(ctx context.Context, all []stop) (err error) {
	defer func() { err = errors.Join(err, stopAll(ctx, g.masters)) }()
	what := "1 protocol"
	if len(all) > 1 {
		what = fmt.Sprintf("%d protocols", len(all))
	}
	fmt.Fprintf(g.out, "A tour of %s: real servers and clients, on this machine only.\n", what)
	for i, s := range all {
		fmt.Fprintf(g.out, "\n=== %d of %d: %s ===\n%s\n\n", i+1, len(all), s.protocol.name, s.about)
		shown := g.show(ctx, s)
		if err := g.out.Flush(); err != nil {
			return err
		}
		switch {
		case ctx.Err() != nil:
			return errInterrupted
		case shown != nil:
			return fmt.Errorf("%s: %w; check that programs may use sockets on 127.0.0.1", s.protocol.name, shown)
		}
	}
	fmt.Fprintln(g.out, "\nThat was all. Now try things out:")
	fmt.Fprintln(g.out, "  gamequery serve sqp 127.0.0.1:25601   be a server, and query it")
	fmt.Fprintln(g.out, "  gamequery explain games.pcap          explain what tcpdump captured")
	fmt.Fprintln(g.out, "  gamequery -help                       see all commands")
	return g.out.Flush()
}

// show starts the servers of a stop, runs its commands and stops the servers.
func (g *guide) show(ctx context.Context, s stop) error {
	limited, cancel := context.WithTimeout(ctx, stopTime)
	defer cancel()
	servers, err := g.startAll(limited, s)
	if err == nil {
		err = g.runAll(limited, s, servers)
	}
	return errors.Join(err, stopAll(ctx, servers))
}

// startAll starts the servers of a stop and registers them at its master. On error,
// it returns the servers that it has started.
func (g *guide) startAll(ctx context.Context, s stop) (servers []*running, err error) {
	var masters []registrationPlace
	var lobby string // its address, as commands have it
	if s.master != nil {
		list := ""
		if s.overTCP {
			list = "127.0.0.1:0"
		}
		m, err := g.start(ctx, s.protocol, "master", list, func(uint16) (gameServer, error) { return s.master(), nil })
		if err != nil {
			return nil, err
		}
		lobby = s.protocol.scheme + m.local.String()
		masters = []registrationPlace{{lobby, []netip.AddrPort{m.local}}}
		if s.overTCP {
			lobby = m.list.Addr().String()
		}
		g.masters = append(g.masters, m)
		g.words = append(g.words, "@"+s.protocol.name, lobby)
	}
	for _, played := range s.games {
		r, err := g.start(ctx, s.protocol, fmt.Sprintf("server %q", played.name), "", func(port uint16) (gameServer, error) {
			played.port, played.masters, played.messages = port, masters, io.Discard
			return s.protocol.serve(played)
		})
		if err != nil {
			return servers, err
		}
		servers = append(servers, r)
	}
	if s.master != nil {
		err = awaitListed(ctx, s.protocol, lobby, len(servers))
	}
	return servers, err
}

func (g *guide) start(ctx context.Context, p protocol, what, list string, make func(port uint16) (gameServer, error)) (*running, error) {
	r, err := open(ctx, p, "127.0.0.1:0", list, make)
	if err != nil {
		return nil, err
	}
	r.start(ctx)
	fmt.Fprintf(g.out, "Started a %s on %s.\n", what, r.local)
	return r, nil
}

func stopAll(ctx context.Context, all []*running) (err error) {
	for _, r := range all {
		err = errors.Join(err, r.stop(ctx))
	}
	return err
}

// runAll runs the commands of a stop, and explains the traffic of the first.
func (g *guide) runAll(ctx context.Context, s stop, servers []*running) error {
	addrs := make([]string, len(servers))
	for i, r := range servers {
		addrs[i] = r.local.String()
	}
	words := append(g.words, "SERVERS", strings.Join(addrs, " "), "SERVER", addrs[0])
	for i, command := range s.commands {
		if err := g.run(ctx, strings.NewReplacer(words...).Replace(command)); err != nil {
			return err
		}
		if sent := g.tap.take(); i == 0 {
			writeBytes(g.out, s.protocol.name, sent)
		}
	}
	return nil
}

// run prints a command line and executes it, with the tap.
func (g *guide) run(ctx context.Context, line string) error {
	fmt.Fprintf(g.out, "\n$ gamequery %s\n", line)
	root := newRootCommand(g.tap.sockets())
	root.SetArgs(dashes.Double(strings.Fields(line)))
	root.SetOut(g.out)
	root.SetErr(g.out)
	return root.ExecuteContext(ctx)
}

// listedSoon is how long the tour waits before it first checks again whether a game
// is listed. The wait doubles each time.
const listedSoon = 10 * time.Millisecond

// awaitListed waits until a master lists this many games.
func awaitListed(ctx context.Context, p protocol, master string, count int) error {
	for wait := listedSoon; ; wait *= 2 {
		listed, err := countListed(ctx, p, master)
		if err != nil || listed >= count {
			return err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return fmt.Errorf("the master lists %d of %d: %w", listed, count, ctx.Err())
		}
	}
}

func countListed(ctx context.Context, p protocol, master string) (int, error) {
	a := asking{timeout: time.Second, attempts: 3}
	switch sample := (registered{}).orSample(); {
	case p.name == "gamespy2":
		listing, err := gamespy2Client(a).List(ctx, master, gamespy2net.ListQuery{Game: sample.game, Key: sample.key})
		return len(listing.Servers), err
	case p.games == nil:
		listing, err := gameagentClient(a).List(ctx, master)
		return len(listing.Servers), err
	}
	all, err := p.games(ctx, master, a)
	return len(all.games), err
}
