package gamespy2net_test

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

var (
	asker    = netip.MustParseAddrPort("192.0.2.1:5000")
	stranger = netip.MustParseAddrPort("192.0.2.2:5000")
	id       = [4]byte{0x10, 0x20, 0x30, 0x40}
)

// sampleState is a Battlefield 2 server's, with some names in Latin-1.
func sampleState(players int) gamespy2net.State {
	s := gamespy2net.State{
		Info: []gamespy2.KeyValue{
			{Key: "hostname", Value: "Test \xe4\xf6 Server"}, {Key: "gamename", Value: "battlefield2"},
			{Key: "gamever", Value: "1.5.3153-802.0"}, {Key: "mapname", Value: "Strike At Karkand"},
			{Key: "gametype", Value: "gpm_cq"}, {Key: "gamevariant", Value: "bf2"},
			{Key: "numplayers", Value: strconv.Itoa(players)}, {Key: "maxplayers", Value: "64"},
			{Key: "gamemode", Value: "openplaying"}, {Key: "password", Value: "0"},
			{Key: "timelimit", Value: "14400"}, {Key: "hostport", Value: "16567"}, {Key: "bf2_ranked", Value: "1"},
			{Key: "bf2_sponsortext", Value: ""}, {Key: "bf2_team1", Value: "MEC"}, {Key: "bf2_team2", Value: "US"},
		},
		Players: gamespy2.Table{Columns: []string{"player_", "score_", "ping_", "team_", "deaths_", "pid_", "skill_",
			"AIBot_"}},
		Teams: gamespy2.Table{Columns: []string{"team_t", "score_t"}, Rows: [][]string{{"MEC", "0"}, {"US", "0"}}},
	}
	for i := range players {
		name := fmt.Sprintf("TAG Player%02d", i)
		if i%5 == 4 {
			name = fmt.Sprintf("TAG M\xfcller%02d", i)
		}
		s.Players.Rows = append(s.Players.Rows, []string{
			name, strconv.Itoa(100 - 3*i), strconv.Itoa(20 + i), strconv.Itoa(1 + i%2),
			strconv.Itoa(i), strconv.Itoa(500000000 + i), strconv.Itoa(2 * i), "0",
		})
	}
	return s
}

// newServer returns a server with a number of players.
func newServer(t testing.TB, mode gamespy2net.ChallengeMode, players int) *gamespy2net.Server {
	t.Helper()
	s := &gamespy2net.Server{Challenge: mode}
	if err := s.Set(sampleState(players)); err != nil {
		t.Fatal(err)
	}
	return s
}

