package gamespy2net_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
)

// run runs a query tool of another project against a server of ours and
// returns what it prints. The test is skipped where the tool is missing.
func run(t *testing.T, s *gamespy2net.Server, tool string, args func(addr string) []string) string {
	t.Helper()
	path, err := exec.LookPath(tool)
	if err != nil {
		t.Skipf("%s is not installed", tool)
	}
	pc, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
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

// playerCounts are how many players the tools are shown.
func playerCounts() []int { return []int{0, 1, 16, 64, 128} }

// qstat prints text as raw bytes: the server's line, its rules, and a line for
// each player, the last first.
func TestQstat(t *testing.T) {
	for _, tt := range []struct {
		kind  string
		mode  gamespy2net.ChallengeMode
		plain bool
	}{
		{"-gs2", gamespy2net.ChallengeOff, true},
		{"-gs3", gamespy2net.ChallengeOff, false},
		{"-gs3", gamespy2net.ChallengeOffered, false},
		{"-gs4", gamespy2net.ChallengeRequired, false},
		{"-gs4", gamespy2net.ChallengeOff, false},
	} {
		for _, players := range playerCounts() {
			t.Run(fmt.Sprintf("%s, mode %d, %d players", tt.kind, tt.mode, players), func(t *testing.T) {
				out := run(t, newServer(t, tt.mode, players), "quakestat", func(addr string) []string {
					return []string{tt.kind, addr, "-P", "-R", "-nnx", "-raw", ";", "-timeout", "2", "-retry", "1"}
				})
				state := sampleState(players)
				if tt.plain {
					players = plainRows(t, state, fullQuery(0))
				}
				checkQstat(t, out, state, players, tt.plain)
			})
		}
	}
}

// plainRows returns how many players the plain answer to a query has room for.
func plainRows(t *testing.T, state gamespy2net.State, q gamespy2.Request) int {
	t.Helper()
	s := &gamespy2net.Server{Challenge: gamespy2net.ChallengeOff}
	if err := s.Set(state); err != nil {
		t.Fatal(err)
	}
	m, err := gamespy2.Options{Sections: q.Sections()}.ParseResponse(s.Respond(asker, wireOf(t, q), nil)[0])
	if err != nil {
		t.Fatal(err)
	}
	return len(m.Players.Rows)
}

func checkQstat(t *testing.T, out string, state gamespy2net.State, players int, plain bool) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) < 2 {
		t.Fatalf("output %q", out)
	}
	value := map[string]string{}
	for _, kv := range state.Info {
		value[kv.Key] = kv.Value
	}
	fields := strings.Split(lines[0], ";")
	want := []string{value["hostname"], value["mapname"], value["maxplayers"], value["numplayers"]}
	if len(fields) < 6 || !cmp.Equal(want, fields[2:6]) {
		t.Errorf("server %q, want %q", fields, want)
	}
	rules := strings.Split(lines[1], ";")
	for _, kv := range state.Info {
		switch kv.Key {
		case "hostname", "mapname", "maxplayers", "numplayers":
			continue
		}
		if !slices.Contains(rules, kv.Key+"="+kv.Value) {
			t.Errorf("rule %s=%s is not in %q", kv.Key, kv.Value, rules)
		}
	}
	var got, names []string
	for _, line := range lines[2:] {
		if line != "" {
			got = append(got, line)
		}
	}
	for i := players - 1; i >= 0; i-- {
		row := state.Players.Rows[i]
		team := "MEC"
		if row[3] == "2" {
			team = "US"
		}
		names = append(names, strings.Join([]string{row[0], row[1], row[2], team}, ";"))
	}
	if len(got) != len(names) {
		t.Fatalf("%d players, want %d:\n%s", len(got), len(names), out)
	}
	for i := range got {
		if !strings.HasPrefix(got[i], names[i]) {
			t.Errorf("player %q, want %q", got[i], names[i])
		}
	}
}

// Without -P qstat sends a query that lists six keys.
func TestQstatBasicQuery(t *testing.T) {
	out := run(t, newServer(t, gamespy2net.ChallengeOff, 16), "quakestat", func(addr string) []string {
		return []string{"-gs3", addr, "-raw", ";", "-timeout", "2", "-retry", "1"}
	})
	fields := strings.Split(strings.TrimSpace(out), ";")
	want := []string{"Test \xe4\xf6 Server", "Strike At Karkand", "64", "16"}
	if len(fields) < 6 || !cmp.Equal(want, fields[2:6]) {
		t.Errorf("got %q, want %q", fields, want)
	}
}

