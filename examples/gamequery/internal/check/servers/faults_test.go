package servers

import (
	"bytes"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check/checktest"
	"github.com/lobbywire/lobbywire/examples/internal/oneport"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

// plenty is no limit.
func plenty() lobbywire.Rates { return lobbywire.Rates{PerSource: 1e6, PerPrefix: 1e6, Global: 1e6} }

// A server is one of ours.
type ourServer interface {
	SetView(v lobbywire.View) (changed []string)
	Respond(from netip.AddrPort, req []byte, dst [][]byte) (answers [][]byte, ok bool)
}

func ourSQP() ourServer { return &sqpnet.Server{Limits: plenty()} }

func ourGameSpy() ourServer {
	return &gamespy2net.Server{
		Challenge: gamespy2net.ChallengeRequired, Limits: gamespy2net.ServerLimits{Rates: plenty(), Unverified: plenty()},
	}
}

func ourGameAgent() ourServer { return oneport.New(plenty()) }

// checkOurs runs the cases against a server of ours whose states and answers are changed.
func checkOurs(t *testing.T, s ourServer, suite *check.Suite, o check.Options, view func(v *lobbywire.View),
	change func(req []byte, answers [][]byte) [][]byte,
) check.Report {
	set := func(v lobbywire.View) error {
		if view != nil {
			view(&v)
		}
		s.SetView(v)
		return nil
	}
	if o.Expect == nil {
		_ = set(fuzzharness.SQPEdges().States()[0].View) // never fails
		o.Set = set
	} else {
		_ = set(*o.Expect)
	}
	o.Robust = true
	return suite.Run(t.Context(), &Responder{Respond: func(from netip.AddrPort, req []byte, dst [][]byte) [][]byte {
		var answers [][]byte
		for _, b := range nettest.Answers(s.Respond(from, req, nil)) {
			answers = append(answers, bytes.Clone(b))
		}
		if change != nil {
			answers = change(req, answers)
		}
		return append(dst, answers...)
	}}, o)
}

// A kind is a type of server in which faults are planted.
type kind struct {
	suite func() *check.Suite
	toy   func() toy
	ours  func() ourServer
}

// kindOf returns the kind of the protocol of a case.
func kindOf(id string) kind {
	protocol, _, _ := strings.Cut(id, "/")
	return map[string]kind{
		"sqp": {sqpSuite, toySQP, ourSQP}, "gamespy2": {gameSpySuite, toyGameSpy, ourGameSpy},
		"gameagent": {gameAgentSuite, toyGameAgent, ourGameAgent},
	}[protocol]
}

// toyFaults are the faults that are planted in toys; answerFaults are planted in our
// servers.
func toyFaults() (all []checktest.Fault) {
	for _, p := range slices.Concat(plantedSQP(), plantedGameSpy(), plantedGameAgent()) {
		all = append(all, checktest.Fault{Name: p.name, Case: p.found, Run: func(_ *testing.T, ids ...string) check.Report {
			k := kindOf(p.found)
			return p.plant(k.toy()).check(k.suite(), ids...)
		}})
	}
	return all
}

func answerFaults() (all []checktest.Fault) {
	for _, p := range slices.Concat(
		plantedSQPAnswers(), plantedGameSpyAnswers(), plantedGameAgentAnswers(), plantedLegacy()) {
		all = append(all, checktest.Fault{Name: p.name, Case: p.found, Run: func(t *testing.T, ids ...string) check.Report {
			k := kindOf(p.found)
			o := check.Options{Match: ids}
			return checkOurs(t, k.ours(), k.suite(), o, p.view, p.change)
		}})
	}
	return all
}

// plantedLegacy are the faults of the legacy form of GameAgent.
func plantedLegacy() (all []plantedAnswer) {
	status, players := string(check.MustBinary(gameagent.StatusRequest{})),
		string(check.MustBinary(gameagent.PlayersRequest{}))
	for _, tt := range []struct{ name, query, old, with, found string }{
		{"has another name in the info", "info", "Duel", "Old", "gameagent/2.6"},
		{"has no name in the info", "info", `\hostname\`, `\host\`, "gameagent/2.6"},
		{"has a port that is a text", "", `\hostport\25601`, `\hostport\x`, "gameagent/2.7"},
		{"has the port 0", "", `\hostport\25601`, `\hostport\0`, "gameagent/2.7"},
		{"answers players with other keys", "players", `\player_0\`, `\hostname\Duel\player_0\`, "gameagent/2.8"},
		{"has another player in players", "players", "Player 0", "Old", "gameagent/2.8"},
		{"has two names", `\status\`, `\mapname\`, `\hostname\Old\mapname\`, "gameagent/2.9"},
		{"has an unknown key twice", `\status\`, `\mapname\`, `\x\1\x\2\mapname\`, "gameagent/2.9"},
		{"has no queryid", `\status\`, `\queryid\333.1`, "", "gameagent/2.9"},
		{"ends with a zero byte", `\status\`, `\queryid\333.1`, "\\queryid\\333.1\x00", "gameagent/2.9"},
		{"ends with a line feed", `\status\`, `\queryid\333.1`, "\\queryid\\333.1\n", "gameagent/2.9"},
		{"has another name in the legacy form", "\\", "Duel", "Old", "gameagent/2.4"},
		{"has another name in the native form", status, "Duel", "Old", "gameagent/2.4"},
		{"has another player in the native form", players, "Player 1", "Old", "gameagent/2.4"},
	} {
		all = append(all, plantedAnswer{tt.name, nil, ofEach(
			func(req []byte) bool { return bytes.Contains(req, []byte(tt.query)) }, replacedIn(tt.old, tt.with)), tt.found})
	}
	return all
}

// hasOneQueryID leaves the queryid out of all legacy packets but the last.
func hasOneQueryID(b []byte) []byte {
	if !bytes.Contains(b, []byte(`\final\`)) {
		b, _, _ = bytes.Cut(b, []byte(`\queryid\`))
	}
	return b
}

// nameFaults are faults of players and teams of SQP without names.
func nameFaults() (all []checktest.Fault) {
	for _, tt := range []struct {
		name  string
		plant func(v *lobbywire.View)
	}{
		{"has a player without a name", func(v *lobbywire.View) { v.Roster[1].Name = "" }},
		{"has players without names", func(v *lobbywire.View) { v.Roster[0].Name, v.Roster[1].Name = "", "" }},
		{"has a team without a name", func(v *lobbywire.View) { v.Teams[0].Name = "" }},
	} {
		run := func(t *testing.T, ids ...string) check.Report {
			server, v := ourSQP(), details()[1].View
			tt.plant(&v)
			server.SetView(v)
			return sqpSuite().Run(t.Context(), &Responder{Respond: answersOf(server.Respond)}, check.Options{Match: ids})
		}
		all = append(all, checktest.Fault{Name: tt.name, Case: "sqp/2.8", Run: run})
	}
	return all
}

// Each case finds a planted fault.
func TestEachCaseFindsItsFaults(t *testing.T) {
	t.Parallel()
	var cases []check.Case
	for _, protocol := range Protocols() {
		cases = append(cases, Suite(protocol).Cases...)
	}
	checktest.Faults(t, slices.Concat(toyFaults(), answerFaults(), nameFaults(), expectFaults(),
		minecraftFaults(), gameFaults()), cases)
}