func wireOf(t testing.TB, m gamespy2.Request) []byte {
	t.Helper()
	b, err := m.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func fullQuery(flags gamespy2.Flags) gamespy2.Request {
	return gamespy2.Request{Type: gamespy2.TypeQuery, ID: id, Info: gamespy2.All(), Players: gamespy2.All(),
		Teams: gamespy2.All(), Flags: flags}
}

// challengeFor gets a challenge as an asker does.
func challengeFor(t testing.TB, s *gamespy2net.Server, from netip.AddrPort) int32 {
	t.Helper()
	answers, _ := s.Respond(from, wireOf(t, gamespy2.Request{Type: gamespy2.TypeChallenge, ID: id}), nil)
	if len(answers) != 1 {
		t.Fatalf("%d answers to a challenge request", len(answers))
	}
	m, err := gamespy2.Options{}.ParseChallengeResponse(answers[0])
	if err != nil || m.ID != id {
		t.Fatalf("challenge %+v, %v", m, err)
	}
	return m.Number
}

// joined makes one response of the answers to a full query.
func joined(t testing.TB, answers [][]byte) gamespy2.Response {
	t.Helper()
	var a gamespy2.Assembler
	for _, b := range answers {
		if len(b) > gamespy2.MaxPacket {
			t.Errorf("packet of %d bytes", len(b))
		}
		if _, err := a.Add(b); err != nil {
			t.Fatal(err)
		}
	}
	m, err := a.Response()
	if err != nil || m.Partial || m.ID != id {
		t.Fatalf("response %+v, %v", m, err)
	}
	return m
}

func TestServerAnswersSplit(t *testing.T) {
	for _, players := range []int{0, 1, 16, 40, 64} {
		s := newServer(t, gamespy2net.ChallengeRequired, players)
		q := fullQuery(gamespy2.FlagSplit)
		q.HasChallenge, q.Challenge = true, challengeFor(t, s, asker)
		m := joined(t, nettest.Answers(s.Respond(asker, wireOf(t, q), nil)))
		want := sampleState(players)
		if diff := cmp.Diff(want.Info, m.Info); diff != "" {
			t.Errorf("%d players: info (-want +got):\n%s", players, diff)
		}
		if !m.Split || len(m.Players.Rows) != players || players > 0 && !cmp.Equal(want.Players, m.Players) ||
			!cmp.Equal(want.Teams, m.Teams) {
			t.Errorf("%d players: got %v, %v", players, m.Players, m.Teams)
		}
	}
}

func TestServerAnswersPlain(t *testing.T) {
	s := newServer(t, gamespy2net.ChallengeOff, 6)
	want := sampleState(6)
	for _, tt := range []struct {
		name                 string
		info, players, teams bool
	}{
		{"all", true, true, true}, {"info", true, false, false},
		{"players", false, true, false}, {"teams", false, false, true}, {"players and teams", false, true, true},
	} {
		q := gamespy2.Request{Type: gamespy2.TypeQuery, ID: id}
		if tt.info {
			q.Info = gamespy2.All()
		}
		if tt.players {
			q.Players = gamespy2.All()
		}
		if tt.teams {
			q.Teams = gamespy2.All()
		}
		answers, _ := s.Respond(asker, wireOf(t, q), nil)
		if len(answers) != 1 {
			t.Fatalf("%s: %d answers", tt.name, len(answers))
		}
		m, err := gamespy2.Options{Sections: q.Sections()}.ParseResponse(answers[0])
		if err != nil || m.ID != id ||
			tt.info != (len(m.Info) > 0) || tt.players != cmp.Equal(want.Players, m.Players) ||
			tt.teams != cmp.Equal(want.Teams, m.Teams) {
			t.Errorf("%s: %+v, %v", tt.name, m, err)
		}
	}
}

// Bytes after a query are ignored, though zeros after one without flags look like a query with a
// challenge that selects nothing.
func TestServerAnswersPaddedQueries(t *testing.T) {
	s := newServer(t, gamespy2net.ChallengeOffered, 2)
	for _, padding := range []int{1, 3, 4, 100} {
		answers, _ := s.Respond(asker, append(wireOf(t, fullQuery(0)), make([]byte, padding)...), nil)
		if len(answers) != 1 {
			t.Errorf("%d zeros: %d answers", padding, len(answers))
			continue
		}
		m, err := gamespy2.Options{Sections: gamespy2.AllSections}.ParseResponse(answers[0])
		if err != nil || m.Partial || m.Split || len(m.Players.Rows) != 2 {
			t.Errorf("%d zeros: %+v, %v", padding, m, err)
		}
	}
}

// A plain answer is one packet, with as many players as fit.
func TestServerShortensPlainAnswers(t *testing.T) {
	s := newServer(t, gamespy2net.ChallengeOff, 64)
	answers, _ := s.Respond(asker, wireOf(t, fullQuery(0)), nil)
	if len(answers) != 1 || len(answers[0]) > gamespy2.MaxPacket {
		t.Fatalf("%d answers", len(answers))
	}
	m, err := gamespy2.Options{Sections: gamespy2.AllSections}.ParseResponse(answers[0])
	rows := len(m.Players.Rows)
	if err != nil || rows < 10 || rows >= 64 || !cmp.Equal(sampleState(64).Players.Rows[:rows], m.Players.Rows) ||
		len(m.Teams.Rows) != 2 {
		t.Errorf("%d players, %v", rows, err)
	}
}

func TestServerAnswersListedKeys(t *testing.T) {
	s := newServer(t, gamespy2net.ChallengeOff, 6)
	keys := gamespy2.Keys(gamespy2.KeyHostname, gamespy2.KeyGameType, gamespy2.KeyMapName, gamespy2.KeyNumPlayers,
		gamespy2.KeyMaxPlayers, gamespy2.KeyHostPort, 200)
	answers, _ := s.Respond(asker, wireOf(t, gamespy2.Request{Type: gamespy2.TypeQuery, ID: id, Info: keys}), nil)
	if len(answers) != 1 {
		t.Fatalf("%d answers", len(answers))
	}
	m, err := gamespy2.Options{Strict: true}.ParseValues(answers[0], keys.Len())
	if diff := cmp.Diff([]string{"Test \xe4\xf6 Server", "gpm_cq", "Strike At Karkand", "6", "64", "16567", ""},
		m.Values); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestServerAnswersEchoRequests(t *testing.T) {
	s := newServer(t, gamespy2net.ChallengeRequired, 0)
	answers, _ := s.Respond(asker, []byte("\xfe\xfd\x02\x00\x00\x00\x00\x00"), nil)
	if len(answers) != 1 || string(answers[0]) != "\x05\x00\x00\x00\x00\x00" {
		t.Errorf("got %q", answers)
	}
}

func TestChallengeModeDecidesWhoIsAnswered(t *testing.T) {
	for _, tt := range []struct {
		mode             gamespy2net.ChallengeMode
		gives            bool // challenges
		without, invalid bool // answers queries that bring none, or a wrong one
	}{
		{gamespy2net.ChallengeRequired, true, false, false},
		{gamespy2net.ChallengeOffered, true, true, true},
		{gamespy2net.ChallengeOff, false, true, false},
	} {
		s := newServer(t, tt.mode, 2)
		number := challengeFor(t, s, asker)
		if (number != 0) != tt.gives || tt.gives && number < 100_000 {
			t.Errorf("mode %d: challenge %d", tt.mode, number)
		}
		got := len(nettest.Answers(s.Respond(asker, wireOf(t, fullQuery(gamespy2.FlagSplit)), nil))) > 0
		if got != tt.without {
			t.Errorf("mode %d: answers without a challenge: %v", tt.mode, got)
		}
		if !tt.gives {
			continue
		}
		q := fullQuery(gamespy2.FlagSplit)
		q.HasChallenge, q.Challenge = true, number
		if len(nettest.Answers(s.Respond(asker, wireOf(t, q), nil))) == 0 {
			t.Errorf("mode %d: does not answer with a challenge", tt.mode)
		}
		q.Challenge++
		if got := len(nettest.Answers(s.Respond(asker, wireOf(t, q), nil))) > 0; got != tt.invalid {
			t.Errorf("mode %d: answers with a wrong challenge: %v", tt.mode, got)
		}
	}
}

// gamedig's command line queries from another port than the port that got the challenge.
// Where challenges are only offered, such a query counts as one without a challenge.
func TestServerAnswersChallengesFromAnotherPort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		otherPort := netip.AddrPortFrom(asker.Addr(), asker.Port()+1)
		for _, flags := range []gamespy2.Flags{0, gamespy2.FlagSplit} {
			s := newServer(t, gamespy2net.ChallengeOffered, 2)
			s.Limits.PerSource = 1 << 30
			answered := 0
			for range 1000 {
				q := fullQuery(flags)
				q.HasChallenge, q.Challenge = true, challengeFor(t, s, asker)+int32(answered)<<20
				answers, _ := s.Respond(otherPort, wireOf(t, q), nil)
				if len(answers) == 0 {
					break
				}
				if m := joined(t, answers); len(m.Players.Rows) != 2 || m.Split != q.Split() {
					t.Fatalf("got %+v", m)
				}
				answered++
			}
			if answered != 30 {
				t.Errorf("flags %d: %d answers, want the burst of 30 for an unverified sender", flags, answered)
			}
		}
	})
}

