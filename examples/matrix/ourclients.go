package main

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/internal/test/querytools"
	"github.com/lobbywire/lobbywire/internal/test/scripted"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

// ourClients are the rows of our clients at servers of other projects.
func ourClients() []row {
	const (
		onePacket = "The protocol: an answer in plain form is one packet. The server sends as many players as " +
			"fit, and numplayers has the total."
		noHighBytes = "The server: it replaces a name that has a byte from 80 on."
		oneVersion2 = "Our client: only one attempt requests the metrics in version 2, as Unity's SDK requires, " +
			"because many servers do not answer version 2."
	)
	unity := &sqpnet.Client{ViewChunks: sqp.ChunkServerInfo | sqp.ChunkMetrics}
	return []row{
		goServerRow("go-svrquery", unity),
		goServerRow("unity-sdk", unity, reason{lossy, oneVersion2}),
		{client: "sqpnet", server: "unity-usqp", start: onSocket(realUSQP(false)), query: ofViews(new(sqpnet.Client)),
			shows: shows{noNames: true}},
		{client: "sqpnet", server: "Unreal", start: onSocket(realUSQP(true)), query: ofViews(new(sqpnet.Client)),
			shows: shows{noNames: true}},
		{
			client: "gamespy2net", server: "Battlefield 2", start: onSocket(realBattlefield),
			query: ofViews(new(gamespy2net.Client)),
			shows: shows{score: "score"},
		},
		{
			client: "gamespy2net", server: "Halo", start: onSocket(scriptOf(scripted.Halo)),
			query:   ofViews(new(gamespy2net.Client)),
			shows:   shows{score: "score"},
			reasons: []reason{{func(c testCase) bool { return c.players > 16 || c.name == "90 bytes" }, onePacket}},
		},
		{client: "gamespy2net", server: "Minecraft", start: onSocket(scriptOf(scripted.Minecraft)),
			query: ofViews(new(gamespy2net.Client))},
		{
			client: "gamespy1net", server: "Serious Sam", start: onSocket(scriptOf(scripted.SeriousSam)),
			query: ofViews(new(gamespy1net.Client)), shows: shows{score: "score"},
		},
		{
			client: "gameagentnet", server: "Serious Sam, native", start: onSocket(scriptOf(scripted.SeriousEngine)),
			query: ofNative(),
			shows: shows{score: "score"}, reasons: []reason{{named("Latin-1", "UTF-8"), noHighBytes}},
		},
	}
}

// goServerRow returns a row of a server for SQP in a Go package.
func goServerRow(server goServer, client *sqpnet.Client, reasons ...reason) row {
	return row{
		client: "sqpnet", server: string(server), installed: server.installed, query: ofViews(client, checkMetrics),
		shows:   shows{noNames: true},
		reasons: reasons,
		start: func(ctx context.Context, c testCase) (running, error) {
			addr, stop, err := server.serve(ctx, serverState{
				Name: []byte(c.title), Map: []byte(mapName), NumPlayers: c.players, MaxPlayers: maxPlayers,
				Metrics: metrics(),
			})
			return running{addr: addr, stop: stop}, err
		},
	}
}

// ofViews queries with one of our clients, checks the answers, and shows their common
// form.
func ofViews(client lobbywire.Scanner, checks ...func(answer any) error) func(ctx context.Context,
	addrs ...string) []querytools.Result {
	return func(ctx context.Context, addrs ...string) []querytools.Result {
		results := make([]querytools.Result, len(addrs))
		targets := make([]netip.AddrPort, len(addrs))
		for i, addr := range addrs {
			targets[i], results[i].Err = netip.ParseAddrPort(addr)
		}
		for r := range client.ScanViews(ctx, slices.Values(targets)) {
			i := slices.Index(targets, r.Query)
			if i < 0 {
				continue
			}
			results[i].Err = r.Err
			for _, check := range checks {
				results[i].Err = errors.Join(results[i].Err, check(r.Answer))
			}
			if results[i].Err == nil {
				results[i].Answer = ofView(r.View)
			}
		}
		return results
	}
}

// checkMetrics checks that an answer of SQP has the metrics of the server.
func checkMetrics(answer any) error {
	a, ok := answer.(sqp.QueryResponse)
	if ok && (a.Metrics == nil || !slices.Equal(a.Metrics.Values, metrics())) {
		return fmt.Errorf("metrics %v", a.Metrics)
	}
	return nil
}

// ofNative queries with our client of GameAgent for the status and the players.
func ofNative() func(ctx context.Context, addrs ...string) []querytools.Result {
	var client gameagentnet.Client
	return querytools.Script("gameagentnet", func(ctx context.Context, addr string) (querytools.Answer, error) {
		status, err := client.Status(ctx, addr)
		if err != nil {
			return querytools.Answer{}, err
		}
		players, err := client.Players(ctx, addr)
		if err != nil {
			return querytools.Answer{}, err
		}
		v := status.Message.View()
		v.Roster = players.Message.View().Roster
		return ofView(v), nil
	}).Query
}

// ofView returns the answer that a View shows.
func ofView(v lobbywire.View) querytools.Answer {
	a := querytools.Answer{Name: v.Name, Map: v.Map, Rules: map[string]string{}}
	if v.Max != nil {
		a.MaxPlayers = *v.Max
	}
	if v.Players != nil {
		a.Rules["numplayers"] = strconv.Itoa(*v.Players)
	}
	for _, p := range v.Roster {
		q := querytools.Player{Name: p.Name, Fields: map[string]string{}}
		if p.Score != nil && p.Ping != nil {
			q.Fields["score"], q.Fields["ping"] = strconv.Itoa(*p.Score), strconv.Itoa(*p.Ping)
		}
		a.Players = append(a.Players, q)
	}
	return a
}
