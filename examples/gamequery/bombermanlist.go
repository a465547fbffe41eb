package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/internal/wirejson"
)

func bombermanProtocol() protocol {
	return protocol{
		name:    "bomberman",
		network: "tcp",
		serve:   newBombermanServer,
		list:    listBomberman,
		master:  newManagementServer,
	}
}

func listBomberman(ctx context.Context, cmd *cobra.Command, l *lister, addr string) error {
	c := bombermannet.Client{Timeout: l.timeout}
	listing, err := c.List(ctx, addr)
	if errors.Is(err, bombermannet.ErrTimeout) {
		return fmt.Errorf("%w; check that a management server is there, or give it a longer -timeout", err)
	}
	if err != nil {
		return advise(err, l.protocol)
	}
	return buffered(cmd.OutOrStdout(), func(w io.Writer) error {
		if l.json {
			return writeGameServerLines(w, listing.Servers)
		}
		return writeGameServers(w, listing.Servers, widthOf(cmd.OutOrStdout()))
	})
}

func writeGameServers(w io.Writer, servers []bomberman.Server, width int) error {
	t := table{header: []string{"ADDRESS", "PLAYERS", "LOBBY", "MODE", "NAME"}}
	for _, s := range servers {
		lobby := "closed"
		if s.IsLobbyOpen {
			lobby = "open"
		}
		t.add(net.JoinHostPort(s.Address, strconv.Itoa(s.Port)), fmt.Sprintf("%d/%d", s.Players.Current, s.Players.Max),
			lobby, s.GameplayMode.String(), s.Name)
	}
	return t.write(w, width)
}

func writeGameServerLines(w io.Writer, servers []bomberman.Server) error {
	for _, s := range servers {
		line, err := wirejson.Marshal(s)
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
