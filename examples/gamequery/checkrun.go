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
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check/masters"
	checkservers "github.com/lobbywire/lobbywire/examples/gamequery/internal/check/servers"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check/tricks"
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

// suiteOf returns the cases of a protocol, of its servers or of its masters over TCP.
func suiteOf(protocol string) *check.Suite {
	if suite := masters.LobbySuite(protocol); suite != nil {
		return suite
	}
	return checkservers.Suite(protocol)
}

// checked returns the protocol that is checked.
func (c *checking) checked(cmd *cobra.Command, protocol string) (p protocols.Protocol, err error) {
	role := protocols.Checkables()
	if c.listen {
		role = protocols.ClientCheckables()
	}
	switch {
	case protocol == protocols.Auto && c.listen:
		return p, usage.Bad(cmd, "-listen is for %s", role.Names(" and "))
	case protocol == protocols.Auto:
		return protocols.Protocol{Name: protocols.Auto, HasBytes: true}, nil
	case protocol == bombermanGame && !c.listen:
		return protocols.Protocol{Name: bombermanGame, Network: "tcp"}, nil
	}
	return protocols.Of(cmd, protocol, role)
}

// run checks a server.
func (c *checking) run(cmd *cobra.Command, protocol, address string) error {
	p, err := c.checked(cmd, protocol)
	if err != nil {
		return err
	}
	if err := c.Settings.Check(cmd, p, p.Asks); err != nil {
		return err
	}
	if c.game != (servers.GameKey{}) {
		return usage.Bad(cmd, "-game and -key are for -master")
	}
	if c.listen {
		return c.trick(cmd, p, address)
	}
	isAuto := p.Name == protocols.Auto
	at, err := targets.ParsePlace(strings.TrimPrefix(address, "http://"))
	if at.Port == 0 && p.Network == "tcp" && p.Name != bombermanGame && err == nil {
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
		return c.down(check.NewDocument(&check.Suite{Protocol: p.Name}), advise(err, p))
	}
	suite := suiteOf(found.Protocol)
	if c.Options.Expect, err = c.expected(cmd); err != nil {
		return err
	}
	if !suite.Any(c.Options) {
		return usage.Bad(cmd, "-case %q: no case of %s matches; -robust adds others", c.Match, found.Protocol)
	}
	if c.set != "" {
		c.Options.Set, err = check.Hook(ctx, c.set, found.Query.Addr())
		if err != nil {
			return usage.Bad(cmd, "-set %q: %v", c.set, err)
		}
	}
	if (c.set != "" || c.expect != "") && suite.States == nil {
		return usage.Bad(cmd, "-set and -expect are not for %s, whose cases set what they need", found.Protocol)
	}
	c.warn(cmd, found.Query)
	network := check.NewNetwork(ctx, found.Query, c.Timeout)
	defer network.Close()
	return c.judge(ctx, cmd, suite, found, network, network)
}

// down writes the report of a run that did not begin, and returns its error.
func (c *checking) down(d *check.Document, err error) error {
	if c.junit == "" {
		return err
	}
	return errors.Join(err, c.writeJUnit(d, err))
}

func (c *checking) writeJUnit(d *check.Document, down error) error {
	var text bytes.Buffer
	const mode = 0o644
	return errors.Join(d.WriteJUnit(&text, down), files.Write(c.junit, text.Bytes(), mode))
}

// warn warns of what -robust does.
func (c *checking) warn(cmd *cobra.Command, at netip.AddrPort) {
	if c.Robust {
		fmt.Fprintf(cmd.ErrOrStderr(), "sending broken requests to %s; do this to your own servers only\n", at)
	}
}

// trick is a server that checks clients.
func (c *checking) trick(cmd *cobra.Command, p protocols.Protocol, address string) error {
	ctx, stop := interruptible(cmd)
	defer stop()
	l := tricks.Listener{
		Protocol: p.Name, Minecraft: p.GameType == servers.MinecraftType, Options: c.Options,
		In: cmd.InOrStdin(), Out: cmd.OutOrStdout(),
	}
	listening := func(at net.Addr) {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s server on %s; interrupt to stop\n", p.Name, at)
	}
	var listen net.ListenConfig
	var r tricks.Result
	if p.Network == "tcp" {
		listener, err := listen.Listen(ctx, "tcp", address)
		if err != nil {
			return servers.BadListen(err)
		}
		listening(listener.Addr())
		r = l.ServeStreams(ctx, listener)
	} else {
		socket, err := listen.ListenPacket(ctx, "udp", address)
		if err != nil {
			return servers.BadListen(err)
		}
		listening(socket.LocalAddr())
		r, err = l.Serve(ctx, socket)
		if err != nil {
			return err
		}
	}
	return c.failed(func(level check.Level) int { return r.Failed[level] })
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
// answers. A server whose answers cannot be read is checked too.
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
	case verdict.Refused, verdict.Unknown:
		return found, fmt.Errorf("%s: %w", found.Verdict, found.Err)
	}
	if found.Err != nil && (!found.Query.IsValid() || p.Name == protocols.Auto) {
		return found, found.Err
	}
	return found, nil // an answer that cannot be read is for the cases
}

// elsewhere returns an error if a server answers from another address than the queried
// one, so that clients do not see it.
func (c *checking) elsewhere(ctx context.Context, silent verdict.Finding) error {
	suite := suiteOf(silent.Protocol)
	if suite == nil || !silent.Query.IsValid() {
		return nil
	}
	network := check.NewNetwork(ctx, silent.Query, c.Timeout)
	defer network.Close()
	suite.Run(ctx, network, check.Options{Match: []string{suite.Cases[0].ID}})
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
	d := check.NewDocument(suite)
	d.Address, d.Verdict, d.Hosts = found.Query, string(found.Verdict), network.Hosts()
	d.State, d.Seed = check.StateOf(c.Options), c.Seed
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
		fmt.Fprintln(out)
	}
	var failed error
	c.Options.Done = func(f check.Finding) {
		d.Add(f)
		switch {
		case !c.json:
			failed = errors.Join(failed, d.WriteCase(out))
		case terminal.IsTerminal(cmd.ErrOrStderr()):
			fmt.Fprintf(cmd.ErrOrStderr(), "%s %s\n", f.Result, f.ID)
		}
	}
	r := suite.Run(ctx, peer, c.Options)
	if network.Foreign.IsValid() {
		d.Foreign = &network.Foreign
	}
	d.Complete(r)
	write := d.WriteEnd
	if c.json {
		write = d.WriteJSON
	}
	err := errors.Join(failed, write(out))
	if c.junit != "" {
		var down error
		if r.Stopped != "" {
			down = errors.New(r.Stopped)
		}
		err = errors.Join(err, c.writeJUnit(d, down))
	}
	err = errors.Join(err, c.failed(func(level check.Level) int { return r.Count(check.Fail, level) }), ctx.Err())
	if c.json && err != nil {
		return output.PrintedError{Err: err}
	}
	return err
}
