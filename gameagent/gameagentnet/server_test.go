package gameagentnet_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/internal/test/golden"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

var asker = netip.MustParseAddrPort("192.0.2.1:5000")

// Requests.
var (
	askStatus  = []byte{2}
	askPlayers = []byte{3}
	askPing    = []byte{4}
)

func duel() gameagentnet.State {
	return gameagentnet.State{
		SessionName: "Duel; no camping",
		GameName:    "serioussamse",
		Version:     "1.10",
		Level:       "Yodeller",
		GameType:    "Fragmatch",
		MaxPlayers:  16,
		Players: []gameagent.Player{
			{Index: 0, Name: "Ada", Frags: new(int32(14)), Ping: new(80)},
			{Index: 3, Name: `J\xfcrgen`, Frags: new(int32(-2)), Ping: new(2500)},
		},
	}
}

// crowd returns a state with n players, whose names have size bytes.
func crowd(n, size int) gameagentnet.State {
	state := duel()
	state.Players = nil
	for i := range n {
		name := fmt.Sprintf("%03d", i) + strings.Repeat("x", size-3)
		state.Players = append(state.Players, gameagent.Player{Index: i, Name: name, Frags: new(int32(i)), Ping: new(50)})
	}
	return state
}

// newServer returns a server with a state.
func newServer(t testing.TB, state gameagentnet.State) *gameagentnet.Server {
	t.Helper()
	s := new(gameagentnet.Server)
	if err := s.Set(state); err != nil {
		t.Fatal(err)
	}
	return s
}

// one returns the only datagram of an answer.
func one(t testing.TB, packets [][]byte) []byte {
	t.Helper()
	if len(packets) != 1 {
		t.Fatalf("%d datagrams", len(packets))
	}
	return packets[0]
}

var strict = gameagent.Options{Strict: true}

func TestServerAnswersNatively(t *testing.T) {
	s := newServer(t, duel())
	status, err := strict.ParseStatus(one(t, nettest.Answers(s.Respond(asker, askStatus, nil))))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(gameagent.Status{
		Players: new(2), MaxPlayers: new(16), Level: "Yodeller", GameType: "Fragmatch",
		Version: "1.10", GameName: "serioussamse", SessionName: "Duel; no camping",
	}, status); diff != "" {
		t.Errorf("status (-want +got):\n%s", diff)
	}
	players, err := strict.ParsePlayers(one(t, nettest.Answers(s.Respond(asker, askPlayers, nil))))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(gameagent.Players{Count: 2, Players: []gameagent.Player{
		{Index: 0, Name: "^oAda^r", Frags: new(int32(14)), Ping: new(80)},
		{Index: 3, Name: `^oJ\xfcrgen^r`, Frags: new(int32(-2)), Ping: new(2500)},
	}}, players); diff != "" {
		t.Errorf("players (-want +got):\n%s", diff)
	}
	if got := one(t, nettest.Answers(s.Respond(asker, askPing, nil))); string(got) != "\x042" {
		t.Errorf("ping: %q", got)
	}
	if got := one(t, nettest.Answers(s.Respond(asker, []byte("\x02anything"), nil))); got[0] != '0' {
		t.Errorf("longer request: %q", got)
	}
}

// BareNames leaves out the format codes and keeps the placeholders.
func TestServerSendsBareNames(t *testing.T) {
	state := duel()
	state.BareNames = true
	state.Players = append(state.Players, gameagent.Player{Index: 9, Name: "two\nlines"})
	s := newServer(t, state)
	m, err := strict.ParsePlayers(one(t, nettest.Answers(s.Respond(asker, askPlayers, nil))))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"Ada", `J\xfcrgen`, gameagent.InvalidNewline} {
		if m.Players[i].Name != want {
			t.Errorf("name %q, want %q", m.Players[i].Name, want)
		}
	}
}

// Answers that do not fit one datagram are split between players.
func TestServerSplitsAnswers(t *testing.T) {
	s := newServer(t, crowd(100, 20))
	packets, _ := s.Respond(asker, askPlayers, nil)
	var a gameagent.Assembler
	done := false
	for _, p := range packets {
		var err error
		done, err = a.Add(p)
		if err != nil || len(p) > gameagent.MaxPacket {
			t.Fatalf("%d bytes: %v", len(p), err)
		}
	}
	m, err := a.Players()
	if err != nil || !done || len(packets) < 2 || len(m.Players) != 100 || m.Count != 100 {
		t.Errorf("%d packets, %d players of %d, %v", len(packets), len(m.Players), m.Count, err)
	}
}

