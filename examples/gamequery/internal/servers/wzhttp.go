package servers

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
)

// NewWarzoneHTTP returns a host of version 4.7. Its game cannot be played.
func NewWarzoneHTTP(g Game) (Server, error) {
	h := &wzhttpnet.Host{Addr: g.Masters[0], Port: g.At.Port()}
	h.ListensAt(g.listener())
	h.Changed = newNotices(g.Messages).standing("lobby "+h.Addr, func() string { return answerText(h.Answer()) })
	err := h.Set(wzhttp.Room{
		Version: g.Version, Netcode: wzhttp.Netcode47(), Name: g.Name, Host: wzhttp.Player{Name: playerName(0)},
		Map: wzhttp.Map{Name: g.Level}, Players: wzhttp.Seats{Current: uint32(g.Players), Max: uint32(g.MaxPlayers)},
	})
	return Server{
		accept:   h.ServeAlive,
		shutdown: func(context.Context) error { return h.Close() },
		Stats: func() string {
			s := h.Stats()
			return fmt.Sprintf("announced %d times, sent %d announcements and changes, %d keeps", s.Connects, s.Sent,
				s.Keeps)
		},
		register: func(ctx context.Context, _ net.PacketConn) error { return h.Run(ctx) },
	}, badState(err)
}

// answerText returns what a lobby says about a listed game.
func answerText(a wzhttpnet.HostAnswer) string {
	text := "game " + a.GameID
	for _, c := range a.Connections {
		text += fmt.Sprintf(", %s %s", c.Type, c.Status)
	}
	if a.MOTD != "" {
		text += "; the lobby says: " + terminal.Clean(a.MOTD)
	}
	return text
}

// NewHTTPLobby returns an HTTP lobby of Warzone 2100, which lists games.
func NewHTTPLobby(games *warzonegames.Games) Server {
	l := &wzhttpnet.Lobby{Games: games}
	server := l.Server(nil)
	return Server{
		accept: server.Serve,
		shutdown: func(ctx context.Context) error {
			err := server.Shutdown(ctx)
			if errors.Is(err, http.ErrServerClosed) {
				err = nil
			}
			return errors.Join(err, l.Close())
		},
		Stats: func() string {
			s := l.Stats()
			return fmt.Sprintf("listed %d games, sent %d lists, sent %d addresses to players", s.Added, s.Lists,
				s.Joins)
		},
	}
}
