package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// urlMark distinguishes the URL of a lobby from host:port.
const urlMark = "://"

// isURL reports whether the address of a master is a URL.
func isURL(addr string) bool { return strings.Contains(addr, urlMark) }

func wzhttpProtocol() protocol {
	return protocol{
		name:    "wzhttp",
		network: "tcp",
		scheme:  "http" + urlMark,
		serve:   newWarzoneHTTPHost,
		games:   wzhttpGames,
		list:    listGames,
		master:  func(registered) gameServer { return newWZHTTPLobby(nil) },
	}
}

// withScheme returns the URL of a lobby. The default scheme is https, as in the game.
func withScheme(addr string) string {
	if isURL(addr) {
		return addr
	}
	return "https" + urlMark + addr
}

// wzhttpGames returns the games of a lobby over HTTP, which have no address.
func wzhttpGames(ctx context.Context, addr string, a asking) (gameList, error) {
	listing, err := warzoneListing(ctx, withScheme(addr), a)
	return wzhttpGameList(listing), err
}

func wzhttpGameList(listing warzonenet.Listing) gameList {
	l := gamesOf("wzhttp", listing.HTTPGames, layout{
		header: []string{"ID", "PLAYERS", "VERSION", "MAP", "HOST", "NAME"},
		none:   emptyList,
		row: func(g answer) []string {
			id := ""
			if m, ok := g.message.(wzhttp.Game); ok {
				id = m.ID
			}
			return []string{id, playerCount(g.view), g.view.Version, g.view.Map, g.rule("hostName"), g.view.Name}
		},
	})
	if s := listing.Status; s != nil && s.Text != "" {
		l.notes = append(l.notes, "the lobby says: "+clean(s.Text))
	}
	if listing.Skipped > 0 {
		l.notes = append(l.notes, count(listing.Skipped, "line")+" of the list left out: not valid")
	}
	if listing.Partial {
		l.notes = append(l.notes, "the list breaks off: games may be missing")
	}
	return l
}

// joinWZHTTP requests the address of a game from an HTTP lobby, and prints it.
func joinWZHTTP(ctx context.Context, cmd *cobra.Command, l *lister, addr string) error {
	c := warzonenet.Client{Timeout: l.timeout, Dial: l.dial}
	targets, err := c.Join(ctx, withScheme(addr), l.join, wzhttp.JoinRequest{})
	if err != nil {
		return adviseAboutMaster(err, l.protocol)
	}
	all := make([]answer, len(targets))
	for i, target := range targets {
		all[i] = answer{protocol: l.protocol.name, view: lobbywire.View{Host: target.Host, Port: target.Port}, message: target}
	}
	return l.printAll(cmd.OutOrStdout(), layout{
		header: []string{"ADDRESS", "TYPE", "TOKEN"},
		none:   "the game has no address",
		row: func(a answer) []string {
			target, _ := a.message.(warzonenet.JoinTarget)
			return []string{a.address(), string(target.Type), target.Token}
		},
	}, all)
}

// newWarzoneHTTPHost returns a host of version 4.7. Its game cannot be played.
func newWarzoneHTTPHost(g game) (gameServer, error) {
	h := &warzonenet.HTTPHost{Addr: g.masters[0].addr, Port: g.port}
	var last string
	h.Changed = func(s warzonenet.HTTPHostState) {
		if text := stateText(s); text != "" && text != last {
			fmt.Fprintf(g.messages, "lobby %s: %s\n", h.Addr, text)
			last = text
		}
	}
	err := h.Set(wzhttp.Room{
		Version: g.version, Netcode: wzhttp.Netcode47(), Name: g.name, Host: wzhttp.Player{Name: playerName(0)},
		Map: wzhttp.Map{Name: g.level}, Players: wzhttp.Seats{Current: uint32(g.players), Max: uint32(g.maxPlayers)},
	})
	return gameServer{
		accept:   h.ServeAlive,
		shutdown: func(context.Context) error { return h.Close() },
		stats: func() string {
			s := h.Stats()
			return fmt.Sprintf("announced %d times, sent %d announcements and changes, %d keeps", s.Connects, s.Sent, s.Keeps)
		},
		register: func(ctx context.Context, _ net.PacketConn) error { return h.Run(ctx) },
	}, tooMany(err)
}

// stateText describes the state of a host at its lobby on one line. It returns "" if
// nothing is known yet.
func stateText(s warzonenet.HTTPHostState) string {
	switch {
	case s.Err != nil:
		return printable(s.Err.Error()) + "; trying again"
	case s.GameID == "" || len(s.Connections) == 0:
		return ""
	}
	text := "game " + printable(s.GameID) + " is not listed yet"
	if s.Published {
		text = "game " + printable(s.GameID) + " is listed"
	}
	for _, c := range s.Connections {
		text += fmt.Sprintf(", %s %s", printable(string(c.Type)), printable(string(c.Status)))
	}
	if s.Published && s.MOTD != "" {
		text += "; the lobby says: " + clean(s.MOTD)
	}
	return text
}

func newWZHTTPLobby(games *warzonegames.Games) gameServer {
	l := &warzonenet.HTTPLobby{Games: games}
	server := l.Server(nil)
	return gameServer{
		accept: server.Serve,
		shutdown: func(ctx context.Context) error {
			err := server.Shutdown(ctx)
			if errors.Is(err, http.ErrServerClosed) {
				err = nil
			}
			return errors.Join(err, l.Close())
		},
		stats: func() string {
			s := l.Stats()
			return fmt.Sprintf("listed %d games, sent %d lists, sent %d addresses to players", s.Added, s.Lists, s.Joins)
		},
	}
}
