package servers

import (
	"context"
	"fmt"
	"net"
	"sync/atomic"

	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
	"github.com/lobbywire/lobbywire/warzone/wzproposal/proposalnet"
)

// NewProposal returns a test host of a proposed protocol of Warzone 2100.
func NewProposal(p proposalnet.Proposal, g Game) (Server, error) {
	game := proposalnet.Game{Port: g.At.Port(), Name: g.Name, Map: g.Level, Tech: wzjson.TechT1,
		MaxPlayers: uint32(g.MaxPlayers)}
	var runs []func(context.Context) error
	notices := newNotices(g.Messages)
	for _, lobby := range g.Masters {
		h := &proposalnet.Host{Addr: lobby, Proposal: p, Changed: notices.standing("lobby "+lobby, nil)}
		h.ListensAt(g.listener())
		if err := h.Set(game); err != nil {
			return Server{}, badState(err)
		}
		runs = append(runs, h.Run)
	}
	return proposedGame(runs), nil
}

// proposedGame returns a game that runs announce. It closes the connections of players.
func proposedGame(runs []func(ctx context.Context) error) Server {
	var met atomic.Int64
	return Server{
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
		Stats:    func() string { return fmt.Sprintf("hung up on %d players", met.Load()) },
		register: func(ctx context.Context, _ net.PacketConn) error { return runAll(ctx, runs) },
	}
}

// NewProposalLobby returns a lobby of a proposed protocol, which lists games.
func NewProposalLobby(p proposalnet.Proposal, games *warzonegames.Games) Server {
	l := &proposalnet.Lobby{Proposal: p, Games: games}
	return Server{accept: l.Serve, shutdown: l.Shutdown, Stats: func() string {
		s := l.Stats()
		return lobbyTraffic(s.ConnStats, s.Added, s.Lists)
	}}
}
