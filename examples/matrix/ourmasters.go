package main

import (
	"context"
	"fmt"
	"net/netip"
	"os/exec"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/internal/test/querytools"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// theirBrowsers are the rows of hosts and browsers of other projects at our masters: the
// hosts register, and the browser lists them.
func theirBrowsers() []row {
	const (
		firstBatch = "The protocol: a list has 11 games at most for clients before 4.0, because the oldest " +
			"overwrite their memory if there are more than 12."
		shortName = "The protocol: a name has up to 63 bytes. The host cuts it."
	)
	addresses := named("Latin-1", "UTF-8", "90 bytes") // lists without names
	rows := []row{
		{client: "GameSpy's SDK", server: "gamespy2net", start: gameSpyMaster, query: browser("tcp", sampleList),
			shows: shows{list: true}, skips: lossy},
		{client: "Serious Engine 1, native", server: "gameagentnet", start: nativeMaster,
			query: browser("udp", engineList), shows: shows{list: true}, skips: addresses,
			reasons: []reason{{lossy, "The client: it does not repeat a lost request."}}},
		{client: "Serious Sam", server: "gameagentnet", start: legacyMaster, query: browser("tcp", seriousSamList),
			shows: shows{list: true}, skips: either(addresses, lossy)},
		ofQstat(either(addresses, lossy)),
		{client: "Bomberman in Java", server: "bombermannet", start: bombermanMaster, query: browser("tcp", javaList),
			shows: shows{list: true}, skips: either(named("Latin-1"), lossy)},
	}
	for _, w := range warzoneClients() {
		r := row{
			client: "Warzone 2100 " + w.name, server: "warzonenet", start: warzoneLobby(w),
			query: browser("tcp", w.list),
			shows: shows{list: true}, skips: lossy, reasons: []reason{{named("90 bytes"), shortName}},
		}
		if !w.batches {
			r.reasons = append(r.reasons, reason{moreThan(11), firstBatch})
		}
		rows = append(rows, r)
	}
	return rows
}

// ofQstat is the row of the real qstat. Its hosts are servers of Serious Sam. It prints the
// number of servers and the servers that answer.
func ofQstat(skips func(c testCase) bool) row {
	tool := querytools.Script("qstat -gsm", func(ctx context.Context, addr string) (querytools.Answer, error) {
		out, err := exec.CommandContext(ctx, "quakestat", "-gsm,serioussamse", addr, "-raw", ";", "-timeout", "3",
			"-retry", "1", "-maxsim", "255").Output()
		first, _, _ := strings.Cut(string(out), "\n")
		words := strings.Split(first, ";")
		if err == nil && (len(words) != 3 || words[0] != "GSM") {
			err = fmt.Errorf("output %q", out)
		}
		if err != nil {
			return querytools.Answer{}, err
		}
		return querytools.Answer{Rules: map[string]string{"numplayers": words[2]}}, nil
	})
	tool.Program = "quakestat"
	return row{
		client: tool.Name, server: "gameagentnet", installed: tool.Installed, query: tool.Query,
		start: legacyMaster, shows: shows{list: true, noNames: true}, skips: skips,
	}
}

// either is the cases of a or b.
func either(a, b func(c testCase) bool) func(c testCase) bool {
	return func(c testCase) bool { return a(c) || b(c) }
}

// most is a limit of our masters that the tests do not reach. All hosts have one
// address.
const most = 1000

func gameSpyMaster(ctx context.Context, c testCase) (running, error) {
	m := &gamespy2net.Master{
		Games:  []gamespy2net.Game{{Name: sampleGame, Key: sampleKey}},
		Limits: gamespy2net.MasterLimits{Rates: limits(), Lists: limits(), MaxPerAddress: most, MaxPerPrefix: most},
	}
	r, err := startMaster(ctx, c, m, m.ServeLists, sampleHost, func() int { return m.Stats().Listed })
	r.entries = nil // the list has names
	return r, err
}

func nativeMaster(ctx context.Context, c testCase) (running, error) {
	m := newGameAgentMaster()
	r, err := startMaster(ctx, c, m, nil, engineHost, func() int { return m.Stats().Listed })
	for i, query := range r.entries {
		addr, err := netip.ParseAddrPort(query)
		if err != nil {
			return r, err
		}
		r.entries[i] = gameagent.GameAddr(addr).String()
	}
	return r, err
}

func legacyMaster(ctx context.Context, c testCase) (running, error) {
	m := newGameAgentMaster()
	return startMaster(ctx, c, m, m.ServeLists, seriousSamHost, func() int { return m.Stats().Listed })
}

// newGameAgentMaster returns a master that also lists servers for gamespy2, the browser
// that qstat names itself. qstat does not answer challenges, so that name has no key.
func newGameAgentMaster() *gamespy1net.Master {
	games := gamespy1net.SeriousSam()
	games["gamespy2"] = gamespy1net.Game{}
	return &gamespy1net.Master{Games: games,
		Limits: gamespy1net.MasterLimits{Rates: limits(), Lists: limits(), MaxPerAddress: most, MaxPerPrefix: most}}
}

func bombermanMaster(ctx context.Context, c testCase) (running, error) {
	m := &bombermannet.ManagementServer{Limits: bombermannet.ManagementServerLimits{ConnLimits: manyConns()}}
	return startLists(ctx, c, m, m.Serve, javaHost, func() int { return m.Stats().Listed })
}

func manyConns() lobbywire.ConnLimits {
	return lobbywire.ConnLimits{MaxPerAddress: most, MaxPerPrefix: most}
}

// warzoneLobby starts a lobby for a version. It does not check that games can be
// reached, because their hosts would all need the same port.
func warzoneLobby(w warzoneClient) func(ctx context.Context, c testCase) (running, error) {
	return func(ctx context.Context, c testCase) (running, error) {
		games := &warzonegames.Games{Limits: warzonegames.Limits{MaxPerAddress: most, MaxPerPrefix: most}}
		l := &warzonenet.Lobby{Games: games, NoVerify: true, Limits: manyConns()}
		switch w.name {
		case "2.0":
			l.Layout = warzone.Layout20
		case "2.1":
			l.Layout = warzone.Layout21
		}
		return startLists(ctx, c, l, l.Serve, w.host, func() int { return games.Stats().Listed })
	}
}
