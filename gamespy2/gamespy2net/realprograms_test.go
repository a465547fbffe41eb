package gamespy2net_test

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/internal/test/querytools"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// read returns what a query tool of another project prints about servers of ours, in
// their order. The tool queries atOnce of them at a time. The test is skipped if the
// tool is missing.
func read(t *testing.T, tool querytools.Tool, atOnce int, servers ...*gamespy2net.Server) []querytools.Answer {
	t.Helper()
	suite.Tool(t, tool)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	var addrs []string
	for _, s := range servers {
		pc, err := net.ListenPacket("udp", "127.0.0.1:0")
		if err != nil {
			t.Skip(err)
		}
		addrs = append(addrs, pc.LocalAddr().String())
		ended := make(chan error, 1)
		go func() { ended <- s.Serve(pc) }()
		defer func() {
			s.Close()
			<-ended
		}()
	}
	var answers []querytools.Answer
	for some := range slices.Chunk(addrs, atOnce) {
		for _, r := range tool.Query(ctx, some...) {
			if r.Err != nil {
				t.Fatalf("server %d: %v", len(answers), r.Err)
			}
			answers = append(answers, r.Answer)
		}
	}
	return answers
}

// plainRows returns how many players the plain answer to a query has room for.
func plainRows(t *testing.T, state gamespy2net.State, q gamespy2.Request) int {
	t.Helper()
	s := &gamespy2net.Server{Challenge: gamespy2net.ChallengeOff}
	if err := s.Set(state); err != nil {
		t.Fatal(err)
	}
	m, err := gamespy2.Options{Sections: q.Sections()}.ParseResponse(
		nettest.Answers(s.Respond(asker, wireOf(t, q), nil))[0])
	if err != nil {
		t.Fatal(err)
	}
	return len(m.Players.Rows)
}

// A reader is a tool, with functions that return the text and the team that it prints for
// bytes of the wire.
type reader struct {
	tool   querytools.Tool
	decode func(wire string) string
	team   func(wire string) string
}

// qstat prints bytes as they are, and the names of teams.
func qstat(flag string) reader {
	return reader{querytools.Qstat(flag), asIs, func(team string) string {
		return map[string]string{"1": "MEC", "2": "US"}[team]
	}}
}

// gamedig decodes text as Latin-1.
func gamedig(kind string) reader {
	return reader{querytools.Gamedig(kind), latin1, asIs}
}

// latin1 decodes text as gamedig does, also if it is UTF-8.
func latin1(s string) string {
	var text strings.Builder
	for i := range len(s) {
		text.WriteRune(rune(s[i]))
	}
	return text.String()
}

func asIs(s string) string { return s }

// qstat and gamedig read servers in all forms and modes that they support.
func TestQueryToolsReadOurServers(t *testing.T) {
	// protocol-gamespy2 requests each section apart, in plain form.
	apart := gamespy2.Request{Type: gamespy2.TypeQuery, ID: id, Players: gamespy2.All()}
	full := fullQuery(0)
	for _, tt := range []struct {
		reader
		mode  gamespy2net.ChallengeMode
		plain *gamespy2.Request // the query in plain form, whose answer may lack players
	}{
		{qstat("-gs2"), gamespy2net.ChallengeOff, &full},
		{qstat("-gs3"), gamespy2net.ChallengeOff, nil},
		{qstat("-gs3"), gamespy2net.ChallengeOffered, nil},
		{qstat("-gs4"), gamespy2net.ChallengeRequired, nil},
		{qstat("-gs4"), gamespy2net.ChallengeOff, nil},
		{gamedig("battlefield2"), gamespy2net.ChallengeOff, nil},
		{gamedig("battlefield2"), gamespy2net.ChallengeRequired, nil},
		{gamedig("protocol-gamespy3"), gamespy2net.ChallengeRequired, nil},
		{gamedig("protocol-gamespy2"), gamespy2net.ChallengeOff, &apart},
	} {
		t.Run(fmt.Sprintf("%s, mode %d", tt.tool.Name, tt.mode), func(t *testing.T) {
			t.Parallel()
			counts := []int{0, 1, 16, 64, 128}
			var servers []*gamespy2net.Server
			for _, players := range counts {
				servers = append(servers, newServer(t, tt.mode, players))
			}
			atOnce := len(servers)
			if tt.mode == gamespy2net.ChallengeRequired {
				atOnce = 1 // with several, gamedig sends challenge and query from two ports
			}
			for i, got := range read(t, tt.tool, atOnce, servers...) {
				state := sampleState(counts[i])
				if tt.plain != nil {
					state.Players.Rows = state.Players.Rows[:plainRows(t, state, *tt.plain)]
				}
				tt.check(t, got, state)
			}
		})
	}
}

