package servers

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/test/scripted"
)

// game is an ordinary game with some players.
func game(players int) scripted.Game {
	return scripted.Game{
		Title: "Duel", Map: "Harbor", Players: players, Max: 255,
		Name:  func(i int) string { return fmt.Sprintf("Player%03d", i) },
		Score: func(i int) int { return i }, Ping: func(i int) int { return 20 + i },
	}
}

// long is a game whose players have long names.
func long(g scripted.Game) scripted.Game {
	g.Name = func(i int) string { return fmt.Sprintf("%s%03d", strings.Repeat("x", 17), i) }
	return g
}

// renamed is a game with another name.
func renamed(g scripted.Game, title string) scripted.Game {
	g.Title = title
	return g
}

// battlefield is Battlefield 2: it has no challenges, and cuts an answer wherever a
// packet is full.
func battlefield(t *testing.T, g scripted.Game) scripted.Server {
	t.Helper()
	m := gamespy2.Response{Split: true, Info: []gamespy2.KeyValue{
		{Key: "hostname", Value: g.Title}, {Key: "mapname", Value: g.Map},
		{Key: "numplayers", Value: fmt.Sprint(g.Players)}, {Key: "maxplayers", Value: fmt.Sprint(g.Max)},
	}}
	m.Players.Columns = []string{"player_", "score_", "ping_", "team_", "deaths_"}
	for i := range g.Players {
		m.Players.Rows = append(m.Players.Rows, []string{g.Name(i), fmt.Sprint(g.Score(i)), fmt.Sprint(g.Ping(i)), "1", "0"})
	}
	m.Teams.Columns = []string{"team_t", "score_t"}
	packets, err := m.PacketsCut(gamespy2.CutAnywhere)
	if err != nil {
		t.Fatal(err)
	}
	return func(_ netip.AddrPort, req string) (answers []string) {
		switch {
		case strings.HasPrefix(req, "\xfe\xfd\x09") && len(req) >= 7 && len(req) < 256:
			return []string{"\x09" + req[3:7] + "0\x00"}
		case strings.HasPrefix(req, "\xfe\xfd\x00") && strings.HasSuffix(req, "\xff\xff\xff\x01"):
			for _, b := range packets {
				answers = append(answers, "\x00"+req[3:7]+string(b[5:]))
			}
		}
		return answers
	}
}

// The cases find the faults of the scripted servers that the documents of the matrix
// name, and no others. Old clients misread the servers as its tables show.
func TestScriptedServersHaveTheDocumentedFaults(t *testing.T) {
	const latin1, plain = "gamedig and GameQ read UTF-8 as Latin-1, and show other characters",
		"qstat -gs2 and gamedig protocol-gamespy2 show 81 of 255 players: the plain form is one packet"
	var (
		otherChunks = []string{"sqp/2.1", "sqp/2.2", "sqp/2.3", "sqp/2.4"}                     // Unreal's answers lack them
		sections    = []string{"gamespy2/2.1", "gamespy2/2.2", "gamespy2/2.3", "gamespy2/2.6"} // Halo always sends all
		queryid     = []string{"gameagent/2.9"}                                                // only the last packet has one
	)
	for _, tt := range []struct {
		name, protocol string
		server         scripted.Server
		failed         []string // IDs
		misread        []string
	}{
		{"Unity's SDK in C#", "sqp", scripted.USQP(game(3), false), []string{"sqp/3.6"}, nil},
		{"Unity's plugin for Unreal", "sqp", scripted.USQP(game(3), true), otherChunks, nil},
		{"SQP, Latin-1", "sqp", scripted.USQP(renamed(game(3), "M\xfcller"), true),
			append([]string{"sqp/1.2"}, otherChunks...), []string{"go-svrquery drops an answer whose texts are not UTF-8"}},
		{"Halo", "gamespy2", scripted.Halo(game(16)), sections, nil},
		{"Halo, full", "gamespy2", scripted.Halo(game(255)), sections, []string{plain}},
		{"Halo, Latin-1", "gamespy2", scripted.Halo(renamed(game(3), "M\xfcller")), sections,
			[]string{"opengsq drops characters that are not UTF-8"}},
		{"Battlefield 2", "gamespy2", battlefield(t, game(16)), nil, nil},
		{"Battlefield 2, empty", "gamespy2", battlefield(t, game(0)), nil,
			[]string{"opengsq takes the name of the second column for a player"}},
		{"Battlefield 2, full", "gamespy2", battlefield(t, long(game(255))), nil,
			[]string{"GameQ misreads a column that takes more than two packets"}},
		{"Battlefield 2, UTF-8", "gamespy2", battlefield(t, renamed(game(3), "Тест")), nil, []string{latin1}},
		{"Minecraft", "gamespy2", scripted.Minecraft(game(16)), nil, nil},
		{"Serious Sam", "gameagent", scripted.SeriousSam(game(64)), queryid, nil},
		{"Serious Sam, UTF-8", "gameagent", scripted.SeriousSam(renamed(game(3), "Тест")), nil, []string{latin1}},
		{"Serious Engine", "gameagent", scripted.SeriousEngine(game(64)), []string{"gameagent/1.4"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			peer := &Responder{Respond: func(from netip.AddrPort, req []byte, dst [][]byte) [][]byte {
				for _, b := range tt.server(from, string(req)) {
					dst = append(dst, []byte(b))
				}
				return dst
			}}
			r := Suite(tt.protocol).Run(t.Context(), peer, check.Options{Robust: true})
			var failed []string
			for _, f := range r.Findings {
				if f.Result == check.Fail && f.Like == "" {
					failed = append(failed, f.ID)
					t.Logf("%s %s %s: %s", f.ID, f.Level, f.Sentence, f.Why())
				}
			}
			if diff := cmp.Diff(tt.failed, failed); diff != "" {
				t.Errorf("failed (-want +got):\n%s", diff)
			}
			if !slices.Equal(tt.misread, r.Misread) {
				t.Errorf("old clients misread %q, want %q", r.Misread, tt.misread)
			}
		})
	}
}
