package gameagentnet_test

import (
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// A server registers at a Master, and a Client finds it in the list and queries it,
// until the server is gone.
func TestServerMasterAndClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		pc, err := w.Network.Listen(masterHost)
		if err != nil {
			t.Fatal(err)
		}
		var m gamespy1net.Master
		served := make(chan struct{})
		go func() {
			m.Serve(pc)
			close(served)
		}()
		defer func() {
			m.Close()
			<-served
		}()
		_, _, leave := register(t, &w.Network)
		browse := func() (n int) {
			l, err := w.client.List(t.Context(), masterHost.String())
			if err != nil {
				t.Fatal(err)
			}
			targets, _ := l.Targets(t.Context())
			for target, r := range w.client.Scan(t.Context(), targets) {
				n++
				if r.Err != nil || r.Message.SessionName != duel().SessionName || target != gameHost {
					t.Errorf("%v: %+v", target, r)
				}
			}
			return n
		}
		synctest.Wait()
		if n := browse(); n != 1 {
			t.Errorf("%d servers at first", n)
		}
		time.Sleep(time.Hour)
		if n := browse(); n != 1 {
			t.Errorf("%d servers after an hour", n)
		}
		leave()
		time.Sleep(6 * time.Minute)
		if n := browse(); n != 0 {
			t.Errorf("%d servers after it left", n)
		}
	})
}

// both returns a server, and one of GameSpy's first protocol with the same state that answers
// what the former does not know.
func both(t testing.TB, state gameagentnet.State) (*gameagentnet.Server, *gamespy1net.Server) {
	t.Helper()
	status := gamespy1.Status{
		HostName: state.SessionName, GameName: state.GameName, GameVersion: state.Version, MapName: state.Level,
		GameType: state.GameType, NumPlayers: new(max(state.NumPlayers, len(state.Players))),
		MaxPlayers: &state.MaxPlayers,
	}
	for _, p := range state.Players {
		status.Players = append(status.Players, gamespy1.Player(p))
	}
	s, gamespy := newServer(t, state), new(gamespy1net.Server)
	if err := gamespy.Set(status); err != nil {
		t.Fatal(err)
	}
	s.Other = func(_ netip.Addr, from netip.AddrPort, req []byte, dst [][]byte) ([][]byte, bool) {
		return gamespy.Respond(from, req, dst)
	}
	return s, gamespy
}

// Two servers of one game answer both protocols at one port: each request in the protocol in
// which it starts, and no answer of either.
func TestServersShareAPort(t *testing.T) {
	s, gamespy := both(t, duel())
	s.Limits.PerSource, gamespy.Limits.PerSource = 1<<30, 1<<30
	s.Limits.Global, gamespy.Limits.Global = 1<<30, 1<<30
	for message, all := range corpus(t) {
		for _, b := range all {
			if string(b) == "\x04" || message == "gamespy1.Greeting" {
				continue // in another direction, a request
			}
			m, err := gamespy1.ParseToServer(b)
			_, isUnknown := m.(gamespy1.Unknown)
			var isRequest bool
			switch message {
			case "gameagent.StatusRequest", "gameagent.PlayersRequest", "gameagent.PingRequest", "gamespy1.Request":
				isRequest = gameagent.IsToServer(b) || err == nil && !isUnknown
			}
			got := nettest.Answers(s.Respond(asker, b, nil))
			if isRequest != (len(got) > 0) {
				t.Errorf("%s %q: %d datagrams", message, b, len(got))
			}
			for _, answer := range got {
				if again, _ := s.Respond(asker, answer, nil); len(again) > 0 {
					t.Errorf("%s: its own %.80q is answered with %q", message, answer, again)
				}
			}
		}
	}
	if got := one(t, nettest.Answers(s.Respond(asker, []byte("\x04\\status\\"), nil))); got[0] != '\x04' {
		t.Errorf("a query after a native request is answered with %q", got)
	}
	for _, answer := range []string{`0;players;1;level;\status\`, "player_1\x02\\status\\\x03\x04"} {
		if got, _ := s.Respond(asker, []byte(answer), nil); len(got) > 0 {
			t.Errorf("%q is answered with %q", answer, got)
		}
	}
}

// At a shared port, the limits of both servers bound what a source gets, whichever answers.
func TestServersAtAPortKeepTheirLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, gamespy := both(t, crowd(180, 30))
		flood := func(requests ...string) (total int) {
			for range 50 {
				for _, req := range requests {
					for _, b := range nettest.Answers(s.Respond(asker, []byte(req), nil)) {
						total += len(b)
					}
				}
			}
			return total
		}
		const limit = 32 * 512
		if got := flood(`\status\`, `\info\`); got > limit || got < limit/2 {
			t.Errorf("one source is sent %d bytes in the second protocol, want up to %d", got, limit)
		}
		if got := flood("\x03", "\x02", `\status\`, `\info\`); got > limit || got < limit/2 {
			t.Errorf("one source is sent %d bytes in the first protocol then, want up to %d", got, limit)
		}
		if st := gamespy.Stats(); st.Limited == 0 || s.Stats().Limited == 0 {
			t.Errorf("limited %d and %d", s.Stats().Limited, st.Limited)
		}
	})
}
