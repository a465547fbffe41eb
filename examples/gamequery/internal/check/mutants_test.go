package check

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/sqp"
)

// A toy is a server of package fuzzharness, or a mutant of one.
type toy struct {
	respond func(from netip.AddrPort, req []byte) []byte
	set     func(v lobbywire.View)
}

// check runs the cases against a toy.
func (t toy) check(suite *Suite) Report {
	peer := responder{func(from netip.AddrPort, req []byte, dst [][]byte) [][]byte {
		if answer := t.respond(from, req); answer != nil {
			dst = append(dst, answer)
		}
		return dst
	}}
	t.set(suite.edges.States()[0].View)
	return suite.Run(context.Background(), peer, Options{Robust: true, Set: func(v lobbywire.View) error {
		t.set(v)
		return nil
	}})
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

// carrying changes the texts of states to those that a toy can carry.
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

// A talker is a server of package fuzzharness for connections.
type talker struct {
	converse func(from string, r io.Reader, w io.Writer) error
	change   func(sent, answers []byte) []byte // nil changes nothing
}

// Ask fails: these servers have no datagrams.
func (talker) Ask(int, []byte, Whole, bool) ([][]byte, error) {
	return nil, errors.New("not over TCP")
}

// Dial calls the server. If its answers are changed, they come when the client has closed its
// side.
func (t talker) Dial(source int) (*Line, error) {
	requests, sends := net.Pipe()
	answers, hears := net.Pipe()
	go func() {
		defer requests.Close()
		defer answers.Close()
		from := addresses[source].Addr().String()
		if t.change == nil {
			_ = t.converse(from, requests, answers) // its error does not matter, here and below
			return
		}
		var sent, right bytes.Buffer
		_ = t.converse(from, io.TeeReader(requests, &sent), &right)
		_, _ = io.Copy(&sent, requests)
		_, _ = answers.Write(t.change(sent.Bytes(), right.Bytes()))
	}()
	return newLine(wire{hears, sends}, time.Second), nil
}

// Pause waits until the server has seen what was sent.
func (talker) Pause(int) { synctest.Wait() }

// A wire has a pipe for each direction.
type wire struct {
	net.Conn
	sends net.Conn
}

func (w wire) Write(b []byte) (int, error)        { return w.sends.Write(b) }
func (w wire) CloseWrite() error                  { return w.sends.Close() }
func (w wire) SetWriteDeadline(t time.Time) error { return w.sends.SetWriteDeadline(t) }
func (w wire) Close() error                       { return errors.Join(w.sends.Close(), w.Conn.Close()) }

func toyBomberman() talker {
	s := new(fuzzharness.BombermanServer)
	return talker{converse: func(_ string, r io.Reader, w io.Writer) error { return s.Converse(r, w) }}
}

func toyWarzone() talker { return talker{converse: new(fuzzharness.WarzoneLobby).Converse} }

// The right toys pass all cases.
func TestToysPass(t *testing.T) { synctest.Test(t, toysPass) }

func toysPass(t *testing.T) {
	for _, r := range []Report{
		toySQP().check(sqpSuite()), toyGameSpy().check(gameSpy2Suite()), toyGameAgent().check(gameAgentSuite()),
		bombermanSuite().Run(t.Context(), toyBomberman(), Options{Robust: true}),
		warzoneSuite().Run(t.Context(), toyWarzone(), Options{Robust: true}),
	} {
		for _, f := range r.Findings {
			if f.Result == Fail {
				t.Errorf("%s %s: %s", f.ID, f.Sentence, f.Why)
			}
			if f.Result == Skipped {
				t.Logf("%s %s: %s", f.ID, f.Sentence, f.Why)
			}
		}
	}
}

// forOneQuery takes a token for one query, and only the last that it has given out.
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

// A server of gamespy2 that takes a challenge for one query passes all cases.
func TestChallengesForOneQuery(t *testing.T) {
	for _, f := range forOneQuery(isChallengeRequest)(toyGameSpy()).check(gameSpy2Suite()).Findings {
		if f.Result == Fail {
			t.Errorf("%s %s: %s", f.ID, f.Sentence, f.Why)
		}
	}
}
