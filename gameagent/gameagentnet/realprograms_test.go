package gameagentnet_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/netip"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
)

// shown is the state that tools of other projects are shown, with some names in
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

// run runs a query tool of another project against a server of ours and
// returns what it prints. The test is skipped where the tool is missing.
func run(t *testing.T, state gameagentnet.State, tool string, args func(addr string) []string) string {
	t.Helper()
	path, err := exec.LookPath(tool)
	if err != nil {
		t.Skipf("%s is not installed", tool)
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
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, path, args(pc.LocalAddr().String())...).Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", tool, err, out)
	}
	return string(out)
}

// playerCounts are the numbers of players that the tools are shown. The engine has
// up to 16. From 50 on the answer has several datagrams.
func playerCounts() []int { return []int{0, 1, 16, 40, 64, 100} }

// gamedig reads the legacy form and decodes text as Latin-1.
func TestGamedig(t *testing.T) {
	for _, players := range playerCounts() {
		t.Run(fmt.Sprintf("%d players", players), func(t *testing.T) {
			out := run(t, shown(players), "gamedig", func(addr string) []string {
				return []string{"--type", "serioussam", addr, "--givenPortOnly"}
			})
			var got struct {
				Error, Name, Map string
				MaxPlayers       int
				Players          []struct {
					Name string
					Raw  map[string]any
				}
				Raw map[string]any
			}
			if err := json.Unmarshal([]byte(out), &got); err != nil || got.Error != "" {
				t.Fatalf("%v, %s", err, out)
			}
			if got.Name != "Test äö Server" || got.Map != "Yodeller" || got.MaxPlayers != 64 || got.Raw["gametype"] != "Fragmatch" {
				t.Errorf("got %q, %q, %d, %v", got.Name, got.Map, got.MaxPlayers, got.Raw["gametype"])
			}
			if len(got.Players) != players {
				t.Fatalf("%d players, want %d", len(got.Players), players)
			}
			for i, p := range shown(players).Players {
				name := strings.ReplaceAll(p.Name, "\xfc", "ü")
				if got.Players[i].Name != name || fmt.Sprint(got.Players[i].Raw["frags"]) != fmt.Sprint(p.Frags) || fmt.Sprint(got.Players[i].Raw["ping"]) != fmt.Sprint(p.Ping) {
					t.Errorf("player %d: got %+v, want %+v", i, got.Players[i], p)
				}
			}
		})
	}
}

// qstat is given the game's port and asks the next. It prints text as raw bytes:
// the server's line, its rules, and a line for each player, the last first.
func TestQstat(t *testing.T) {
	for _, players := range playerCounts() {
		t.Run(fmt.Sprintf("%d players", players), func(t *testing.T) {
			out := run(t, shown(players), "quakestat", func(addr string) []string {
				query := netip.MustParseAddrPort(addr)
				game := netip.AddrPortFrom(query.Addr(), query.Port()-1)
				return []string{"-sms", game.String(), "-P", "-R", "-nnx", "-raw", ";", "-timeout", "2", "-retry", "1"}
			})
			lines := strings.Split(strings.TrimRight(out, "\n"), "\n")
			server := fmt.Sprintf(";Test \xe4\xf6 Server;Yodeller;64;%d;", players)
			if len(lines) != 2+players || !strings.Contains(lines[0], server) {
				t.Fatalf("got %q, want %q", lines, server)
			}
			rules := strings.Split(lines[1], ";")
			for _, want := range []string{"gamename=serioussamse", "gamever=1.10", "hostport=25600", "gametype=Fragmatch", "password=0"} {
				if !slices.Contains(rules, want) {
					t.Errorf("rule %s is not in %q", want, rules)
				}
			}
			for i, p := range shown(players).Players {
				got := lines[len(lines)-1-i]
				if want := fmt.Sprintf("%s;%d;%d;", p.Name, p.Frags, p.Ping); !strings.HasPrefix(got, want) {
					t.Errorf("player %q, want %q", got, want)
				}
			}
		})
	}
}
