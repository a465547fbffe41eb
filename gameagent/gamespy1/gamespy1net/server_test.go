package gamespy1net_test

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
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/internal/test/golden"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

var (
	asker    = netip.MustParseAddrPort("192.0.2.1:5000")
	stranger = netip.MustParseAddrPort("192.0.2.2:5000")
)

// queries are all queries.
var queries = []string{`\status\`, `\info\`, `\basic\`, `\players\`, `\rules\`}

func duel() gamespy1.Status {
	return gamespy1.Status{
		HostName: "Duel; no camping", GameName: "serioussamse", GameVersion: "1.10", MapName: "Yodeller",
		GameType: "Fragmatch", MaxPlayers: new(16), HostPort: 25600,
		Players: []gamespy1.Player{
			{Index: 0, Name: "Ada", Frags: new(int32(14)), Ping: new(80)},
			{Index: 3, Name: `J\xfcrgen`, Frags: new(int32(-2)), Ping: new(2500)},
		},
		Location: "EU", Difficulty: "Normal", WeaponsStay: new(true),
	}
}

// crowd returns a status with n players, whose names have size bytes.
func crowd(n, size int) gamespy1.Status {
	status := duel()
	status.Players = nil
	for i := range n {
		name := fmt.Sprintf("%03d", i) + strings.Repeat("x", size-3)
		status.Players = append(status.Players,
			gamespy1.Player{Index: i, Name: name, Frags: new(int32(i)), Ping: new(50)})
	}
	return status
}

// newServer returns a server with a status.
func newServer(t testing.TB, status gamespy1.Status) *gamespy1net.Server {
	t.Helper()
	s := new(gamespy1net.Server)
	if err := s.Set(status); err != nil {
		t.Fatal(err)
	}
	return s
}

// ask returns the answers to a request.
func ask(s *gamespy1net.Server, req string) [][]byte {
	return nettest.Answers(s.Respond(asker, []byte(req), nil))
}

func TestServerAnswers(t *testing.T) {
	s := newServer(t, duel())
	status, err := gamespy1.ParseStatus(one(t, ask(s, `\status\`)))
	if err != nil {
		t.Fatal(err)
	}
	want := duel()
	want.NumPlayers, want.GameMode, want.QueryID = new(2), "openplaying", "333.1"
	want.Players[1].Name = "J/xfcrgen"
	if diff := cmp.Diff(want, status); diff != "" {
		t.Errorf("status (-want +got):\n%s", diff)
	}
	for query, id := range map[string]string{
		`\status\`: "333.1", `\info\`: "8.1", `\basic\`: "1.1", `\players\`: "6.1",
		`\rules\`: "1.1", `\status\\final\`: "333.1",
		`xyz\players\\info\`: "8.1", "\\basic\\\x00\\status\\": "1.1",
	} {
		if got := one(t, ask(s, query)); !bytes.HasSuffix(got, []byte(`\final\\queryid\`+id)) {
			t.Errorf("%q: %q", query, got)
		}
	}
}

// The rules are what the other answers do not have.
func TestServerAnswersWithRules(t *testing.T) {
	status := duel()
	status.Extra = []gamespy1.Pair{{Key: "mutators", Value: "None"}}
	s := newServer(t, status)
	got, err := gamespy1.Options{Query: gamespy1.QueryRules}.ParseStatus(one(t, ask(s, `\rules\`)))
	if err != nil {
		t.Fatal(err)
	}
	want := gamespy1.Status{
		Query: gamespy1.QueryRules, Difficulty: "Normal", WeaponsStay: new(true), QueryID: "1.1", Extra: status.Extra,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
}

// Answers that do not fit one datagram are split between players.
func TestServerSplitsAnswers(t *testing.T) {
	s := newServer(t, crowd(100, 20))
	var a gamespy1.Assembler
	packets := ask(s, `\status\`)
	for _, p := range packets {
		if _, err := a.Add(p); err != nil || len(p) > gamespy1.MaxPacket {
			t.Fatalf("%d bytes: %v", len(p), err)
		}
	}
	if m, err := a.Status(); err != nil || len(packets) < 2 || len(m.Players) != 100 {
		t.Errorf("%d packets, %d players, %v", len(packets), len(m.Players), err)
	}
}

// Every name that a player can have can be sent.
func TestServerSendsAnyName(t *testing.T) {
	for name, want := range map[string]string{
		"Ada": "Ada", "": "", `a\status\`: "a/status/", "two\nlines": "\x11", "end\x04": "\x12", "zero\x00": "\x12",
		"J\xfcrgen;": "J\xfcrgen;", "\x01players\x02": "\x12",
	} {
		status := duel()
		status.Players = []gamespy1.Player{{Index: 7, Name: name}}
		s := newServer(t, status)
		got, err := gamespy1.Options{Query: gamespy1.QueryPlayers}.ParseStatus(one(t, ask(s, `\players\`)))
		if err != nil || got.Players[0].Name != want {
			t.Errorf("%q: %+v, %v", name, got, err)
		}
		if status.Players[0].Name != name {
			t.Errorf("%q was changed in the caller's status", name)
		}
	}
}

func TestServerKeepsItsStateIfTheNewOneCannotBeSent(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*gamespy1.Status)
		kind   error
		field  string
	}{
		{"backslash", func(s *gamespy1.Status) { s.HostName = `a\b` }, lobbywire.ErrInvalid, "hostName"},
		{"backslash in a rule", func(s *gamespy1.Status) { s.Location = `a\b` }, lobbywire.ErrInvalid, "location"},
		{"no query port", func(s *gamespy1.Status) { s.HostPort = 65535 }, lobbywire.ErrInvalid, "hostPort"},
		{"too long for the status", func(s *gamespy1.Status) {
			s.HostName = strings.Repeat("x", gamespy1.MaxPacket)
		}, lobbywire.ErrTooLarge, ""},
		{"negative", func(s *gamespy1.Status) { s.MaxPlayers = new(-1) }, lobbywire.ErrInvalid, "maxPlayers"},
		{"fewer than listed", func(s *gamespy1.Status) { s.NumPlayers = new(1) }, lobbywire.ErrInvalid, "numPlayers"},
		{"one slot twice",
			func(s *gamespy1.Status) { s.Players[1].Index = 0 }, lobbywire.ErrInvalid, "players[1].index"},
		{"too many for 8 datagrams",
			func(s *gamespy1.Status) { s.Players = crowd(256, 100).Players }, lobbywire.ErrTooLarge, "players"},
	} {
		s := newServer(t, duel())
		status := duel()
		tt.change(&status)
		err := s.Set(status)
		var e *lobbywire.Error
		if !errors.Is(err, tt.kind) || !errors.As(err, &e) || e.Field != tt.field || e.Proto != "gamespy1" {
			t.Errorf("%s: %v", tt.name, err)
		}
		if m, err := gamespy1.ParseStatus(one(t, ask(s, `\status\`))); err != nil || m.HostName != duel().HostName {
			t.Errorf("%s: now %+v, %v", tt.name, m, err)
		}
	}
}

func TestServerAnswersBeforeSet(t *testing.T) {
	s := new(gamespy1net.Server)
	for _, req := range queries {
		if _, err := gamespy1.ParseStatus(one(t, ask(s, req))); err != nil {
			t.Errorf("%q: %v", req, err)
		}
	}
}

// Only requests are answered: neither answers, which may contain requests, nor
// messages that only a master sends or receives.
func TestServerAnswersRequestsOnly(t *testing.T) {
	s := newServer(t, duel())
	s.Limits.PerSource, s.Limits.Global = 1<<30, 1<<30
	files, err := golden.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.Message() == "Greeting" {
			continue // in another direction, a request
		}
		_, err := gamespy1.ParseRequest(f.Data)
		isRequest := f.Message() == "Request" && err == nil
		if got := ask(s, string(f.Data)); isRequest != (len(got) > 0) {
			t.Errorf("%s %q: %d datagrams", f.Message(), f.Data, len(got))
		}
	}
	for _, text := range []string{
		"", "\x00", "\x01", "\x02", "q", `\status`, "status", `status\`, `\mapname\status\final\`,
		`\status\` + strings.Repeat("x", 64),
	} {
		if got := ask(s, text); len(got) > 0 {
			t.Errorf("%q is answered with %q", text, got)
		}
	}
	// It does not react to its own messages.
	status := crowd(100, 20)
	status.HostName, status.MapName, status.ActiveMod = "status", "players", "status"
	status.Players[40].Name = `\status\`
	if err := s.Set(status); err != nil {
		t.Fatal(err)
	}
	for _, req := range queries {
		for _, b := range ask(s, req) {
			if got := ask(s, string(b)); len(got) > 0 {
				t.Errorf("its own %.80q is answered", b)
			}
		}
	}
}

func TestServerTakesAnyBytes(t *testing.T) {
	s := newServer(t, duel())
	s.Limits.PerSource, s.Limits.Global = 1<<30, 1<<30
	r := rand.New(rand.NewPCG(1, 2))
	words := []string{`\`, "status", "info", "final", "players", "secure", "echo", "\x00", "player_", "7"}
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
		query := false
		for _, text := range queries {
			query = query || bytes.Contains(b, []byte(text))
		}
		if len(dst) > 0 && !query {
			t.Fatalf("%q is answered", b)
		}
	}
}

// The bytes per second that one source gets are limited, whatever it requests and
// however large the answers; so are the bytes of all.
func TestServerLimitsBytesToOneSourceAndAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, crowd(180, 30))
		flood := func(sources int) (total int) {
			var dst [][]byte
			for i := range sources {
				from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(i >> 8), byte(i), 1}), 5000)
				for range 5 {
					for _, req := range queries {
						dst, _ = s.Respond(from, []byte(req), dst[:0])
						for _, b := range dst {
							total += len(b)
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
		s := new(gamespy1net.Server)
		s.Refresh = func() {
			calls++
			status := crowd(calls, 3)
			status.GameName = fmt.Sprint("game", calls)
			if err := s.Set(status); err != nil {
				t.Error(err)
			}
		}
		for range 2 {
			ask(s, "junk")
			time.Sleep(time.Second)
		}
		if calls != 1 {
			t.Errorf("%d calls without a query, want one for the first datagram", calls)
		}
		for i, want := range []string{"2", "2", "3", "3", "4"} { // of queries every 60 ms
			if b := one(t, ask(s, `\info\`)); !bytes.Contains(b, []byte(`\numplayers\`+want+`\`)) {
				t.Errorf("query %d: %q, want %s players", i, b, want)
			}
			time.Sleep(60 * time.Millisecond)
		}
		time.Sleep(time.Second)
		r := &gamespy1net.Registration{Server: s, Addr: masterHost.String()}
		if b := r.Tick(time.Now(), nil); calls != 5 || !bytes.Contains(b, []byte("game5")) {
			t.Errorf("after %d calls, the heartbeat is %q", calls, b)
		}
	})
}
