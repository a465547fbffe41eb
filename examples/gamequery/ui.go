package main

import (
	"context"
	"errors"
	"net/netip"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire/examples/internal/browser"
)

// A browsing is what the terminal browser shows.
type browsing struct {
	asking
	lists, servers []string // PROTOCOL=ADDRESS
	favourites     string   // name of a file, "" if there is none
	every          time.Duration
}

func newUICommand(via sockets) *cobra.Command {
	u := browsing{asking: asking{sockets: via}}
	cmd := &cobra.Command{
		Use:   "ui [flags]",
		Short: "Browse servers in the terminal",
		Long: `Ui shows the servers of masters and lobbies, and other servers that you name, in
a table that it keeps up to date. Type to search, press tab to sort and enter
for details; the last line of the screen shows the other keys.

Favourites stay at the top of the table. With -saved they are kept in a file,
which has a line with PROTOCOL and ADDRESS for each.`,
		Example: `  gamequery ui -list warzone=127.0.0.1:9990
  gamequery ui -list gameagent=127.0.0.1:9005 -server sqp=127.0.0.1:25603
  gamequery ui -saved servers.txt`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return badUsage(cmd, "ui takes flags only: -list and -server")
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
			if !isTerminal(cmd.OutOrStdout()) {
				return errors.New("ui needs a terminal; browse, list and scan print to files")
			}
			ctx, stop := interruptible(cmd)
			defer stop()
			b := browser.Browser{Sources: sources, Every: u.every, Clean: clean, Favourites: favourites}
			return b.Run(ctx, cmd.InOrStdin(), cmd.OutOrStdout(), os.Environ())
		},
		DisableFlagsInUseLine: true,
	}
	cmd.Flags().StringArrayVar(&u.lists, "list", nil, "a `MASTER` or lobby, as PROTOCOL=ADDRESS; may be repeated")
	cmd.Flags().StringArrayVar(&u.servers, "server", nil, "a `SERVER` to query, as PROTOCOL=ADDRESS; may be repeated")
	cmd.Flags().StringVar(&u.favourites, "saved", "", "`FILE` of servers to query, to which favourites are written")
	cmd.Flags().DurationVar(&u.every, "every", 10*time.Second, "time after which all servers are queried again")
	u.asking.addFlags(cmd.Flags())
	return cmd
}

// sources returns what the flags name, and the favourites that can be asked. Those
// that cannot, come with the list that they are on.
func (u *browsing) sources(cmd *cobra.Command, favourites *browser.Favourites) (sources []browser.Source, err error) {
	if u.every <= 0 {
		return nil, badUsage(cmd, "-every must be above 0, as 10s")
	}
	for _, list := range u.lists {
		p, addr, err := u.named(cmd, list, shown())
		if err == nil {
			addr, err = p.masterAddress(cmd, addr)
		}
		if err != nil {
			return nil, err
		}
		sources = append(sources, browser.Source{Name: list, Fetch: u.listed(p, addr)})
	}
	targets := map[string][]string{}
	for _, server := range u.servers {
		p, addr, err := u.named(cmd, server, queries())
		if err != nil {
			return nil, err
		}
		targets[p.name] = append(targets[p.name], addr)
	}
	for name, addr := range favourites.All {
		if p, err := protocolOf(cmd, name, queries()); err == nil && p.scanner != nil && !slices.Contains(targets[name], addr) {
			targets[name] = append(targets[name], addr)
		}
	}
	for _, p := range protocols() {
		if all := targets[p.name]; len(all) > 0 {
			sources = append(sources, browser.Source{Name: p.name, Fetch: u.asked(p, all)})
		}
	}
	if len(sources) == 0 {
		return nil, badUsage(cmd, "there is nothing to show: name a -list or a -server")
	}
	return sources, nil
}

// named returns what PROTOCOL=ADDRESS names.
func (u *browsing) named(cmd *cobra.Command, s string, r role) (p protocol, addr string, err error) {
	name, addr, ok := strings.Cut(s, "=")
	if !ok || addr == "" {
		return p, "", badUsage(cmd, "%q: want PROTOCOL=ADDRESS", s)
	}
	p, err = protocolOf(cmd, name, r)
	return p, addr, err
}

// asked fetches servers of a protocol, by name or address.
func (u *browsing) asked(p protocol, names []string) func(context.Context, func(browser.Entry)) error {
	return func(ctx context.Context, found func(browser.Entry)) error {
		var all []netip.AddrPort
		var failed error
		for _, name := range names {
			targets, err := parseTargets(ctx, name, p.ports)
			failed = errors.Join(failed, err)
			for _, t := range targets {
				all = append(all, netip.AddrPortFrom(t.addr, t.port))
			}
		}
		return errors.Join(failed, u.ask(ctx, p, all, found))
	}
}

// ask asks servers at query ports.
func (u *browsing) ask(ctx context.Context, p protocol, all []netip.AddrPort, found func(browser.Entry)) error {
	a := u.asking
	if asks := scanAsks(p); len(asks) > 0 {
		a.ask = asks[0]
	}
	for r := range p.scanner(a).ScanViews(ctx, slices.Values(all)) {
		if !r.Query.IsValid() {
			return r.Err
		}
		found(browser.Entry{Protocol: p.name, Address: r.Query.String(), View: r.View, RTT: r.RTT, Err: r.Err})
	}
	return nil
}

// listed fetches the list of a master. If that has only addresses, the servers are
// asked.
func (u *browsing) listed(p protocol, addr string) func(context.Context, func(browser.Entry)) error {
	return func(ctx context.Context, found func(browser.Entry)) error {
		if p.games == nil {
			listing, err := gameagentClient(u.asking).List(ctx, addr)
			if err != nil {
				return err
			}
			var all []netip.AddrPort
			for _, t := range queryTargets(listing) {
				all = append(all, netip.AddrPortFrom(t.addr, t.port))
			}
			return u.ask(ctx, p, all, found)
		}
		list, err := p.games(ctx, addr, u.asking)
		if err != nil {
			return err
		}
		for _, g := range list.games {
			found(browser.Entry{Protocol: p.name, Address: g.joinAddress(), View: g.view})
		}
		return nil
	}
}