// A challenge is good for one address and port, for between 10 and 20 seconds.
func TestChallengeIsGoodForOnePortAndSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, gamespy2net.ChallengeRequired, 2)
		number := challengeFor(t, s, asker)
		answered := func(from netip.AddrPort, number int32) bool {
			q := fullQuery(gamespy2.FlagSplit)
			q.HasChallenge, q.Challenge = true, number
			return len(nettest.Answers(s.Respond(from, wireOf(t, q), nil))) > 0
		}
		for _, tt := range []struct {
			name   string
			from   netip.AddrPort
			number int32
			want   bool
		}{
			{"own", asker, number, true},
			{"own, once more", asker, number, true},
			{"next number", asker, number + 1, false},
			{"from a stranger", stranger, number, false},
			{"from another port", netip.AddrPortFrom(asker.Addr(), 1), number, false},
			{"of another server", asker, challengeFor(t, new(gamespy2net.Server), asker), false},
		} {
			if got := answered(tt.from, tt.number); got != tt.want {
				t.Errorf("%s: answered %v, want %v", tt.name, got, tt.want)
			}
		}
		time.Sleep(10 * time.Second)
		if !answered(asker, number) {
			t.Error("challenge of 10 seconds ago is not valid")
		}
		time.Sleep(11 * time.Second)
		if answered(asker, number) {
			t.Error("challenge of 21 seconds ago is valid")
		}
	})
}