// Every name that a player can have can be sent.
func TestServerSendsAnyName(t *testing.T) {
	for name, want := range map[string]string{
		"Ada":             "^oAda^r",
		"":                "^o^r",
		`a\status\`:       `^oa\status\^r`,
		"two\nlines":      "\x11",
		"end\x04":         "\x12",
		"zero\x00":        "\x12",
		"J\xfcrgen;":      "^oJ\xfcrgen;^r",
		"\x01players\x02": "\x12",
	} {
		state := duel()
		state.Players = []gameagent.Player{{Index: 7, Name: name}}
		s := newServer(t, state)
		native, err := strict.ParsePlayers(one(t, nettest.Answers(s.Respond(asker, askPlayers, nil))))
		if err != nil || native.Players[0].Name != want {
			t.Errorf("%q: %+v, %v", name, native, err)
		}
		if state.Players[0].Name != name {
			t.Errorf("%q was changed in the caller's state", name)
		}
	}
}

func TestServerKeepsItsStateIfTheNewOneCannotBeSent(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*gameagentnet.State)
		kind   error
		field  string
	}{
		{"semicolon", func(s *gameagentnet.State) { s.Level = "a;b" }, lobbywire.ErrInvalid, "level"},
		{"too long for the heartbeat",
			func(s *gameagentnet.State) { s.Level = strings.Repeat("x", 1024) }, lobbywire.ErrTooLarge, "level"},
		{"too long for the status", func(s *gameagentnet.State) {
			s.SessionName = strings.Repeat("x", gameagent.MaxPacket)
		}, lobbywire.ErrTooLarge, "sessionName"},
		{"too long for the heartbeat together", func(s *gameagentnet.State) {
			s.Level, s.GameType = strings.Repeat("x", 500), strings.Repeat("x", 501)
		}, lobbywire.ErrTooLarge, "gameType"},
		{"negative", func(s *gameagentnet.State) { s.MaxPlayers = -1 }, lobbywire.ErrInvalid, "maxPlayers"},
		{"one slot twice",
			func(s *gameagentnet.State) { s.Players[1].Index = 0 }, lobbywire.ErrInvalid, "players[1].index"},
		{"too many for 8 datagrams",
			func(s *gameagentnet.State) { s.Players = crowd(256, 100).Players }, lobbywire.ErrTooLarge, "players"},
	} {
		s := newServer(t, duel())
		state := duel()
		tt.change(&state)
		err := s.Set(state)
		var e *lobbywire.Error
		if !errors.Is(err, tt.kind) || !errors.As(err, &e) || e.Field != tt.field {
			t.Errorf("%s: %v", tt.name, err)
		}
		if m, err := gameagent.ParseStatus(one(t, nettest.Answers(s.Respond(asker, askStatus, nil)))); err != nil ||
			m.SessionName != duel().SessionName {
			t.Errorf("%s: now %+v, %v", tt.name, m, err)
		}
	}
}

func TestServerAnswersBeforeSet(t *testing.T) {
	s := new(gameagentnet.Server)
	for _, req := range []string{"\x02", "\x03", "\x04"} {
		_, err := gameagent.ParseFromServer(one(t, nettest.Answers(s.Respond(asker, []byte(req), nil))))
		if err != nil {
			t.Errorf("%q: %v", req, err)
		}
	}
}

// corpus returns the vectors of both codecs, by the package and the message they hold.
func corpus(t testing.TB) map[string][][]byte {
	t.Helper()
	all := map[string][][]byte{}
	for name, dir := range map[string]string{"gameagent": "..", "gamespy1": "../gamespy1"} {
		files, err := golden.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			message := name + "." + f.Message()
			all[message] = append(all[message], f.Data)
		}
	}
	return all
}

// Only requests are answered: neither answers, which may contain requests, nor
// messages that only a master sends or receives.
func TestServerAnswersRequestsOnly(t *testing.T) {
	s := newServer(t, duel())
	s.Limits.PerSource, s.Limits.Global = 1<<30, 1<<30
	requests := map[string]bool{"gameagent.StatusRequest": true, "gameagent.PlayersRequest": true,
		"gameagent.PingRequest": true}
	for message, all := range corpus(t) {
		for _, b := range all {
			if string(b) == "\x04" {
				continue // in another direction, a request
			}
			isRequest := requests[message] && gameagent.IsToServer(b)
			if got, _ := s.Respond(asker, b, nil); isRequest != (len(got) > 0) {
				t.Errorf("%s %q: %d datagrams", message, b, len(got))
			}
		}
	}
	for _, b := range []string{
		"", "\x00", "\x01", "\x05", "q", "u", "e", "\x04123", "\x01abcd", `\status`, "status", `status\`,
		"0;players;1;level;\\status\\", "player_1\x02\\status\\\x03\x04", `\status\`, `\mapname\status\final\`,
		"\x02" + strings.Repeat("x", 64),
	} {
		if got, _ := s.Respond(asker, []byte(b), nil); len(got) > 0 {
			t.Errorf("%q is answered with %q", b, got)
		}
	}
	// It does not react to its own messages.
	state := crowd(100, 20)
	state.SessionName, state.Level = "status", "players"
	state.Players[40].Name = `\status\`
	if err := s.Set(state); err != nil {
		t.Fatal(err)
	}
	for _, req := range []string{"\x02", "\x03", "\x04"} {
		for _, b := range nettest.Answers(s.Respond(asker, []byte(req), nil)) {
			if got, _ := s.Respond(asker, b, nil); len(got) > 0 {
				t.Errorf("its own %.80q is answered", b)
			}
		}
	}
}

func TestServerTakesAnyBytes(t *testing.T) {
	s := newServer(t, duel())
	s.Limits.PerSource, s.Limits.Global = 1<<30, 1<<30
	r := rand.New(rand.NewPCG(1, 2))
	words := []string{`\`, "status", "info", "final", "0;", "players", "\x01", "\x02", "\x03", "\x04", "\x00",
		"player_", "7"}
	var dst [][]byte
	for range 30_000 {
		b := make([]byte, 1+r.IntN(64))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		for range r.IntN(4) {
			copy(b[r.IntN(len(b)):], words[r.IntN(len(words))])
		}
		dst, _ = s.Respond(asker, b, dst[:0])
		if len(dst) > 0 && (b[0] < 2 || b[0] > 4) {
			t.Fatalf("%q is answered", b)
		}
	}
}

// The bytes per second that one source gets are limited, whatever it requests and
// however large the answers; so are the bytes of all.
func TestServerLimitsBytesToOneSourceAndAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, crowd(180, 30))
		sizes := map[string]int{}
		flood := func(sources int) (total int) {
			var dst [][]byte
			for i := range sources {
				from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(i >> 8), byte(i), 1}), 5000)
				for range 5 {
					for _, req := range []string{"\x03", "\x02", "\x04"} {
						dst, _ = s.Respond(from, []byte(req), dst[:0])
						for _, b := range dst {
							total += len(b)
							sizes[req] = max(sizes[req], len(dst))
						}
					}
				}
			}
			return total
		}
		const burst, second = 32 * 512, 32 * 512
		if got := flood(1); got > burst || got < burst/2 {
			t.Errorf("one source is sent %d bytes at once, want up to %d", got, burst)
		}
		if sizes["\x03"] < 2 {
			t.Errorf("players are %d datagrams, want several", sizes["\x03"])
		}
		got := 0
		for range 10 {
			time.Sleep(100 * time.Millisecond)
			got += flood(1)
		}
		if got > second || got == 0 {
			t.Errorf("one source is sent %d bytes in a second, want up to %d", got, second)
		}
		time.Sleep(time.Minute)
		const all = 10_000 * 512
		if got := flood(1000); got > all || got < all/2 {
			t.Errorf("all sources are sent %d bytes at once, want up to %d", got, all)
		}
	})
}

// Queries and the heartbeats of a Registration have the state that Refresh sets.
func TestServerRefreshes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		s := new(gameagentnet.Server)
		s.Refresh = func() {
			calls++
			if err := s.Set(crowd(calls, 3)); err != nil {
				t.Error(err)
			}
		}
		for range 2 {
			s.Respond(asker, []byte("junk"), nil)
			time.Sleep(time.Second)
		}
		if calls != 1 {
			t.Errorf("%d calls without a query, want one for the first datagram", calls)
		}
		for i, want := range []int{2, 2, 3, 3, 4} { // of queries every 60 ms
			answers, _ := s.Respond(asker, askStatus, nil)
			m, err := gameagent.ParseStatus(one(t, answers))
			if err != nil {
				t.Fatal(err)
			}
			if got := *m.Players; got != want {
				t.Errorf("query %d: %d players, want %d", i, got, want)
			}
			time.Sleep(60 * time.Millisecond)
		}
		time.Sleep(time.Second)
		r := &gameagentnet.Registration{Server: s, Addr: masterHost.String()}
		r.Tick(time.Now(), nil)
		time.Sleep(time.Second)
		answers, _ := s.Respond(masterHost, []byte{1, 1, 2, 3, 4}, nil)
		if b := one(t, answers); calls != 6 || !bytes.Contains(b, []byte(";players;6;")) {
			t.Errorf("after %d calls, the heartbeat is %q", calls, b)
		}
	})
}
