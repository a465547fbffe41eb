package main

import (
	"encoding/hex"
	"fmt"
	"net/netip"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/cli"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/refusals"
)

// maxHinted is the number of games that gamesHint names.
const maxHinted = 8

// gamesHint names the games that a master lists, for a game that it does not list.
func (l *lists) gamesHint(r refusals.Refusal) string {
	if r.Reason != lobbywire.ReasonGame {
		return ""
	}
	games := l.masters.gamesOf(r.Server)
	slices.Sort(games)
	hint := ""
	if near := cli.Nearest(strings.ToLower(r.Game), games); near != "" {
		hint = "did you mean " + near + "? "
	}
	more := len(games) - maxHinted
	switch {
	case len(games) == 0:
		return "no game is configured for this master"
	case more > 0:
		return fmt.Sprintf("%sserved here are %s and %d more", hint, strings.Join(games[:maxHinted], ", "), more)
	}
	return hint + "served here: " + strings.Join(games, ", ")
}

// againHint states when lobbyd queries a silent server again.
func againHint(r refusals.Refusal, now time.Time) string {
	switch r.Reason {
	case lobbywire.ReasonUnreachable, lobbywire.ReasonOther, lobbywire.ReasonKey:
	default:
		return ""
	}
	after := "when its host announces it again"
	if slices.Contains([]string{"gameagent", "gamespy"}, r.Server) {
		after = "with its next heartbeat"
	}
	every := r.Last.Sub(r.Before)
	if next := r.Last.Add(every); !r.Before.IsZero() && every < maxEvery && next.After(now) {
		after += ", probably at " + clock(next)
	}
	return "lobbyd asks again " + after
}

// maxEvery is longer than the time between two heartbeats of any game.
const maxEvery = 5 * time.Minute

// containerGateway returns the address of the gateway if lobbyd runs in a container, otherwise an
// invalid one. Docker's proxy replaces the source address of all traffic by the gateway.
func containerGateway() netip.Addr {
	for _, sign := range []string{"/.dockerenv", "/run/.containerenv"} {
		if _, err := os.Stat(sign); err == nil {
			routes, _ := os.ReadFile("/proc/net/route") // there is none on other systems
			return gatewayIn(string(routes))
		}
	}
	return netip.Addr{}
}

// gatewayIn returns the gateway of the default route in the form of /proc/net/route, whose
// addresses are hexadecimal, the last byte first.
func gatewayIn(routes string) netip.Addr {
	for line := range strings.Lines(routes) {
		columns := strings.Fields(line)
		if len(columns) < 3 || columns[1] != "00000000" {
			continue
		}
		if b, err := hex.DecodeString(columns[2]); err == nil && len(b) == 4 {
			slices.Reverse(b)
			return netip.AddrFrom4([4]byte(b))
		}
	}
	return netip.Addr{}
}

// dockerHint explains that Docker's proxy has replaced the addresses of servers, if an explanation
// is about the gateway, or found nothing although servers appear at the gateway.
func (l *lists) dockerHint(addr netip.Addr, x *explanation) string {
	const advice = "Docker's proxy replaces the addresses of servers. Run the container with --network host."
	isThere := func(e *catalogue.Entry) bool { return e.At.Addr().Unmap() == l.gateway }
	switch {
	case !l.gateway.IsValid():
	case addr == l.gateway && !x.isEmpty():
		return " This is the gateway of the container that lobbyd runs in: " + advice
	case x.isEmpty() && (slices.ContainsFunc(l.catalogue.Snapshot().Entries, isThere) ||
		len(l.refusals.From(l.gateway)) > 0):
		return " But servers appear at " + l.gateway.String() +
			", the gateway of the container that lobbyd runs in: " + advice
	}
	return ""
}
