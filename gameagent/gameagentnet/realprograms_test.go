package gameagentnet_test

import (
	"context"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/internal/querytools"
)

// shown is the state of servers that other query tools read, with some names in
// Latin-1.
func shown(players int) gameagentnet.State {
	s := gameagentnet.State{
		SessionName: "Test \xe4\xf6 Server", GameName: "serioussamse", Version: "1.10",
		Level: "Yodeller", GameType: "Fragmatch", MaxPlayers: 64, GamePort: 25600,
	}
	for i := range players {
		name := fmt.Sprintf("Player%02d", i)
		if i%5 == 4 {
			name = fmt.Sprintf("M\xfcller%02d", i)
		}
		s.Players = append(s.Players, gameagent.Player{Index: i, Name: name, Frags: int32(30 - i), Ping: 20 + i})
	}
	return s
}

// read returns what a query tool of another project prints about a server of ours.
// The test is skipped where the tool is missing.
func read(t *testing.T, state gameagentnet.State, tool querytools.Tool) querytools.Answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if err := tool.Installed(ctx); err != nil {
		t.Skip(err)
	}
	pc, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	s := &gameagentnet.Server{Limits: lobbywire.Rates{PerSource: 1000}}
	if err := s.Set(state); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(pc) }()
	defer func() {
		s.Close()
		<-ended
	}()
	r := tool.Query(ctx, pc.LocalAddr().String())[0]
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	return r.Answer
}

// qstat and gamedig read the legacy form. The engine has up to 16 players. From 50 on
// the answer has several datagrams.
func TestQueryTools(t *testing.T) {
	for _, tt := range []struct {
		tool   querytools.Tool
		decode func(wire string) string // what the tool does with text
		rules  map[string]string
	}{
		{querytools.Gamedig("serioussam"), fromLatin1, map[string]string{"gametype": "Fragmatch"}},
		{querytools.Qstat("-sms"), asIs, map[string]string{
			"gamename": "serioussamse", "gamever": "1.10", "hostport": "25600", "gametype": "Fragmatch", "password": "0",
		}},
	} {
		for _, players := range []int{0, 1, 16, 40, 64, 100} {
			t.Run(fmt.Sprintf("%s, %d players", tt.tool.Name, players), func(t *testing.T) {
				state := shown(players)
				got := read(t, state, tt.tool)
				if got.Name != tt.decode(state.SessionName) || got.Map != "Yodeller" || got.MaxPlayers != 64 {
					t.Errorf("got %q, %q, %d", got.Name, got.Map, got.MaxPlayers)
				}
				for key, want := range tt.rules {
					if got.Rules[key] != want {
						t.Errorf("rule %s is %q, want %q", key, got.Rules[key], want)
					}
				}
				if len(got.Players) != players {
					t.Fatalf("%d players, want %d", len(got.Players), players)
				}
				for i, p := range state.Players {
					q := got.Players[i]
					if q.Name != tt.decode(p.Name) || q.Fields["frags"] != fmt.Sprint(p.Frags) || q.Fields["ping"] != fmt.Sprint(p.Ping) {
						t.Errorf("player %d: got %+v, want %+v", i, q, p)
					}
				}
			})
		}
	}
}

func asIs(s string) string { return s }

// fromLatin1 decodes the characters that the shown texts have.
func fromLatin1(s string) string {
	return strings.NewReplacer("\xe4", "ä", "\xf6", "ö", "\xfc", "ü").Replace(s)
}
