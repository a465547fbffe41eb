package servers

import (
	"context"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check/checktest"
	"github.com/lobbywire/lobbywire/sqp"
)

// A toy is a server of package fuzzharness, or a mutant of one.
type toy struct {
	respond func(from netip.AddrPort, req []byte) []byte
	set     func(v lobbywire.View)
}

// check runs the cases against a toy.
func (t toy) check(suite *check.Suite, ids ...string) check.Report {
	peer := &Responder{Respond: func(from netip.AddrPort, req []byte, dst [][]byte) [][]byte {
		if answer := t.respond(from, req); answer != nil {
			dst = append(dst, answer)
		}
		return dst
	}}
	t.set(fuzzharness.SQPEdges().States()[0].View)
	set := func(v lobbywire.View) error {
		t.set(v)
		return nil
	}
	return suite.Run(context.Background(), peer, check.Options{Robust: true, Match: ids, Set: set})
}

// counts returns the numbers of players as they are set. They may be wrong.
func counts(v lobbywire.View) (players, places int) {
	if v.Players != nil {
		players = *v.Players
	}
	if v.Max != nil {
		places = *v.Max
	}
	return players, places
}

// carrying changes the texts of states so that a toy can carry them.
func carrying(right toy, text func(text string) string) toy {
	return toy{right.respond, func(v lobbywire.View) {
		v.Name, v.Mode, v.Version, v.Map = text(v.Name), text(v.Mode), text(v.Version), text(v.Map)
		v.Roster = slices.Clone(v.Roster)
		for i, p := range v.Roster {
			v.Roster[i].Name = text(p.Name)
		}
		right.set(v)
	}}
}

// without removes characters from texts.
func without(isWrong func(c rune) bool) func(text string) string {
	return func(text string) string {
		return strings.Map(func(c rune) rune {
			if isWrong(c) {
				return -1
			}
			return c
		}, text)
	}
}

func toySQP() toy {
	return carrying(bareSQP(), func(text string) string {
		for len(text) > sqp.MaxText || !utf8.ValidString(text) {
			text = text[:len(text)-1]
		}
		return text
	})
}

// bareSQP does not shorten texts.
func bareSQP() toy {
	s := &fuzzharness.SQPServer{Key: []byte("secret")}
	return toy{s.Respond, func(v lobbywire.View) {
		players, places := counts(v)
		s.Set(fuzzharness.SQPGame{
			Name: v.Name, Type: v.Mode, Build: v.Version, Map: v.Map,
			Players: uint16(players), MaxPlayers: uint16(places), Port: v.Port,
		})
	}}
}

func toyGameSpy() toy { return carrying(bareGameSpy(), without(func(c rune) bool { return c == 0 })) }

// bareGameSpy does not replace zero bytes.
func bareGameSpy() toy {
	s := &fuzzharness.GameSpyServer{Key: []byte("secret")}
	return toy{s.Respond, func(v lobbywire.View) {
		players, places := counts(v)
		game := fuzzharness.GameSpyGame{Info: [][2]string{
			{"hostname", v.Name}, {"gametype", v.Mode}, {"gamever", v.Version}, {"mapname", v.Map},
			{"hostport", strconv.Itoa(int(v.Port))},
			{"numplayers", strconv.Itoa(players)}, {"maxplayers", strconv.Itoa(places)},
		}}
		if v.Password != nil {
			password := "0"
			if *v.Password {
				password = "1"
			}
			game.Info = append(game.Info, [2]string{"password", password})
		}
		for _, p := range v.Roster {
			game.Players = append(game.Players, p.Name)
		}
		s.Set(game)
	}}
}

func toyGameAgent() toy {
	return carrying(bareGameAgent(), without(func(c rune) bool { return c < ' ' || c == ';' }))
}

// bareGameAgent does not replace separators.
func bareGameAgent() toy {
	s := new(fuzzharness.GameAgentServer)
	return toy{s.Respond, func(v lobbywire.View) {
		_, places := counts(v)
		game := fuzzharness.GameAgentGame{
			SessionName: v.Name, Level: v.Map, GameType: v.Mode, Version: v.Version, MaxPlayers: places,
		}
		for _, p := range v.Roster {
			game.Players = append(game.Players, p.Name)
		}
		s.Set(game)
	}}
}

// forOneQuery accepts only the latest token, for one query.
func forOneQuery(asksToken func(req []byte) bool) func(toy) toy {
	open := map[netip.AddrPort]bool{}
	return answers(func(right toy, from netip.AddrPort, req []byte) []byte {
		asks := asksToken(req)
		if !asks && !open[from] {
			return nil
		}
		open[from] = asks
		return right.respond(from, req)
	})
}

// usedUp is a server whose tokens are valid for one query, answered or not, as in
// go-svrquery.
func usedUp(right toy) toy {
	known := map[netip.AddrPort]bool{}
	return toy{func(from netip.AddrPort, req []byte) []byte {
		isQuery := len(req) > 0 && req[0] == 1
		if isQuery && !known[from] {
			return nil
		}
		answer := right.respond(from, req)
		known[from] = !isQuery && (known[from] || answer != nil)
		return answer
	}, right.set}
}

// outstanding is a server that sends a client no second token before it has answered a
// query, as Unity's SDK in C# does.
func outstanding(right toy) toy {
	known := map[netip.AddrPort]bool{}
	return toy{func(from netip.AddrPort, req []byte) []byte {
		isChallenge := len(req) > 0 && req[0] == 0
		if isChallenge && known[from] {
			return nil
		}
		answer := right.respond(from, req)
		if answer != nil {
			known[from] = isChallenge
		}
		return answer
	}, right.set}
}

// The right toys pass all cases, whatever the lifetime of their tokens.
func TestToysPass(t *testing.T) {
	for name, r := range map[string]check.Report{
		"sqp": toySQP().check(sqpSuite()), "gamespy2": toyGameSpy().check(gameSpySuite()),
		"gameagent":                 toyGameAgent().check(gameAgentSuite()),
		"sqp, tokens for one query": usedUp(toySQP()).check(sqpSuite()),
		"sqp, one token at a time":  outstanding(toySQP()).check(sqpSuite()),
		"gamespy2, for one query":   forOneQuery(isChallengeRequest)(toyGameSpy()).check(gameSpySuite()),
	} {
		t.Run(name, func(t *testing.T) { checktest.Passes(t, r) })
	}
}
