package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

func warzoneProtocol() protocol {
	return protocol{
		name:       "warzone",
		network:    "tcp",
		masterPort: warzone.LobbyPort,
		serve:      newWarzoneHost,
		games:      warzoneGames,
		list:       listGames,
		master:     func(registered) gameServer { return newWarzoneLobby(nil) },
	}
}

func warzoneListing(ctx context.Context, addr string, a asking) (warzonenet.Listing, error) {
	c := warzonenet.Client{Timeout: a.timeout, Dial: a.dial}
	return c.List(ctx, addr)
}

func warzoneGames(ctx context.Context, addr string, a asking) (gameList, error) {
	if isURL(addr) {
		return wzhttpGames(ctx, addr, a)
	}
	listing, err := warzoneListing(ctx, addr, a)
	l := gamesOf("warzone", listing.Games, warzoneLayout())
	if s := listing.Status; s != nil {
		l.notes = append(l.notes, "the lobby says: "+statusText(*s))
	}
	if listing.Partial {
		l.notes = append(l.notes, "the list has no end: games may be missing")
	}
	if slices.ContainsFunc(listing.Games, namesNoPort) {
		l.notes = append(l.notes, namelessPort)
	}
	return l, err
}

// namesNoPort reports whether a game has the format of 112 bytes, without a port.
func namesNoPort(g warzone.Game) bool {
	return g.Layout == warzone.Layout20 || g.Layout == warzone.Layout21
}

// namelessPort explains the ports of such games.
var namelessPort = fmt.Sprintf("games of 2.0 and 2.1 name no port; it is %d, or %d for versions from 10 April 2009 to 2.2",
	warzone.GamePortOf20, warzone.GamePort)

// statusText returns a status on one line.
func statusText(s warzone.Status) string {
	text := strconv.FormatUint(uint64(s.Code), 10) + " " + s.Code.String()
	if said := clean(s.Text); said != "" {
		text += ", " + said
	}
	return text
}

func warzoneLayout() layout {
	return layout{
		header: []string{"ADDRESS", "PLAYERS", "VERSION", "MAP", "HOST", "NAME"},
		none:   emptyList,
		row: func(g answer) []string {
			return []string{g.joinAddress(), playerCount(g.view), g.view.Version, g.view.Map, g.rule("hostName"), g.view.Name}
		},
	}
}

func newWarzoneLobby(games *warzonegames.Games) gameServer {
	l := &warzonenet.Lobby{Games: games}
	return gameServer{
		accept:   l.Serve,
		shutdown: l.Shutdown,
		stats:    func() string { return lobbyTraffic(l.Stats()) },
	}
}

func lobbyTraffic(s warzonenet.LobbyStats) string {
	return fmt.Sprintf("accepted %d connections, listed %d games, sent %d lists", s.Accepted, s.Added, s.Lists)
}
