package main

import (
	"context"
	"log/slog"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzproposal/proposalnet"
)

// The log reports once that a list has no room for all games, and once that it lists all
// again.
func TestCutListsAreLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log logBuffer
		games := &warzonegames.Games{MaxListed: 1}
		l := &lists{life: &life{log: slog.New(slog.NewTextHandler(&log, nil))}, masters: &masters{
			gameagent: new(gamespy1net.Master), bomberman: new(bombermannet.ManagementServer), games: games,
			text: new(proposalnet.Lobby), binary: new(proposalnet.Lobby), json: new(proposalnet.Lobby),
		}}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			l.warnCut(ctx)
		}()
		var last uint32
		for i := range 3 {
			e, err := games.Add(warzonegames.Entry{
				Key:  netip.AddrPortFrom(netip.MustParseAddr("192.0.2.1"), uint16(2100+i)),
				Game: warzone.Game{Version: warzone.Version4, Name: "Game", MaxPlayers: 4},
			})
			if err != nil {
				t.Fatal(err)
			}
			last = e.ID
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if text := log.String(); strings.Count(text, "\n") != 1 || !strings.Contains(text, "level=WARN") ||
			!strings.Contains(text, "family=warzone") {
			t.Errorf("log %s", text)
		}
		games.Remove(last)
		for e := range games.All() {
			games.Remove(e.ID)
		}
		time.Sleep(time.Minute)
		cancel()
		<-ended
		if text := log.String(); strings.Count(text, "\n") != 2 || !strings.Contains(text, "again") {
			t.Errorf("log %s", text)
		}
	})
}