// gamedig decodes text as Latin-1.
func TestGamedig(t *testing.T) {
	for _, tt := range []struct {
		kind string // protocol-gamespy2 asks in plain form, for each section apart
		mode gamespy2net.ChallengeMode
	}{
		{"battlefield2", gamespy2net.ChallengeOff},
		{"battlefield2", gamespy2net.ChallengeRequired},
		{"protocol-gamespy3", gamespy2net.ChallengeRequired},
		{"protocol-gamespy2", gamespy2net.ChallengeOff},
	} {
		for _, players := range playerCounts() {
			t.Run(fmt.Sprintf("%s, mode %d, %d players", tt.kind, tt.mode, players), func(t *testing.T) {
				out := run(t, newServer(t, tt.mode, players), "gamedig", func(addr string) []string {
					return []string{"--type", tt.kind, addr, "--givenPortOnly"}
				})
				state := sampleState(players)
				if tt.kind == "protocol-gamespy2" {
					apart := gamespy2.Request{Type: gamespy2.TypeQuery, ID: id, Players: gamespy2.All()}
					state.Players.Rows = state.Players.Rows[:plainRows(t, state, apart)]
				}
				checkGamedig(t, out, state)
			})
		}
	}
}

func checkGamedig(t *testing.T, out string, state gamespy2net.State) {
	t.Helper()
	var got struct {
		Error      string
		Name       string
		Map        string
		MaxPlayers int
		Players    []struct {
			Name string
			Raw  map[string]any
		}
		Raw map[string]any
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || got.Error != "" {
		t.Fatalf("%v, %s", err, out)
	}
	if got.Name != "Test äö Server" || got.Map != "Strike At Karkand" || got.MaxPlayers != 64 {
		t.Errorf("got %q, %q, %d", got.Name, got.Map, got.MaxPlayers)
	}
	for _, kv := range state.Info {
		if v, ok := got.Raw[kv.Key]; !ok || fmt.Sprint(v) != gamespy2.Latin1(kv.Value) {
			t.Errorf("rule %s is %v, want %q", kv.Key, v, kv.Value)
		}
	}
	if len(got.Players) != len(state.Players.Rows) {
		t.Fatalf("%d players, want %d", len(got.Players), len(state.Players.Rows))
	}
	for i, row := range state.Players.Rows {
		p := got.Players[i]
		score, _ := strconv.Atoi(row[1])
		team, _ := strconv.Atoi(row[3])
		if p.Name != gamespy2.Latin1(row[0]) || fmt.Sprint(p.Raw["score"]) != strconv.Itoa(score) || fmt.Sprint(p.Raw["team"]) != strconv.Itoa(team) {
			t.Errorf("player %d: %+v, want %q", i, p, row)
		}
	}
}

// qstat and gamedig read the packets that are not for all clients, too: gamedig those
// that GameSpy's code cuts.
func TestCutsOfRealPrograms(t *testing.T) {
	state := sampleState(128)
	for _, row := range state.Players.Rows {
		row[0] += " of the long names"
	}
	for _, tt := range []struct {
		tool string
		cut  gamespy2.Cut
	}{{"quakestat", gamespy2.CutColumns}, {"gamedig", gamespy2.CutColumns}, {"gamedig", gamespy2.CutAnywhere}} {
		t.Run(fmt.Sprintf("%s, cut %d", tt.tool, tt.cut), func(t *testing.T) {
			s := &gamespy2net.Server{}
			state.Cut = tt.cut
			if err := s.Set(state); err != nil {
				t.Fatal(err)
			}
			out := run(t, s, tt.tool, func(addr string) []string {
				if tt.tool == "gamedig" {
					return []string{"--type", "battlefield2", addr, "--givenPortOnly"}
				}
				return []string{"-gs3", addr, "-P", "-R", "-nnx", "-raw", ";", "-timeout", "2", "-retry", "1"}
			})
			if tt.tool == "gamedig" {
				checkGamedig(t, out, state)
			} else {
				checkQstat(t, out, state, 128, false)
			}
		})
	}
}

// gamedig queries Minecraft servers in three protocols at once, one of which is ours.
// Its challenge and its query may come from two ports.
func TestGamedigMinecraft(t *testing.T) {
	for _, mode := range []gamespy2net.ChallengeMode{gamespy2net.ChallengeOffered, gamespy2net.ChallengeOff} {
		for _, players := range []int{0, 1, 64} {
			t.Run(fmt.Sprintf("mode %d, %d players", mode, players), func(t *testing.T) {
				out := run(t, newMinecraftServer(t, mode, players), "gamedig", func(addr string) []string {
					return []string{"--type", "minecraft", addr, "--givenPortOnly"}
				})
				var got struct {
					Error      string
					Name       string
					MaxPlayers int
					Players    []struct{ Name string }
				}
				if err := json.Unmarshal([]byte(out), &got); err != nil || got.Error != "" {
					t.Fatalf("%v, %s", err, out)
				}
				if got.Name != "Reef" || got.MaxPlayers != 100 || len(got.Players) != players {
					t.Errorf("got %q, %d players of %d", got.Name, len(got.Players), got.MaxPlayers)
				}
			})
		}
	}
}
