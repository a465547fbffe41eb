package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/fleet"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/tap"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
	"github.com/lobbywire/lobbywire/examples/internal/browser"
)

// A browsing has the settings of ui.
type browsing struct {
	protocols.Settings
	lists, servers []string // PROTOCOL=ADDRESS
	favourites     string   // name of a file, "" if there is none
	every          time.Duration
	gamespy2       gamespy2Query // for lists of gamespy2
	key            string        // for the same
	launches       launches
}

func newUICommand(via tap.Sockets) *cobra.Command {
	u := browsing{Settings: protocols.Settings{Sockets: via}}
	cmd := &cobra.Command{
		Use:   "ui [flags]",
		Short: "Browse servers in the terminal",
		Long: `Ui shows the servers of masters and lobbies, and other servers that you name, in
a table that it keeps up to date. Type to search, press tab to sort and enter
for details; the last line of the screen shows the other keys.

PROTOCOL may be a GAME that "gamequery games" lists. MASTER and SERVER are those
of list and scan. Lists of gamespy2 need the name of a game and its secret key.
A server that answers in several protocols, or is on several lists, has one row.

^Y copies the address where players join the chosen server, in terminals that
support OSC 52. ^L starts the command that -launch gives for its GAME or
PROTOCOL, in which {address}, {host} and {port} stand for where players join.
The command is split at blanks and quotes and is not run by a shell; it runs
only if the server gives an IP address. GAME is what the server says it is.

Favourites stay at the top of the table. With -saved they are kept in a file,
which has a line with PROTOCOL and ADDRESS for each. The word legacy ends the
line of a server that is queried as with -ask legacy.`,
		Example: `  gamequery ui -list warzone=127.0.0.1:9990
  gamequery ui -list gameagent=127.0.0.1:9005 -server sqp=127.0.0.1:25603
  gamequery ui -list gamespy2=127.0.0.1:28910 -game gmtest -key HA6zkS
  gamequery ui -saved servers.txt
  gamequery ui -list warzone=127.0.0.1:9990 -launch 'warzone=echo {address}'`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage.Bad(cmd, "ui takes flags only: -list and -server")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			favourites, err := browser.LoadFavourites(u.favourites)
			if err != nil {
				return err
			}
			sources, err := u.sources(cmd, favourites)
			if err != nil {
				return err
			}
			if !terminal.IsTerminal(cmd.OutOrStdout()) {
				return errors.New("ui needs a terminal; browse, list and scan print to files")
			}
			ctx, stop := interruptible(cmd)
			defer stop()
			b := browser.Browser{Sources: sources, Every: u.every, Clean: terminal.Clean, Favourites: favourites}
			if len(u.launches) > 0 {
				b.Command = u.launches.command
			}
			return b.Run(ctx, cmd.InOrStdin(), cmd.OutOrStdout(), os.Environ())
		},
		DisableFlagsInUseLine: true,
	}
	cmd.Flags().StringArrayVar(&u.lists, "list", nil,
		"show the list of a `MASTER`, written as PROTOCOL=ADDRESS; may be repeated")
	cmd.Flags().StringArrayVar(&u.servers, "server", nil,
		"show a `SERVER`, written as PROTOCOL=ADDRESS; may be repeated")
	cmd.Flags().StringVar(&u.favourites, "saved", "", "a `FILE` of servers to query, to which favourites are written")
	cmd.Flags().Var(&u.launches, "launch",
		"start this `COMMAND` with ^L, written as GAME='command {address}'; may be repeated")
	cmd.Flags().DurationVar(&u.every, "every", 10*time.Second, "how long after a round all servers are queried again")
	u.gamespy2.addFlags(cmd.Flags())
	cmd.Flags().StringVar(&u.key, "key", "", "for gamespy2, the secret `KEY` of the game")
	u.Settings.AddFlags(cmd.Flags())
	u.AddChunksFlag(cmd.Flags())
	u.AddAskFlag(cmd.Flags(), protocols.AskMany)
	return cmd
}

