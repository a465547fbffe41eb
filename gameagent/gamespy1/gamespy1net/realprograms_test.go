package gamespy1net_test

import (
	"context"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/internal/test/querytools"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// shown is the status of servers that other query tools read, with some names in
// Latin-1.
func shown(players int) gamespy1.Status {
	s := gamespy1.Status{
		HostName: "Test \xe4\xf6 Server", GameName: "serioussamse", GameVersion: "1.10",
		MapName: "Yodeller", GameType: "Fragmatch", MaxPlayers: new(64), HostPort: 25600, Password: new(false),
	}
	for i := range players {
		name := fmt.Sprintf("Player%02d", i)
		if i%5 == 4 {
			name = fmt.Sprintf("M\xfcller%02d", i)
		}
		s.Players = append(s.Players, gamespy1.Player{Index: i, Name: name, Frags: new(int32(30 - i)), Ping: new(20 + i)})
	}
	return s
}

// read returns what a query tool of another project prints about servers of ours with
// the given statuses. The test is skipped where the tool is missing.
func read(t *testing.T, tool querytools.Tool, states ...gamespy1.Status) []querytools.Result {
	t.Helper()
	suite.Tool(t, tool)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	var addrs []string
	for _, state := range states {
		pc, err := net.ListenPacket("udp", "127.0.0.1:0")
		if err != nil {
			t.Skip(err)
		}
		s := &gamespy1net.Server{Limits: lobbywire.Rates{PerSource: 1000}}
		if err := s.Set(state); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- s.Serve(pc) }()
		defer func() {
			s.Close()
			<-ended
		}()
		addrs = append(addrs, pc.LocalAddr().String())
	}
	return tool.Query(ctx, addrs...)
}

// qstat and gamedig read the answers. The engine has up to 16 players. From 50 on
// the answer has several datagrams.
func TestQueryToolsReadOurServers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		tool   querytools.Tool
		decode func(wire string) string // what the tool does with text
		rules  map[string]string
	}{
		{querytools.Gamedig("serioussam"), fromLatin1, map[string]string{"gametype": "Fragmatch"}},
		{querytools.Qstat("-sms"), asIs, map[string]string{
			"gamename": "serioussamse", "gamever": "1.10", "hostport": "25600", "gametype": "Fragmatch",
			"password": "0",
		}},
	} {
		t.Run(tt.tool.Name, func(t *testing.T) {
			t.Parallel()
			var states []gamespy1.Status
			for _, players := range []int{0, 1, 16, 40, 64, 100} {
				states = append(states, shown(players))
			}
			for i, r := range read(t, tt.tool, states...) {
				state, got := states[i], r.Answer
				if r.Err != nil || got.Name != tt.decode(state.HostName) || got.Map != "Yodeller" ||
					got.MaxPlayers != 64 {
					t.Errorf("%d players: got %q, %q, %d, error %v", len(state.Players), got.Name, got.Map,
						got.MaxPlayers, r.Err)
				}
				for key, want := range tt.rules {
					if got.Rules[key] != want {
						t.Errorf("%d players: rule %s is %q, want %q", len(state.Players), key, got.Rules[key], want)
					}
				}
				if len(got.Players) != len(state.Players) {
					t.Errorf("%d players, want %d", len(got.Players), len(state.Players))
					continue
				}
				for k, p := range state.Players {
					q := got.Players[k]
					if q.Name != tt.decode(p.Name) || q.Fields["frags"] != fmt.Sprint(*p.Frags) ||
						q.Fields["ping"] != fmt.Sprint(*p.Ping) {
						t.Errorf("player %d of %d: got %+v, want %+v", k, len(state.Players), q, p)
					}
				}
			}
		})
	}
}

func asIs(s string) string { return s }

// fromLatin1 decodes the characters that the shown texts have.
func fromLatin1(s string) string {
	return strings.NewReplacer("\xe4", "ä", "\xf6", "ö", "\xfc", "ü").Replace(s)
}
