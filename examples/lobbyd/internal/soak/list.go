package soak

import (
	"context"
	"fmt"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
	"github.com/lobbywire/lobbywire/warzone/wzproposal/proposalnet"
)

// A lister is a client that fetches lists.
type lister struct {
	view
	list  func(ctx context.Context) ([]Listed, error)
	whole int // consecutive complete lists; 0 means none
}

// Parameters of clients.
const (
	always    = -1 // no minimum interval
	inTime    = 20 * time.Second
	lookEvery = 100 * time.Millisecond
)

func of(kinds ...Kind) map[Kind]bool {
	all := make(map[Kind]bool)
	for _, k := range kinds {
		all[k] = true
	}
	return all
}

// listers returns a client for each protocol and one for the API.
func (s *Soak) listers() []lister {
	games := of(Lobby, HTTP, Text, Binary, JSON)
	agent := &gameagentnet.Client{ListEvery: always, Timeout: inTime, Attempts: 1, Silence: time.Second / 2}
	lobby := &warzonenet.Client{ListEvery: always, Timeout: inTime}
	web := &wzhttpnet.Client{ListEvery: always, Timeout: inTime, Dial: asPlayer}
	text := &proposalnet.Client{ListEvery: always, Timeout: inTime}
	binary := &proposalnet.Client{Proposal: proposalnet.Binary, ListEvery: always, Timeout: inTime}
	js := &proposalnet.Client{Proposal: proposalnet.JSON, ListEvery: always, Timeout: inTime}
	bombs := &bombermannet.Client{ListEvery: always, Timeout: inTime}
	return []lister{
		{view{name: "gameagent", kinds: of(GameAgent)}, func(ctx context.Context) ([]Listed, error) {
			l, err := agent.List(ctx, s.Addr["gameagent"])
			if err == nil && l.Partial {
				err = fmt.Errorf("is only a part")
			}
			return each(l.Queries, err, func(query netip.AddrPort) Listed { return Listed{"", gameagent.GameAddr(query)} })
		}, 3},
		{view{name: "warzone", kinds: games}, func(ctx context.Context) ([]Listed, error) {
			l, err := lobby.List(ctx, s.Addr["warzone"])
			if err == nil && (l.Partial || l.Status == nil || !l.Status.Code.OK()) {
				err = fmt.Errorf("is only a part, or has no status: %+v", l.Status)
			}
			return each(l.Games, err, func(g warzone.Game) Listed { return Listed{g.Name, g.JoinAddr()} })
		}, 1},
		{view{name: "http", kinds: games, nowhere: true}, func(ctx context.Context) ([]Listed, error) {
			l, err := web.List(ctx, s.httpLobby())
			if err == nil && (l.Partial || l.Skipped > 0 || l.Header == nil) {
				err = fmt.Errorf("is only a part, or has no header")
			}
			return each(l.Games, err, ofHTTP)
		}, 1},
		{view{name: "text", kinds: games}, func(ctx context.Context) ([]Listed, error) {
			l, err := text.List(ctx, s.Addr["text"])
			return each(l.Games, err, ofProposal)
		}, 1},
		{view{name: "binary", kinds: games}, func(ctx context.Context) ([]Listed, error) {
			l, err := binary.List(ctx, s.Addr["binary"])
			return each(l.Games, err, ofProposal)
		}, 1},
		{view{name: "json", kinds: games}, func(ctx context.Context) ([]Listed, error) {
			l, err := js.List(ctx, s.Addr["json"])
			return each(l.Games, err, ofProposal)
		}, 0},
		{view{name: "bomberman", kinds: of(Bomberman)}, func(ctx context.Context) ([]Listed, error) {
			l, err := bombs.List(ctx, s.Addr["bomberman"])
			return each(l.Servers, err, ofBomberman)
		}, 40},
		{view{name: "API", kinds: of(GameAgent, Lobby, HTTP, Text, Binary, JSON, Bomberman), lag: apiLag},
			newAPI(s.Addr["web"]).list, 1},
	}
}

// ofProposal returns a game of a proposal.
func ofProposal(g proposalnet.Game) Listed {
	return Listed{g.Name, netip.AddrPortFrom(g.Host, g.Port)}
}

// ofHTTP returns a game of the HTTP lobby, whose list has no addresses.
func ofHTTP(g wzhttp.Game) Listed { return placed(g.Room.Name) }

// placed returns a game without an address. Its name names the host.
func placed(name string) Listed {
	id, _, ok := parseName(name)
	if !ok {
		return Listed{Name: name}
	}
	return Listed{name, netip.AddrPortFrom(addrOf(id), 0)}
}

func ofBomberman(b bomberman.Server) Listed {
	addr, _ := netip.ParseAddr(b.Address)
	return Listed{b.Name, netip.AddrPortFrom(addr, uint16(b.Port))}
}

// each returns a list in the form of the model.
func each[E any](list []E, err error, listed func(E) Listed) ([]Listed, error) {
	all := make([]Listed, len(list))
	for i, e := range list {
		all[i] = listed(e)
	}
	return all, err
}
