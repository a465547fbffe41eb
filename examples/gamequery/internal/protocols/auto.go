package protocols

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/games"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/targets"
)

// Auto is the name for an unknown protocol, which the program finds.
const Auto = "auto"

// autoPace is the minimum time between two requests to a server of an unknown protocol.
const autoPace = 250 * time.Millisecond

// A guess is a form of query at a port.
type guess struct {
	protocol Protocol
	ask      string
	port     uint16
}

// guesses returns the forms of queries for a server of an unknown protocol: each at the port
// given, or else at the query ports that several games have, or the protocol.
func guesses(port uint16) (all []guess) {
	for _, form := range []guess{
		{protocol: SQP()},
		{protocol: GameSpy2(), ask: "plain"},
		{protocol: GameSpy2(), ask: "challenge"},
		{protocol: GameAgent(), ask: "status"},
		{protocol: GameAgent(), ask: "legacy"},
	} {
		ports := []uint16{port}
		if port == 0 {
			ports = form.usualPorts()
		}
		for _, port := range ports {
			form.port = port
			all = append(all, form)
		}
	}
	return all
}

// usualPorts returns the ports at which several games answer queries of this form, and the
// port of the protocol.
func (g guess) usualPorts() (ports []uint16) {
	const several = 2
	count := map[uint16]int{g.protocol.Ports.Query: several}
	for _, game := range games.All() {
		if game.Protocol == g.protocol.Name && (game.Ask == g.ask || game.Ask == "auto") {
			count[game.Ports().Query]++
		}
	}
	for port, n := range count {
		if port != 0 && n >= several {
			ports = append(ports, port)
		}
	}
	slices.Sort(ports)
	return ports
}

// AskAny queries a server of an unknown protocol in one form after the other, with one
// request for each port, until it gets an answer. found is the command that sends only
// this query.
func AskAny(ctx context.Context, at targets.Place, a Settings) (got output.Answer, found string, err error) {
	addresses, err := at.Addresses(ctx)
	if err != nil {
		return output.Answer{Protocol: Auto, Err: err}, "", err
	}
	return AskAnyAt(ctx, at, addresses, a, false)
}

// AskAnyAt is AskAny at one of several addresses of a place. If full is set, it also requests
// players, teams and rules. A server that answers a challenge, but not the query, may be of
// Minecraft, which has a short answer too.
func AskAnyAt(ctx context.Context, at targets.Place, addresses []netip.Addr, a Settings, full bool,
) (got output.Answer, found string, err error) {
	a.Attempts = 1
	failure := fmt.Errorf("no answer in any protocol: %w", lobbywire.ErrTimeout)
	all := guesses(at.Port)
	for i := 0; i < len(all); i++ {
		g := all[i]
		if i > 0 {
			select {
			case <-ctx.Done():
				return output.Answer{Protocol: Auto, Err: ctx.Err()}, "", ctx.Err()
			case <-time.After(autoPace):
			}
		}
		g.protocol.Ports = targets.Ports{}
		a = g.protocol.Defaults(a, full)
		if g.ask != "" && g.ask != g.protocol.Asks[0] {
			a.Ask = g.ask
		}
		got, err := g.protocol.AskAt(ctx, addresses, g.port, a)
		if err == nil {
			return got, g.command(at.Host), nil
		}
		switch {
		case !targets.SaysMore(err, failure):
		case errors.Is(err, lobbywire.ErrChallengeOnly):
			failure = fmt.Errorf("no answer to %q: %w", g.command(at.Host), err)
			if g.ask == "challenge" {
				g.ask = "minecraft"
				all = append(all, g)
			}
		default:
			failure = fmt.Errorf("something answers, but in none of the protocols of queries: %w", err)
		}
	}
	return output.Answer{Protocol: Auto, Err: failure}, "", failure
}

// command returns the command that sends only this query.
func (g guess) command(host string) string {
	name := g.protocol.Name
	if g.ask != "" {
		name += " -ask " + g.ask
	}
	return "gamequery query " + name + " " + targets.Place{Host: host, Port: g.port}.String()
}
