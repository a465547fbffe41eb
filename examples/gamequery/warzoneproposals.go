package main

import (
	"context"
	"fmt"
	"net"
	"sync/atomic"

	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// protocol returns the commands for p.
func (p wzproposalEncoding) protocol() protocol {
	return protocol{
		name:    p.name,
		network: "tcp",
		games: func(ctx context.Context, addr string, a asking) (gameList, error) {
			c := warzonenet.ProposalClient{Encoding: p.encoding, Timeout: a.timeout, Dial: a.dial}
			l, err := c.List(ctx, addr)
			return gamesOf(p.name, l.Games, layoutWith("status")), err
		},
		list: listGames,
		serve: func(g game) (gameServer, error) {
			var runs []func(context.Context) error
			for _, m := range g.masters {
				h := &warzonenet.ProposalHost{Addr: m.addr, Encoding: p.encoding, Announced: g.announced(m.addr)}
				if err := h.Set(wzproposal.OpenGame{Port: g.port, Name: g.name, Map: g.level, MaxPlayers: uint32(g.maxPlayers)}); err != nil {
					return gameServer{}, tooMany(err)
				}
				runs = append(runs, h.Run)
			}
			return proposedGame(runs), nil
		},
		master: func(registered) gameServer { return p.lobby(nil) },
	}
}

func wzjsonProtocol() protocol {
	return protocol{
		name:    "wzjson",
		network: "tcp",
		games: func(ctx context.Context, addr string, a asking) (gameList, error) {
			c := warzonenet.JSONClient{Timeout: a.timeout, Dial: a.dial}
			l, err := c.List(ctx, addr)
			return gamesOf("wzjson", l.Games, layoutWith("tech")), err
		},
		list: listGames,
		serve: func(g game) (gameServer, error) {
			var runs []func(context.Context) error
			for _, m := range g.masters {
				h := &warzonenet.JSONHost{Addr: m.addr, Announced: g.announced(m.addr)}
				if err := h.Set(wzjson.Add{Name: g.name, Map: g.level, Tech: wzjson.TechT1, MaxPlayers: g.maxPlayers}); err != nil {
					return gameServer{}, tooMany(err)
				}
				runs = append(runs, h.Run)
			}
			return proposedGame(runs), nil
		},
		master: func(registered) gameServer { return newJSONLobby(nil) },
	}
}

// announced returns a function that prints that a lobby lists the game, or why it does
// not.
func (g game) announced(lobby string) func(err error) {
	last := ""
	return func(err error) {
		text := "listed"
		if err != nil {
			text = printable(err.Error()) + "; trying again"
		}
		if text != last {
			fmt.Fprintf(g.messages, "lobby %s: %s\n", lobby, text)
			last = text
		}
	}
}

// proposedGame returns a game that runs announce. It closes the connections of players.
func proposedGame(runs []func(ctx context.Context) error) gameServer {
	var met atomic.Int64
	return gameServer{
		accept: func(l net.Listener) error {
			for {
				conn, err := l.Accept()
				if err != nil {
					return err
				}
				met.Add(1)
				conn.Close()
			}
		},
		shutdown: func(context.Context) error { return nil },
		stats:    func() string { return fmt.Sprintf("hung up on %d players", met.Load()) },
		register: func(ctx context.Context, _ net.PacketConn) error { return runAll(ctx, runs) },
	}
}

func (p wzproposalEncoding) lobby(games *warzonegames.Games) gameServer {
	l := &warzonenet.ProposalLobby{Encoding: p.encoding, Games: games}
	return gameServer{accept: l.Serve, shutdown: l.Shutdown, stats: func() string { return lobbyTraffic(l.Stats()) }}
}

func newJSONLobby(games *warzonegames.Games) gameServer {
	l := &warzonenet.JSONLobby{Games: games}
	return gameServer{accept: l.Serve, shutdown: l.Shutdown, stats: func() string { return lobbyTraffic(l.Stats()) }}
}