// Without challenges, the answers to each source and to all sources are limited.
func TestServerLimitsUnverifiedAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &gamespy2net.Server{} // which offers challenges
		if err := s.Set(sampleState(64)); err != nil {
			t.Fatal(err)
		}
		const perSource, global = 10, 200 // the defaults
		q := wireOf(t, fullQuery(gamespy2.FlagSplit))
		count := func(sources, each int) (answered int) {
			for i := range sources {
				from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}), 1)
				for range each {
					if len(nettest.Answers(s.Respond(from, q, nil))) > 0 {
						answered++
					}
				}
			}
			return answered
		}
		if got := count(1, 100); got != 3*perSource {
			t.Errorf("one source: %d answers, want %d", got, 3*perSource)
		}
		time.Sleep(time.Second)
		if got := count(1, 100); got != perSource {
			t.Errorf("one source, a second later: %d answers, want %d", got, perSource)
		}
		time.Sleep(10 * time.Second)
		if got := count(10_000, 1); got != global*3/4 { // the rest is kept for proven prefixes
			t.Errorf("10000 sources: %d answers, want %d", got, global*3/4)
		}
	})
}

// Requests for challenges and echoes, whose senders can be forged, leave the limits
// of verified clients alone.
func TestServerKeepsAnsweringVerifiedClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, gamespy2net.ChallengeOffered, 2)
		q := fullQuery(gamespy2.FlagSplit)
		q.HasChallenge, q.Challenge = true, challengeFor(t, s, asker)
		for _, flood := range [][]byte{
			wireOf(t, gamespy2.Request{Type: gamespy2.TypeChallenge, ID: id}),
			wireOf(t, gamespy2.Request{Type: gamespy2.TypeEcho, ID: id}),
			wireOf(t, fullQuery(gamespy2.FlagSplit)),
		} {
			for range 1000 {
				s.Respond(asker, flood, nil)
			}
			if len(nettest.Answers(s.Respond(asker, flood, nil))) > 0 {
				t.Errorf("%x is not limited", flood)
			}
			if len(nettest.Answers(s.Respond(asker, wireOf(t, q), nil))) == 0 {
				t.Errorf("a flood of %x silences a verified client", flood)
			}
		}
	})
}

func TestServerKeepsItsStateIfTheNewOneCannotBeSent(t *testing.T) {
	s := newServer(t, gamespy2net.ChallengeOff, 2)
	bad := sampleState(2)
	bad.Players.Rows[1][0] = ""
	if err := s.Set(bad); err == nil {
		t.Fatal("an empty player name was accepted")
	}
	m := joined(t, nettest.Answers(s.Respond(asker, wireOf(t, fullQuery(gamespy2.FlagSplit)), nil)))
	if len(m.Players.Rows) != 2 {
		t.Errorf("got %v", m.Players.Rows)
	}
}