// check checks what the tool prints about a server with a state.
func (r reader) check(t *testing.T, got querytools.Answer, state gamespy2net.State) {
	t.Helper()
	if got.Name != r.decode("Test \xe4\xf6 Server") || got.Map != "Strike At Karkand" || got.MaxPlayers != 64 {
		t.Errorf("got %q, %q, %d", got.Name, got.Map, got.MaxPlayers)
	}
	for _, kv := range state.Info {
		switch kv.Key {
		case "hostname", "mapname", "maxplayers": // qstat has no rules of these names
			continue
		}
		if got.Rules[kv.Key] != r.decode(kv.Value) {
			t.Errorf("rule %s is %q, want %q", kv.Key, got.Rules[kv.Key], kv.Value)
		}
	}
	if len(got.Players) != len(state.Players.Rows) {
		t.Errorf("%d players, want %d", len(got.Players), len(state.Players.Rows))
		return
	}
	for i, row := range state.Players.Rows {
		p := got.Players[i]
		if p.Name != r.decode(row[0]) || p.Fields["score"] != row[1] || p.Fields["team"] != r.team(row[3]) {
			t.Errorf("player %d: %+v, want %q", i, p, row)
		}
	}
}

// Without players and rules qstat sends a query that lists six keys.
func TestQstatGetsTheKeysItLists(t *testing.T) {
	got := read(t, querytools.QstatBasic("-gs3"), 1, newServer(t, gamespy2net.ChallengeOff, 16))[0]
	if got.Name != "Test \xe4\xf6 Server" || got.Map != "Strike At Karkand" || got.MaxPlayers != 64 ||
		got.Rules["numplayers"] != "16" {
		t.Errorf("got %+v", got)
	}
}

// qstat and gamedig read the packets that are not for all clients, too: gamedig those
// that GameSpy's code cuts.
func TestRealProgramsReadEachCut(t *testing.T) {
	state := sampleState(128)
	for _, row := range state.Players.Rows {
		row[0] += " of the long names"
	}
	for _, tt := range []struct {
		reader
		cut gamespy2.Cut
	}{
		{qstat("-gs3"), gamespy2.CutColumns},
		{gamedig("battlefield2"), gamespy2.CutColumns},
		{gamedig("battlefield2"), gamespy2.CutAnywhere},
	} {
		t.Run(fmt.Sprintf("%s, cut %d", tt.tool.Name, tt.cut), func(t *testing.T) {
			t.Parallel()
			s, state := &gamespy2net.Server{}, state
			state.Cut = tt.cut
			if err := s.Set(state); err != nil {
				t.Fatal(err)
			}
			tt.check(t, read(t, tt.tool, 1, s)[0], state)
		})
	}
}

// gamedig queries Minecraft servers in three protocols at once; one is ours. Its
// challenge and its query may come from two ports. The packages of npm for Minecraft also
// request the basic stat.
func TestQueryToolsReadMinecraftServers(t *testing.T) {
	offered, required, off := gamespy2net.ChallengeOffered, gamespy2net.ChallengeRequired, gamespy2net.ChallengeOff
	for _, tt := range []struct {
		tool     querytools.Tool
		hasBasic bool
		modes    []gamespy2net.ChallengeMode
	}{
		{querytools.Gamedig("minecraft"), false, []gamespy2net.ChallengeMode{offered, off}},
		{querytools.MinecraftServerUtil(), true, []gamespy2net.ChallengeMode{offered, required, off}},
		{querytools.MinecraftQuery(), true, []gamespy2net.ChallengeMode{offered, required, off}},
		{querytools.MCQuery(), true, []gamespy2net.ChallengeMode{offered, required}}, // refuses the challenge 0
	} {
		for _, mode := range tt.modes {
			t.Run(fmt.Sprintf("%s, mode %d", tt.tool.Name, mode), func(t *testing.T) {
				t.Parallel()
				counts := []int{0, 1, 64}
				var servers []*gamespy2net.Server
				for _, players := range counts {
					servers = append(servers, newMinecraftServer(t, mode, players))
				}
				for i, got := range read(t, tt.tool, len(servers), servers...) {
					if got.Name != "Reef" || got.MaxPlayers != 100 || len(got.Players) != counts[i] {
						t.Errorf("got %q, %d players of %d, want %d", got.Name, len(got.Players), got.MaxPlayers,
							counts[i])
					}
					if tt.hasBasic &&
						(got.Rules["basic"] != "Reef" || got.Map != "world" ||
							got.Rules["numplayers"] != fmt.Sprint(counts[i])) {
						t.Errorf("got %+v", got)
					}
				}
			})
		}
	}
}
