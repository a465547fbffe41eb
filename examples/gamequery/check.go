package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"path"
	"time"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/servers"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/tap"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/targets"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/verdict"
	"github.com/lobbywire/lobbywire/examples/internal/files"
	"github.com/lobbywire/lobbywire/examples/internal/input"
)

// A checking has the settings of check.
type checking struct {
	protocols.Settings
	check.Options
	json               bool
	expect, set, junit string
	listen, master     bool
	game               servers.GameKey // of -master
}

func newCheckCommand(via tap.Sockets) *cobra.Command {
	c := checking{Settings: protocols.Settings{Sockets: via}}
	cmd := &cobra.Command{
		Use:   "check [flags] PROTOCOL|GAME ADDRESS [LIST]",
		Short: "Check a server of any implementation",
		Long: `Check prints what players see of a server, and runs numbered cases against it.
For those that fail it prints the bytes sent and received, and what they mean.

PROTOCOL is sqp, gamespy2 or gameagent, or bomberman or warzone, whose masters
are checked; "auto" finds out the first three. ADDRESS is as for query.

A case has a level: must, should or robust. The cases follow the sections of the
documentation of the codecs. They ask from two ports and, at 127.0.0.0/8, from
another host. Robust cases send broken requests, and run only with -robust.
Masters list games of the check for a moment.

The cases cannot know what the game is doing. Give them its state:

  -expect FILE  is a JSON object with the members of -json, such as name, map,
                players, max, port and roster; what is missing is not compared
  -set URL      takes such an object by PUT, as the sidecar does, and sets the
                state of the game. Check sets states at the edges, and then the
                first one again. The URL must be on this machine or on that of
                the server. Redirects are not followed.

With -master, ADDRESS is of a master of gamespy2 or gameagent, and LIST is where
it serves lists over TCP, those of the legacy form for gameagent. By default
LIST is port 28910 of the same host for gamespy2, and for gameagent those cases
are skipped. Check registers servers of -game, whose name at masters starts with
"gamequery check", from sockets of its own, answers the queries of the master,
and removes them at the end. No router may change their ports. The cases of
expiry take minutes, and run only if -case is their ID.

With -listen, it is a server for the author of a client, at ADDRESS, such as
127.0.0.1:25601: of sqp, gamespy2 or gameagent, a lobby of warzone or wzhttp,
or a management server and a game server of bomberman. It misbehaves in
numbered ways, and says what it received and what the client must show. After
each, it reads from standard input a line with what the client shows.

The exit code is 0 if no case of the level must failed, and otherwise 1.`,
		Example: `  gamequery check sqp 127.0.0.1:25601
  gamequery check auto game.example.org:25601
  gamequery check sqp -case 'sqp/1.*' -json 127.0.0.1:25601
  gamequery check sqp -set http://127.0.0.1:7790/v1/state 127.0.0.1:7778
  gamequery check gamespy2 -robust 127.0.0.1:29900
  gamequery check gameagent -expect state.json -junit report.xml 127.0.0.1:25601
  gamequery check warzone 127.0.0.1:9990
  gamequery check -master gamespy2 -game duel -key KEY 127.0.0.1:27900
  gamequery check -master gameagent 127.0.0.1:27900 127.0.0.1:28900
  gamequery check -listen sqp 127.0.0.1:25601
  gamequery check -listen warzone 127.0.0.1:9990`,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 3 && c.master:
			case len(args) != 2:
				return usage.Bad(cmd, "want a PROTOCOL and an ADDRESS, and with -master perhaps a LIST")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if c.master {
				return c.runMaster(cmd, args[0], args[1:])
			}
			return c.run(cmd, args[0], args[1])
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
			if c.listen {
				return protocols.ClientCheckables().Complete(cmd, args, word)
			}
			names, directive := protocols.Checkables().Complete(cmd, args, word)
			if len(args) == 0 {
				names = append(names, protocols.Auto)
			}
			return names, directive
		},
		DisableFlagsInUseLine: true,
	}
	flags := cmd.Flags()
	c.AddFlags(flags)
	flags.BoolVar(&c.json, "json", false, "print JSON, even for an error")
	flags.StringVar(&c.junit, "junit", "", "also write a report of JUnit to this `FILE`")
	flags.StringVar(&c.expect, "expect", "", "the state of the game is in this `FILE`; - is standard input")
	flags.StringVar(&c.set, "set", "", "set states of the game by PUT to this `URL`")
	flags.BoolVar(&c.Robust, "robust", false, "also run the cases of the level robust, which send broken requests")
	flags.StringVar(&c.Match, "case", "", "run only cases whose ID matches this `PATTERN`, such as 'sqp/1.*'")
	flags.BoolVar(&c.listen, "listen", false, "check clients: be a server that misbehaves")
	flags.BoolVar(&c.master, "master", false, "check a master of gamespy2 or gameagent")
	addRegisteredFlags(&c.game, flags)
	flags.Uint64Var(&c.Seed, "seed", 1, "the `NUMBER` from which broken requests are made")
	return cmd
}

