package servers

import (
	"bytes"
	"encoding/binary"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check/checktest"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/test/scripted"
)

// crowd fills a server with players of long names.
func crowd(v *lobbywire.View) {
	const players = 90
	v.Roster = nil
	for range players {
		v.Roster = append(v.Roster, lobbywire.Player{Name: strings.Repeat("n", 20)})
	}
	v.Players, v.Max = new(players), new(200)
}

// answersTo adds an answer to some requests.
func answersTo(to func(req []byte) bool, answer func(req []byte) []byte) func(req []byte, answers [][]byte) [][]byte {
	return func(req []byte, answers [][]byte) [][]byte {
		if to(req) {
			return [][]byte{answer(req)}
		}
		return answers
	}
}

// twice repeats all packets.
func twice(answers [][]byte) [][]byte { return slices.Concat(answers, answers) }

func isLegacy(text string) func(req []byte) bool {
	return func(req []byte) bool { return bytes.Contains(req, []byte(`\`+text+`\`)) }
}

// ofEachAnswer changes the answers to some requests.
func ofEachAnswer(to func(req []byte) bool, change func(answers [][]byte) [][]byte,
) func(req []byte, answers [][]byte) [][]byte {
	return func(req []byte, answers [][]byte) [][]byte {
		if to(req) {
			return change(answers)
		}
		return answers
	}
}

// rawChallenge sends a challenge as four bytes and a zero byte, as Nukkit does.
func rawChallenge(b []byte) []byte {
	c, _ := gamespy2.ParseChallengeResponse(b)
	return append(binary.BigEndian.AppendUint32(b[:5:5], uint32(c.Number)), 0)
}

// shortChallenges sends the right numbers modulo 100000.
func shortChallenges(right toy) toy {
	long := map[uint32]uint32{}
	return answers(func(right toy, from netip.AddrPort, req []byte) []byte {
		if len(req) == 14 {
			req = bytes.Clone(req)
			binary.BigEndian.PutUint32(req[7:], long[binary.BigEndian.Uint32(req[7:])])
		}
		answer := right.respond(from, req)
		if c, err := gamespy2.ParseChallengeResponse(answer); err == nil && isChallengeRequest(req) {
			const five = 100000
			long[uint32(c.Number%five)] = uint32(c.Number)
			answer = check.MustBinary(gamespy2.ChallengeResponse{ID: c.ID, Number: c.Number % five})
		}
		return answer
	})(right)
}

// largePackets joins the packets of an answer into one of any size.
func largePackets(packets [][]byte) [][]byte {
	const flagAt, room = 14, 1500
	joined := gamespy2.Assembler{}
	for _, b := range packets {
		if _, err := joined.Add(b); err != nil {
			return packets
		}
	}
	last := packets[len(packets)-1]
	last = append(slices.Clip(last[:len(last)-1]), "x_t\x00\x00"...)
	for len(last) < room {
		last = append(last, "value\x00"...)
	}
	packets[len(packets)-1] = append(last, 0, 0)
	return packets
}

// expectFaults are faults of a server in another state than expected.
func expectFaults() (all []checktest.Fault) {
	for _, tt := range []struct {
		name   string
		expect lobbywire.View
		view   func(v *lobbywire.View)
		server func() ourServer
		suite  func() *check.Suite
		found  string
		change func(req []byte, answers [][]byte) [][]byte
	}{
		{name: "has another rule than expected", server: ourSQP, suite: sqpSuite, found: "sqp/6.0",
			expect: lobbywire.View{Name: "Duel", Rules: []lobbywire.Rule{{Key: "limit", Value: "20"}}},
			change: ofEach(asksChunks(2), replacedIn("20", "02"))},
		{name: "has no password, as SQP", server: ourSQP, suite: sqpSuite, found: "sqp/6.0",
			expect: lobbywire.View{Name: "Duel", Password: new(true)}},
		{name: "has players that cannot be read", server: ourSQP, suite: sqpSuite, found: "sqp/6.0",
			expect: lobbywire.View{Name: "Duel", Players: new(1), Roster: []lobbywire.Player{{Name: "Ann"}}},
			change: ofEach(asksChunks(4), func(b []byte) []byte { b[16]++; return b })},
		{name: "has other scores", server: ourGameSpy, suite: gameSpySuite, found: "gamespy2/6.0",
			expect: lobbywire.View{Name: "Duel", Players: new(1), Roster: []lobbywire.Player{{Name: "Ann", Score: new(5)}}},
			view:   func(v *lobbywire.View) { v.Roster = []lobbywire.Player{{Name: "Ann", Score: new(6)}} }},
		{name: "counts no bots", server: ourGameAgent, suite: gameAgentSuite, found: "gameagent/6.0",
			expect: lobbywire.View{Name: "Duel", Bots: new(3)}},
	} {
		all = append(all, checktest.Fault{Name: tt.name, Case: tt.found, Run: func(t *testing.T, _ ...string) check.Report {
			s := tt.server()
			shown := tt.expect
			if tt.view != nil {
				tt.view(&shown)
			}
			s.SetView(shown)
			peer := &Responder{Respond: func(from netip.AddrPort, req []byte, dst [][]byte) [][]byte {
				answers, _ := s.Respond(from, req, nil)
				if tt.change != nil {
					answers = tt.change(req, answers)
				}
				return append(dst, answers...)
			}}
			return tt.suite().Run(t.Context(), peer, check.Options{Expect: &tt.expect, Match: []string{"*/6.0"}})
		}})
	}
	return all
}

// minecraftFaults are faults of servers of Minecraft.
func minecraftFaults() (all []checktest.Fault) {
	for _, tt := range []struct {
		name, found string
		isFull      bool
		old, with   string
	}{
		{"spells a key", "gamespy2/7.1", true, "plugins\x00", "plugin\x00"},
		{"has no port in the basic stat", "gamespy2/7.2", false, "\xdd\x63127.0.0.1\x00", ""},
		{"has another name in the basic stat", "gamespy2/7.3", false, "Duel", "Dual"},
	} {
		all = append(all, checktest.Fault{Name: tt.name, Case: tt.found, Run: func(t *testing.T, ids ...string) check.Report {
			server := scripted.Minecraft(game(16))
			peer := &Responder{Respond: func(from netip.AddrPort, req []byte, dst [][]byte) [][]byte {
				for _, b := range server(from, string(req)) {
					const full = 15 // bytes of a query
					if len(req) == full && tt.isFull || len(req) < full && !tt.isFull {
						b = strings.ReplaceAll(b, tt.old, tt.with)
					}
					dst = append(dst, []byte(b))
				}
				return dst
			}}
			return gameSpySuite().Run(t.Context(), peer, check.Options{Match: ids})
		}})
	}
	return all
}

// Our servers and Minecraft's pass with every member that they can show, if it is
// expected.
func TestExpectedStatesPass(t *testing.T) {
	for name, s := range map[string]struct {
		server ourServer
		suite  *check.Suite
	}{"sqp": {ourSQP(), sqpSuite()}, "gamespy2": {ourGameSpy(), gameSpySuite()},
		"gameagent": {ourGameAgent(), gameAgentSuite()}} {
		v := fuzzharness.SQPEdges().States()[0].View
		if name == "sqp" {
			v.Rules = []lobbywire.Rule{{Key: "limit", Value: "20"}}
		}
		s.server.SetView(v)
		r := s.suite.Run(t.Context(), &Responder{Respond: answersOf(s.server.Respond)},
			check.Options{Expect: &v, Match: []string{"*/6.0"}})
		checktest.Passes(t, r)
	}
}