// sources returns the sources that the flags name, and one for the favourites that can
// be queried. Other favourites appear when a list has them.
func (u *browsing) sources(cmd *cobra.Command, favourites *browser.Favourites) (sources []browser.Source, err error) {
	if u.every <= 0 {
		return nil, usage.Bad(cmd, "-every must be above 0, as 10s")
	}
	if err := u.checkGameSpy2(cmd); err != nil {
		return nil, err
	}
	if err := u.checkAsk(cmd, favourites); err != nil {
		return nil, err
	}
	var lists []lobbywire.Source
	for _, list := range u.lists {
		p, addr, err := u.named(cmd, list, protocols.Masters())
		if err == nil {
			addr, err = p.MasterAddress(cmd, addr)
		}
		if err != nil {
			return nil, err
		}
		lists = append(lists, p.Source(addr, u.askingFor(p), u.gamespy2.query(u.key)))
	}
	if len(lists) > 0 {
		sources = append(sources, u.browse(lists))
	}
	type kind struct{ name, ask string } // the name is of a protocol or game
	fleets := map[kind]*fleet.Fleet{}
	add := func(p protocols.Protocol, name string, a protocols.Settings, addr string) error {
		k := kind{name, a.Ask}
		f := fleets[k]
		if f == nil {
			f = fleet.New(p, a)
			fleets[k] = f
			sources = append(sources, f.Fetch)
		}
		return f.Add(addr)
	}
	for _, server := range u.servers {
		p, addr, err := u.named(cmd, server, protocols.Queries())
		if err == nil {
			name, _, _ := strings.Cut(server, "=")
			err = add(p, name, u.askingFor(p), addr)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, f := range favourites.All() {
		if p, err := protocols.Of(cmd, f.Protocol, protocols.Queries()); err == nil {
			if err := add(p, f.Protocol, p.InForm(f.Form, u.askingFor(p)), f.Address); err != nil {
				return nil, err
			}
		}
	}
	if len(sources) == 0 {
		return nil, usage.Bad(cmd, "there is nothing to show: name a -list or a -server")
	}
	return sources, nil
}

// checkGameSpy2 checks the flags for lists of gamespy2.
func (u *browsing) checkGameSpy2(cmd *cobra.Command) error {
	var p protocols.Protocol
	for _, list := range u.lists {
		name, _, _ := strings.Cut(list, "=")
		if named, ok := protocols.Named(name); ok && named.Name == "gamespy2" {
			p = named
		}
	}
	if cmd.Flags().Changed("key") && p.Name != "gamespy2" {
		return usage.Bad(cmd, "-key is for gamespy2 only")
	}
	return u.gamespy2.check(cmd, p, u.key)
}

// named parses PROTOCOL=ADDRESS.
func (u *browsing) named(cmd *cobra.Command, s string,
	r protocols.Role) (p protocols.Protocol, addr string, err error) {
	name, addr, ok := strings.Cut(s, "=")
	if !ok || addr == "" {
		return p, "", usage.Bad(cmd, "%q: want PROTOCOL=ADDRESS", s)
	}
	p, err = protocols.Of(cmd, name, r)
	return p, addr, err
}

// checkAsk checks that something to show can be queried as -ask says.
func (u *browsing) checkAsk(cmd *cobra.Command, favourites *browser.Favourites) error {
	var names []string
	for _, at := range slices.Concat(u.lists, u.servers) {
		name, _, _ := strings.Cut(at, "=")
		names = append(names, name)
	}
	for _, f := range favourites.All() {
		names = append(names, f.Protocol)
	}
	for _, name := range names {
		p, _ := protocols.Named(name)
		if slices.Contains(protocols.ScanAsks(p), u.Ask) {
			return nil
		}
	}
	if u.Ask == "" {
		return nil
	}
	return usage.Bad(cmd, "-ask %s is for nothing that is shown", u.Ask)
}

// askingFor returns the settings for queries of a protocol or game, with -ask if it is
// for that.
func (u *browsing) askingFor(p protocols.Protocol) protocols.Settings {
	a := u.Settings
	asks := protocols.ScanAsks(p)
	switch {
	case slices.Contains(asks, a.Ask):
	case len(asks) > 0:
		a.Ask = asks[0]
	default:
		a.Ask = ""
	}
	return a
}

// browse returns a source that fetches all lists at once, and queries the servers on
// them unless the lists describe games.
func (u *browsing) browse(lists []lobbywire.Source) browser.Source {
	return func(ctx context.Context, found func(browser.Entry)) (failures []error) {
		first := map[string]int{} // rows, by their keys
		for row := range lobbywire.Browse(ctx, lists...) {
			list := u.lists[row.Seen[0].Source]
			switch {
			case row.Number != 0:
				e := entryOf(row)
				if n, known := first[row.Key()]; known && n != row.Number && row.Key() != "" {
					e.Address += " " + row.View.Name // lists contradict each other
				} else {
					first[row.Key()] = row.Number
				}
				found(e)
			case row.Err != nil:
				failures = append(failures, fmt.Errorf("%s: %w", list, row.Err))
			case row.LeftOut.Total() > 0:
				failures = append(failures, fmt.Errorf("%s: %w", list, row.LeftOut))
			}
		}
		return failures
	}
}

// entryOf returns the entry of a server, which is queried at the first of its addresses or
// joined.
func entryOf(row lobbywire.Row) browser.Entry {
	e := browser.Entry{
		Protocol: row.Seen[0].Protocol, Form: row.Seen[0].Form, Address: row.Join, ID: row.Seen[0].ID,
		View: row.View, RTT: row.RTT, Err: row.Err,
	}
	for _, seen := range row.Seen {
		if seen.Query.IsValid() {
			e.Protocol, e.Form, e.Address = seen.Protocol, seen.Form, seen.Query.String()
			break
		}
	}
	if e.Address == "" && e.ID == "" {
		e.ID = row.View.Name
	}
	return e
}