// run checks a server.
func (c *checking) run(cmd *cobra.Command, protocol, address string) error {
	isAuto := protocol == protocols.Auto
	p := protocols.Protocol{Name: protocols.Auto, HasBytes: true}
	var err error
	role := protocols.Checkables()
	if c.listen {
		role = protocols.ClientCheckables()
	}
	if !isAuto {
		p, err = protocols.Of(cmd, protocol, role)
	}
	if err != nil {
		return err
	}
	if err := c.Settings.Check(cmd, p, p.Asks); err != nil {
		return err
	}
	if c.game != (servers.GameKey{}) {
		return usage.Bad(cmd, "-game and -key are for -master")
	}
	if err := c.badMatch(cmd); err != nil {
		return err
	}
	if c.listen {
		if isAuto {
			return usage.Bad(cmd, "-listen is for %s", role.Names(" and "))
		}
		return c.trick(cmd, p, address)
	}
	at, err := targets.ParsePlace(address)
	if at.Port == 0 && p.Network == "tcp" && err == nil {
		at, err = portOf(p, address)
	}
	switch {
	case err != nil:
		return usage.Bad(cmd, "ADDRESS %q: %v", address, err)
	case at.Count > 1:
		return usage.Bad(cmd, "ADDRESS %q: want one port", address)
	case at.Port == 0 && p.Ports.Query == 0 && !isAuto:
		return usage.Bad(cmd, "ADDRESS %q: %v", address, targets.ErrNoPort)
	}
	ctx, stop := interruptible(cmd)
	defer stop()
	found, err := c.look(ctx, p, at)
	if err != nil {
		return advise(err, p)
	}
	suite := check.ServerSuite(found.Protocol)
	if !suite.Any(c.Options) {
		return usage.Bad(cmd, "-case %q: no case of %s matches; -robust adds others", c.Match, found.Protocol)
	}
	if c.Options.Expect, err = c.expected(cmd); err != nil {
		return err
	}
	if c.set != "" {
		c.Options.Set, err = check.Hook(ctx, c.set, found.Query.Addr())
		if err != nil {
			return usage.Bad(cmd, "-set %q: %v", c.set, err)
		}
	}
	if (c.set != "" || c.expect != "") && !suite.HasState() {
		return usage.Bad(cmd, "-set and -expect are not for %s, whose cases register games themselves", found.Protocol)
	}
	c.warn(cmd, found.Query)
	network := check.NewNetwork(ctx, found.Query, c.Timeout)
	defer network.Close()
	return c.judge(ctx, cmd, suite, found, network, network)
}

// badMatch returns the error of -case.
func (c *checking) badMatch(cmd *cobra.Command) error {
	if _, err := path.Match(c.Match, ""); err != nil {
		return usage.Bad(cmd, "-case %q: %v", c.Match, err)
	}
	return nil
}

// warn says what -robust does.
func (c *checking) warn(cmd *cobra.Command, at netip.AddrPort) {
	if c.Robust {
		fmt.Fprintf(cmd.ErrOrStderr(), "sending broken requests to %s; do this to your own servers only\n", at)
	}
}

// trick is a server that checks clients.
func (c *checking) trick(cmd *cobra.Command, p protocols.Protocol, address string) error {
	ctx, stop := interruptible(cmd)
	defer stop()
	l := check.Listener{Protocol: p.Name, Match: c.Match, In: cmd.InOrStdin(), Out: cmd.OutOrStdout()}
	listening := func(at net.Addr) {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s server on %s; interrupt to stop\n", p.Name, at)
	}
	var listen net.ListenConfig
	var wrong int
	if p.Network == "tcp" {
		listener, err := listen.Listen(ctx, "tcp", address)
		if err != nil {
			return servers.BadListen(err)
		}
		listening(listener.Addr())
		wrong, _ = l.ServeStreams(ctx, listener)
	} else {
		socket, err := listen.ListenPacket(ctx, "udp", address)
		if err != nil {
			return servers.BadListen(err)
		}
		listening(socket.LocalAddr())
		wrong, _, err = l.Serve(ctx, socket)
		if err != nil {
			return err
		}
	}
	if wrong > 0 {
		return fmt.Errorf("%s of the client failed", terminal.Count(wrong, "case"))
	}
	return nil
}

// portOf returns the place of a master, with the usual port.
func portOf(p protocols.Protocol, address string) (targets.Place, error) {
	addr, err := p.ListAddress(address)
	if err != nil {
		return targets.Place{}, err
	}
	return targets.ParsePlace(addr)
}

