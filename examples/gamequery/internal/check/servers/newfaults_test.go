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

// A changed server is one of ours whose requests and answers are changed.
type changedServer struct {
	name, found string
	server      func() ourServer
	suite       func() *check.Suite
	view        func(v *lobbywire.View)
	change      func(req []byte, answers [][]byte) [][]byte
}

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

// newFaults are those of what our servers have and the toys do not.
func newFaults() (all []checktest.Fault) {
	const countAt, lengthAt, chunkAt = 15, 9, 11
	isChallenge := func(req []byte) bool { return len(req) == 5 && req[0] == 0 }
	for _, s := range []changedServer{
		{name: "answers challenge responses", found: "sqp/1.15", server: ourSQP, suite: sqpSuite,
			change: answersTo(isChallenge, func(req []byte) []byte { return []byte{0, 9, 9, req[3], 9} })},
		{name: "answers challenge requests of 4 bytes", found: "sqp/3.3", server: ourSQP, suite: sqpSuite,
			change: answersTo(func(req []byte) bool { return len(req) == 4 && req[0] == 0 },
				func([]byte) []byte { return []byte{0, 9, 9, 9, 9} })},
		{name: "counts a player more in the table", found: "sqp/2.9", server: ourSQP, suite: sqpSuite,
			change: ofEach(asksChunks(4), func(b []byte) []byte { b[countAt+1]++; return b })},
		{name: "counts players in the other byte order", found: "sqp/2.9", server: ourSQP, suite: sqpSuite,
			change: ofEach(asksChunks(4), func(b []byte) []byte { slices.Reverse(b[countAt : countAt+2]); return b })},
		{name: "counts teams in the other byte order", found: "sqp/2.9", server: ourSQP, suite: sqpSuite,
			view: func(v *lobbywire.View) { v.Teams = details()[1].View.Teams },
			change: ofEach(asksChunks(8), func(b []byte) []byte {
				if len(b) > countAt+1 {
					slices.Reverse(b[countAt : countAt+2])
				}
				return b
			})},
		{name: "sends a chunk that was not requested", found: "sqp/2.10", server: ourSQP, suite: sqpSuite,
			change: ofEach(asksChunks(1), func(b []byte) []byte {
				b = append(b, 0, 0, 0, 1, 0)
				binary.BigEndian.PutUint16(b[lengthAt:], uint16(len(b)-chunkAt))
				return b
			})},
		{name: "splits the answer with all chunks", found: "sqp/4.1", server: ourSQP, suite: sqpSuite, view: crowd},
		{name: "answers echo requests with more", found: "gamespy2/1.15", server: ourGameSpy, suite: gameSpySuite,
			change: answersTo(func(req []byte) bool { return len(req) > 7 && req[2] == 2 },
				func([]byte) []byte { return make([]byte, 100) })},
		{name: "sends info for players", found: "gamespy2/2.2", server: ourGameSpy, suite: gameSpySuite,
			change: ofEach(func(req []byte) bool { return len(req) == 14 && req[11] == 0 && req[12] == 0xff },
				func(b []byte) []byte { return append(b[:5:5], "hostname\x00Duel\x00\x00"...) })},
		{name: "sends info for teams", found: "gamespy2/2.3", server: ourGameSpy, suite: gameSpySuite,
			change: ofEach(func(req []byte) bool { return len(req) == 14 && req[12] == 0 && req[13] == 0xff },
				func(b []byte) []byte { return append(b[:5:5], "hostname\x00Duel\x00\x00"...) })},
		{name: "does not end the last section", found: "gamespy2/2.9", server: ourGameSpy, suite: gameSpySuite,
			change: ofEach(asksSplit, func(b []byte) []byte { return bytes.TrimSuffix(b, []byte{0}) })},
		{name: "sends each packet twice", found: "gamespy2/2.10", server: ourGameSpy, suite: gameSpySuite,
			change: ofEachAnswer(asksSplit, twice)},
		{name: "answers queries without their last byte", found: "gamespy2/3.2", server: ourGameSpy, suite: gameSpySuite,
			change: answersTo(func(req []byte) bool { return len(req) == 6 && req[2] == 9 },
				func([]byte) []byte { return []byte("\x09\x01\x02\x03\x00123456\x00") })},
		{name: "has packets of 1500 bytes", found: "gamespy2/4.2", server: ourGameSpy, suite: gameSpySuite, view: crowd,
			change: ofSeveral(asksSplit, largePackets)},
		{name: "has challenges as four bytes", found: "gamespy2/1.1", server: ourGameSpy, suite: gameSpySuite,
			change: ofEach(isChallengeRequest, rawChallenge)},
		{name: "has packets of 3000 bytes", found: "gameagent/4.1", server: ourGameAgent, suite: gameAgentSuite, view: crowd,
			change: ofSeveral(startsWith(3), func(answers [][]byte) [][]byte { return [][]byte{slices.Concat(answers...)} })},
		{name: "does not end the status", found: "gameagent/1.7", server: ourGameAgent, suite: gameAgentSuite,
			change: ofEach(isLegacy("status"), replacedIn(`\final\`, `\x\`))},
		{name: "does not end the info", found: "gameagent/2.1", server: ourGameAgent, suite: gameAgentSuite,
			change: ofEach(isLegacy("info"), replacedIn(`\final\`, `\x\`))},
		{name: "does not end the basic answer", found: "gameagent/2.2", server: ourGameAgent, suite: gameAgentSuite,
			change: ofEach(isLegacy("basic"), replacedIn(`\final\`, `\x\`))},
		{name: "does not end the legacy players", found: "gameagent/2.3", server: ourGameAgent, suite: gameAgentSuite,
			change: ofEach(isLegacy("players"), replacedIn(`\final\`, `\x\`))},
		{name: "answers legacy answers", found: "gameagent/1.8", server: ourGameAgent, suite: gameAgentSuite,
			change: answersTo(isLegacy("final"), func([]byte) []byte { return []byte(`\final\`) })},
		{name: "has one queryid", found: "gameagent/2.9", server: ourGameAgent, suite: gameAgentSuite, view: crowd,
			change: ofEach(isLegacy("status"), hasOneQueryID)},
		{name: "counts legacy packets from 0", found: "gameagent/2.10", server: ourGameAgent, suite: gameAgentSuite,
			change: ofEach(isLegacy("status"), replacedIn(".1", ".0"))},
		{name: "sends each legacy packet twice", found: "gameagent/2.11", server: ourGameAgent, suite: gameAgentSuite,
			change: ofEachAnswer(isLegacy("status"), twice)},
		{name: "answers mutated queries", found: "gameagent/3.3", server: ourGameAgent, suite: gameAgentSuite,
			change: answersTo(func(req []byte) bool { return len(req) > 3 && bytes.HasSuffix(req, []byte(";x")) && req[0] > 4 },
				func([]byte) []byte { return []byte{4, '0'} })},
	} {
		all = append(all, checktest.Fault{Name: s.name, Case: s.found, Run: func(t *testing.T) check.Report {
			return checkOurs(t, s.server(), s.suite(), check.Options{}, s.view, s.change)
		}})
	}
	all = append(all, toyFault("sqp/3.9", "reads one byte of the version", sqpSuite, answers(
		func(right toy, from netip.AddrPort, req []byte) []byte {
			if len(req) != 8 {
				return right.respond(from, req)
			}
			asked := bytes.Clone(req)
			asked[5] = 0
			answer := right.respond(from, asked)
			if answer != nil {
				answer[5] = req[5]
			}
			return answer
		})(toySQP())))
	all = append(all, toyFault("gamespy2/3.3", "does not read the start of queries", gameSpySuite, requests(
		func(req []byte) []byte {
			if len(req) == 14 {
				req[0], req[1] = 0xfe, 0xfd
			}
			return req
		})(toyGameSpy())))
	all = append(all, toyFault("sqp/3.8", "answers long requests", sqpSuite, requests(func(req []byte) []byte {
		if len(req) > 9 {
			return req[:8]
		}
		return req
	})(toySQP())))
	all = append(all, toyFault("gameagent/5.1", "answers one host", gameAgentSuite, answers(
		func(right toy, from netip.AddrPort, req []byte) []byte {
			if from.Addr() == netip.MustParseAddr("198.51.100.8") {
				return nil
			}
			return right.respond(from, req)
		})(toyGameAgent())))
	all = append(all, toyFault("gamespy2/4.1", "has short challenges", gameSpySuite, shortChallenges(toyGameSpy())))
	return all
}

func toyFault(found, name string, suite func() *check.Suite, t toy) checktest.Fault {
	return checktest.Fault{Name: name, Case: found, Run: func(*testing.T) check.Report { return t.check(suite()) }}
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

// shortChallenges gives out the right numbers modulo 100000.
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

// expectFaults are those of a server in another state than expected.
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
		all = append(all, checktest.Fault{Name: tt.name, Case: tt.found, Run: func(t *testing.T) check.Report {
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

// minecraftFaults are those of servers of Minecraft.
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
		all = append(all, checktest.Fault{Name: tt.name, Case: tt.found, Run: func(t *testing.T) check.Report {
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
			return gameSpySuite().Run(t.Context(), peer, check.Options{})
		}})
	}
	return all
}

// Our servers and Minecraft's pass with all that they may show, if it is expected.
func TestExpectedStatesPass(t *testing.T) {
	for name, s := range map[string]struct {
		server ourServer
		suite  *check.Suite
	}{"sqp": {ourSQP(), sqpSuite()}, "gamespy2": {ourGameSpy(), gameSpySuite()}, "gameagent": {ourGameAgent(), gameAgentSuite()}} {
		v := fuzzharness.SQPEdges().States()[0].View
		if name == "sqp" {
			v.Rules = []lobbywire.Rule{{Key: "limit", Value: "20"}}
		}
		s.server.SetView(v)
		r := s.suite.Run(t.Context(), &Responder{Respond: answersOf(s.server.Respond)}, check.Options{Expect: &v, Match: []string{"*/6.0"}})
		checktest.Passes(t, r)
	}
}