// Set refuses states whose players qstat would drop.
func TestServerRefusesTooManyPlayers(t *testing.T) {
	for _, tt := range []struct {
		numPlayers string
		players    int
		refused    bool
	}{
		{"0", 2, true}, {"1", 2, true}, {"", 2, true}, {"two", 2, true}, {"-1", 0, true},
		{"2", 2, false}, {"64", 2, false}, {"0", 0, false}, {"", 0, false},
	} {
		state := sampleState(tt.players)
		state.Info[6].Value = tt.numPlayers
		err := new(gamespy2net.Server).Set(state)
		if got := errors.Is(err, lobbywire.ErrInvalid) &&
			strings.Contains(err.Error(), "numplayers"); got != tt.refused {
			t.Errorf("numplayers %q with %d players: %v", tt.numPlayers, tt.players, err)
		}
	}
	state := sampleState(2)
	state.Players.Columns = slices.Clone(state.Players.Columns)
	state.Players.Columns[0], state.Players.Columns[1] = state.Players.Columns[1], state.Players.Columns[0]
	if err := new(gamespy2net.Server).Set(state); !errors.Is(err, lobbywire.ErrInvalid) {
		t.Errorf("player_ as the second column: %v", err)
	}
	state = sampleState(2)
	state.Info = append(state.Info[:6:6], state.Info[7:]...)
	if err := new(gamespy2net.Server).Set(state); !errors.Is(err, lobbywire.ErrInvalid) {
		t.Errorf("without numplayers: %v", err)
	}
}

// A server may send packets that some clients do not read.
func TestServerTakesNoMoreThanItsCutAllows(t *testing.T) {
	state := sampleState(150)
	for _, row := range state.Players.Rows {
		row[0] += "with a long name"
	}
	for cut, accepted := range map[gamespy2.Cut]bool{
		gamespy2.CutForAll: false, gamespy2.CutColumns: true, gamespy2.CutAnywhere: true,
	} {
		state.Cut = cut
		s := &gamespy2net.Server{Challenge: gamespy2net.ChallengeOff}
		err := s.Set(state)
		if (err == nil) != accepted {
			t.Errorf("cut %d: %v", cut, err)
		}
		if accepted && len(joined(t,
			nettest.Answers(s.Respond(asker, wireOf(t, fullQuery(gamespy2.FlagSplit)), nil))).Players.Rows) != 150 {
			t.Errorf("cut %d: not all players", cut)
		}
	}
}

// Refresh is called for a query, whether it has a challenge or not, and for no other request.
func TestServerRefreshesForQueries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		s := new(gamespy2net.Server)
		s.Refresh = func() {
			calls++
			if err := s.Set(sampleState(calls)); err != nil {
				t.Error(err)
			}
		}
		s.Respond(asker, wireOf(t, gamespy2.Request{Type: gamespy2.TypeEcho}), nil)
		time.Sleep(time.Second)
		verified := fullQuery(gamespy2.FlagSplit)
		verified.HasChallenge, verified.Challenge = true, challengeFor(t, s, asker)
		if calls != 1 {
			t.Errorf("%d calls without a query, want one for the first datagram", calls)
		}
		for i, want := range []int{2, 2, 3, 3, 4} { // of queries every 60 ms
			m := fullQuery(gamespy2.FlagSplit)
			if i%2 == 0 {
				m = verified
			}
			answers, _ := s.Respond(asker, wireOf(t, m), nil)
			if got := len(joined(t, answers).Players.Rows); got != want {
				t.Errorf("query %d: %d players, want %d", i, got, want)
			}
			time.Sleep(60 * time.Millisecond)
		}
	})
}

// The first query of a client of Minecraft is answered with what Refresh sets.
func TestServerRefreshesForMinecraft(t *testing.T) {
	for _, client := range minecraftClients() {
		t.Run(client.name, func(t *testing.T) {
			s := &gamespy2net.Server{Challenge: gamespy2net.ChallengeRequired}
			s.Refresh = func() {
				if err := s.Set(minecraftState(3)); err != nil {
					t.Error(err)
				}
			}
			checkMinecraft(t, client, s, 3)
		})
	}
}