// look queries the server once, as a client does, to see whether it is up and where it
// answers. A server whose answers cannot be read is one to check.
func (c *checking) look(ctx context.Context, p protocols.Protocol, at targets.Place) (verdict.Finding, error) {
	if p.Network == "tcp" {
		addresses, err := at.Addresses(ctx)
		if err != nil {
			return verdict.Finding{}, err
		}
		query := netip.AddrPortFrom(addresses[0], at.Port)
		start := time.Now()
		conn, err := (&net.Dialer{Timeout: c.Timeout}).DialContext(ctx, "tcp", query.String())
		if err != nil {
			return verdict.Finding{}, err
		}
		conn.Close()
		return verdict.Finding{
			Answer:  output.Answer{Protocol: p.Name, Query: query, RTT: time.Since(start)},
			Verdict: verdict.Up,
		}, nil
	}
	judge := verdict.Judge{Slow: verdict.DefaultSlow}
	asks := []string{c.Ask}
	if p.Name == "gameagent" {
		asks = []string{"full", "legacy"}
	}
	var found verdict.Finding
	for _, ask := range asks {
		found = judge.Query(c.Sockets, func(via tap.Sockets) output.Answer {
			a := c.Settings
			a.Sockets, a.Ask = via, ask
			var got output.Answer
			if p.Name == protocols.Auto {
				got, _, _ = protocols.AskAny(ctx, at, a)
			} else {
				got, _ = p.Ask(ctx, at, a)
			}
			return got
		})
		if found.Verdict != verdict.Silent {
			break
		}
	}
	switch found.Verdict {
	case verdict.Silent:
		return found, errors.Join(fmt.Errorf("%s: %w", found.Verdict, found.Err), c.elsewhere(ctx, found))
	case verdict.Refused, verdict.Unknown, verdict.Other:
		return found, fmt.Errorf("%s: %w", found.Verdict, found.Err)
	}
	if found.Err != nil && (!found.Query.IsValid() || p.Name == protocols.Auto) {
		return found, found.Err
	}
	return found, nil
}

// elsewhere returns an error if a server answers, but from another address than the one
// that is asked, so that clients do not see it.
func (c *checking) elsewhere(ctx context.Context, silent verdict.Finding) error {
	suite := check.ServerSuite(silent.Protocol)
	if suite == nil || !silent.Query.IsValid() {
		return nil
	}
	network := check.NewNetwork(ctx, silent.Query, c.Timeout)
	defer network.Close()
	suite.Run(ctx, network, check.Options{Match: suite.Cases[0].ID})
	if network.Foreign.IsValid() {
		return fmt.Errorf("answers come from %s, and clients ignore them", network.Foreign)
	}
	return nil
}

// expected returns the state of -expect, nil without it.
func (c *checking) expected(cmd *cobra.Command) (*lobbywire.View, error) {
	if c.expect == "" {
		return nil, nil
	}
	in := cmd.InOrStdin()
	if c.expect != "-" {
		f, err := os.Open(c.expect)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, input.Max))
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	v := new(lobbywire.View)
	if err := dec.Decode(v); err != nil {
		return nil, fmt.Errorf("-expect %s: %w", c.expect, err)
	}
	return v, nil
}

// judge runs the cases against a peer of a network, and prints the report.
func (c *checking) judge(ctx context.Context, cmd *cobra.Command, suite *check.Suite, found verdict.Finding,
	network *check.Network, peer check.Peer,
) error {
	d := check.Document{
		Protocol: found.Protocol, Address: found.Query, Verdict: string(found.Verdict), Hosts: network.Hosts(),
		State: check.StateOf(c.Options), Seed: c.Seed,
	}
	if found.Verdict.Answers() {
		d.RTT = check.Milliseconds(found.RTT)
	}
	if found.Message != nil && found.Verdict.Answers() {
		d.View, d.Join = &found.View, found.Address()
	}
	out := cmd.OutOrStdout()
	if !c.json {
		fmt.Fprintf(out, "%s at %s: %s\n", d.Protocol, d.Address, cmp.Or(d.Verdict, string(verdict.Up)))
		if d.View != nil {
			if err := new(output.Flags).PrintAnswer(out, found.Answer); err != nil {
				return err
			}
		}
	}
	r := suite.Run(ctx, peer, c.Options)
	if network.Foreign.IsValid() {
		d.Foreign = &network.Foreign
	}
	d.Complete(suite, r)
	write := d.WriteText
	if c.json {
		write = d.WriteJSON
	}
	err := write(out)
	if c.junit != "" {
		var text bytes.Buffer
		const mode = 0o644
		err = errors.Join(err, d.WriteJUnit(&text), files.Write(c.junit, text.Bytes(), mode))
	}
	if n := r.Count(check.Fail, check.Must); n > 0 {
		err = errors.Join(err, fmt.Errorf("%s of the level must failed", terminal.Count(n, "case")))
	}
	err = errors.Join(err, ctx.Err())
	if c.json && err != nil {
		return output.PrintedError{Err: err}
	}
	return err
}
