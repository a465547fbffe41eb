package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
)

func bombermanProtocol() protocol {
	return protocol{
		name:    "bomberman",
		network: "tcp",
		serve:   newBombermanServer,
		games: func(ctx context.Context, addr string, a asking) (gameList, error) {
			all, err := bombermanServers(ctx, addr, a)
			return gamesOf(all, bombermanAddr), err
		},
		list:   listBomberman,
		master: func(registered) gameServer { return newManagementServer() },
	}
}

func bombermanServers(ctx context.Context, addr string, a asking) ([]bomberman.Server, error) {
	c := bombermannet.Client{Timeout: a.timeout, Dial: a.dial}
	listing, err := c.List(ctx, addr)
	return listing.Servers, err
}

// bombermanAddr returns where a game server says that it is, whatever that is.
func bombermanAddr(s bomberman.Server) string {
	return net.JoinHostPort(s.Address, strconv.Itoa(s.Port))
}

func listBomberman(ctx context.Context, cmd *cobra.Command, l *lister, addr string) error {
	all, err := bombermanServers(ctx, addr, l.asking)
	if err != nil {
		return adviseAboutMaster(err, l.protocol)
	}
	return buffered(cmd.OutOrStdout(), func(w io.Writer) error {
		if l.json {
			return writeGameServerLines(w, all)
		}
		return writeGameServers(w, all, screenOf(cmd.OutOrStdout()))
	})
}

func writeGameServers(w io.Writer, servers []bomberman.Server, on screen) error {
	t := table{header: []string{"ADDRESS", "PLAYERS", "LOBBY", "MODE", "NAME"}, none: "the list is empty"}
	for _, s := range servers {
		lobby := "closed"
		if s.IsLobbyOpen {
			lobby = "open"
		}
		t.add(bombermanAddr(s), fmt.Sprintf("%d/%d", s.Players.Current, s.Players.Max),
			lobby, s.GameplayMode.String(), s.Name)
	}
	return t.write(w, on)
}

func writeGameServerLines(w io.Writer, servers []bomberman.Server) error {
	for _, s := range servers {
		line, err := lobbywire.MarshalJSON(s)
		if err != nil {
			return err
		}
		if _, err := w.Write(append(escapeControls(line), '\n')); err != nil {
			return err
		}
	}
	return nil
}

func newManagementServer() gameServer {
	m := new(bombermannet.ManagementServer)
	return gameServer{
		accept:   m.Serve,
		shutdown: m.Shutdown,
		stats: func() string {
			s := m.Stats()
			return fmt.Sprintf("accepted %d connections, sent %d lists, discarded %d messages", s.Accepted, s.Answered, s.Discarded)
		},
	}
}
