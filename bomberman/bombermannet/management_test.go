package bombermannet_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
)

// run tests a management server on a network in memory.
func run(t *testing.T, m *bombermannet.ManagementServer, f func(t *testing.T, dial func() *line)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		network := start(t, m)
		f(t, func() *line { return connect(t, network) })
	})
}

func TestGameServerComesAndGoes(t *testing.T) {
	m := bombermannet.ManagementServer{HideUntilStats: true}
	run(t, &m, func(t *testing.T, dial func() *line) {
		client, server := dial(), dial()
		client.expectList()

		server.send(register("Bömber 轰", 4000))
		server.expectList() // nothing is known of it yet
		server.send(update(1, 4, true, 2))
		server.expectList(listed("Bömber 轰", 4000, 1, 4, true, 2))
		client.expectList(listed("Bömber 轰", 4000, 1, 4, true, 2))

		server.send(update(7, 2, false, 1))
		server.expectList(listed("Bömber 轰", 4000, 7, 2, false, 1))
		client.expectList(listed("Bömber 轰", 4000, 7, 2, false, 1))

		server.send(unregister, unregister, update(1, 4, true, 1))
		server.expectList()
		server.send(register("B", 4000), update(0, 3, true, 1))
		server.expectList(listed("B", 4000, 0, 3, true, 1))

		server.Close()
		synctest.Wait()
		client.expectList()
		if s := m.Stats(); s.Listed != 0 || s.Open != 1 || s.Discarded != 1 {
			t.Errorf("got %+v", s)
		}
	})
}

func TestSecondRegistrationOverwrites(t *testing.T) {
	run(t, &bombermannet.ManagementServer{HideUntilStats: true}, func(t *testing.T, dial func() *line) {
		server := dial()
		server.send(register("A", 1), update(1, 4, true, 1), register("A", 1))
		server.expectList(listed("A", 1, 1, 4, true, 1)) // the same again changes nothing
		server.send(register("B", 2))
		server.expectList()
		server.send(update(2, 4, true, 1))
		server.expectList(listed("B", 2, 2, 4, true, 1))
		server.send(register("", 2), register("C", 51963))
		server.expectList(listed("B", 2, 2, 4, true, 1))
	})
}

// Two connections may register the same game server, which stays listed when one of
// them ends.
func TestSameAddressTwice(t *testing.T) {
	run(t, new(bombermannet.ManagementServer), func(t *testing.T, dial func() *line) {
		first, second := dial(), dial()
		for _, l := range []*line{first, second} {
			l.send(register("A", 1), update(1, 4, true, 1))
			l.list()
		}
		first.expectList(listed("A", 1, 1, 4, true, 1), listed("A", 1, 1, 4, true, 1))
		second.send(unregister)
		second.expectList(listed("A", 1, 1, 4, true, 1))
	})
}

// A game server is listed from its registration on, as the specification requires.
func TestListedFromRegistration(t *testing.T) {
	run(t, new(bombermannet.ManagementServer), func(t *testing.T, dial func() *line) {
		server := dial()
		server.send(register("A", 1))
		server.expectList(listed("A", 1, 0, 4, true, 1))
		server.send(update(4, 4, false, 2))
		server.expectList(listed("A", 1, 4, 4, false, 2))
		server.send(register("B", 1))
		server.expectList(listed("B", 1, 0, 4, true, 1))
	})
}

// Invalid and unexpected messages are discarded, and the connection continues.
func TestDiscarded(t *testing.T) {
	messages := []string{
		register("", 1), register("x", 0), register("x", 65536), register("x", 51963), register("x", -1),
		update(1, 1, true, 1), update(1, 5, true, 1), update(-1, 4, true, 1), update(1, 4, true, 0),
		update(1, 4, true, 3),
		`{"command":"msUpdateGameServerStats","content":{"players":{"current":1,"max":4},"isLobbyOpen":"true",` +
			`"gameplayMode":1}}`,
		`{"command":"msUpdateGameServerStats","content":{"players":{"current":1,"max":4},"gameplayMode":1}}`,
		`{"command":"msUpdateGameServerStats"}`,
		`{"command":"msRegisterGameServer","content":"x"}`,
		`{"command":"msrQueryGameServers","content":{"servers":[]}}`,
		`{"command":"MSQUERYGAMESERVERS"}`,
		`{"command":"gsRegisterPlayer","content":{"name":"x"}}`,
		`{"command":5}`, `{}`, `{"content":{}}`, `{"ServerList":[{"gameServerID":1,"numberOfPlayer":0}]}`,
		`{"command":"msQueryGameServers",}`, `{"command":"msQueryGameServers"`, `{"command":"msUnregisterGameServer"}}`,
		`{"command":"msUnregisterGameServer","command":"msUnregisterGameServer"}`,
		"{\"command\":\"msUnregisterGameServer\",\"x\":\"\xff\"}", `[1,2]`, `null`, `"x"`, "\x00\x00\x00",
	}
	for _, address := range []string{"", "192.0.2.256", "192.0.2", "1.2.3", "fd40::g", "[::1]", "fe80::1%eth0", "a..b",
		"a b"} {
		messages = append(messages, fmt.Sprintf(
			`{"command":"msRegisterGameServer","content":{"serverName":"x","serverAddress":%q,"serverPort":1}}`,
			address))
	}
	var m bombermannet.ManagementServer
	run(t, &m, func(t *testing.T, dial func() *line) {
		server, early := dial(), dial()
		server.send(register("A", 1), update(1, 4, true, 1))
		server.list()
		for i, message := range messages {
			server.send(message)
			server.expectList(listed("A", 1, 1, 4, true, 1))
			if got := m.Stats().Discarded; got != uint64(i+1) {
				t.Fatalf("%q was not discarded", message)
			}
		}
		early.send(update(1, 4, true, 1))
		early.expectList(listed("A", 1, 1, 4, true, 1))
	})
}

// Unnecessary messages have no effect.
func TestTolerated(t *testing.T) {
	var m bombermannet.ManagementServer
	run(t, &m, func(t *testing.T, dial func() *line) {
		server := dial()
		server.send(`{"command":"xxHeartbeat"}`, register("A", 1),
			`{"content":{"gameplayMode":1.0,"mood":"good","isLobbyOpen":true,"players":{"max":4,"current":"22"}},`+
				`"id":5,"command":"msUpdateGameServerStats"}`)
		server.expectList(listed("A", 1, 22, 4, true, 1))
		for _, content := range []string{`{}`, `null`, `""`, `[]`, `{"all":true}`} {
			server.send(`{"command":"msQueryGameServers","content":` + content + `}`)
			if got := server.answer(); len(got) != 1 {
				t.Errorf("content %s: got %v", content, got)
			}
		}
		server.send(`{"command":"msUnregisterGameServer","content":""}`)
		server.expectList()
		if got := m.Stats().Discarded; got != 0 {
			t.Errorf("%d discarded", got)
		}
	})
}

func TestSegments(t *testing.T) {
	run(t, new(bombermannet.ManagementServer), func(t *testing.T, dial func() *line) {
		all := frame(register("Bömber", 1)) + frame(update(1, 4, true, 1)) + frame(query) + frame(unregister) +
			frame(query)
		joined, split := dial(), dial()
		joined.raw(all)
		if got := joined.answer(); len(got) != 1 {
			t.Errorf("in one segment: got %v", got)
		}
		if got := joined.answer(); len(got) != 0 {
			t.Errorf("in one segment: got %v", got)
		}
		for _, b := range []byte(all) {
			split.raw(string(b))
			synctest.Wait()
		}
		if got := split.answer(); len(got) != 1 {
			t.Errorf("byte at a time: got %v", got)
		}
		if got := split.answer(); len(got) != 0 {
			t.Errorf("byte at a time: got %v", got)
		}
	})
}

// A connection without a complete message ends at a deadline, which trickling bytes do
// not extend. A registered game server may be silent.
func TestDeadlines(t *testing.T) {
	for _, tt := range []struct {
		name  string
		sent  string // at first
		more  string // every second
		after time.Duration
	}{
		{"silent from the start", "", "", 10 * time.Second},
		{"half a frame", frame(query)[:9], "", 10 * time.Second},
		{"half a frame of a game server",
			frame(register("A", 1)) + frame(update(1, 4, true, 1))[:9], "", 10 * time.Second},
		{"byte by byte", `60000{`, "x", 10 * time.Second},
		{"silent client", frame(`{"command":"xxHeartbeat"}`), "", 2 * time.Minute},
		{"line ends", "\n", "\n", 2 * time.Minute},
		{"game server that has left", frame(register("A", 1)) + frame(unregister), "", 2 * time.Minute},
		{"game server", frame(register("A", 1)), "", 0},
		{"game server that sends line ends", frame(register("A", 1)) + "\r\n", "\r\n", 0},
	} {
		var m bombermannet.ManagementServer
		run(t, &m, func(t *testing.T, dial func() *line) {
			server := dial()
			server.raw(tt.sent)
			begin := time.Now()
			ended := time.Duration(0)
			for time.Since(begin) < time.Hour && ended == 0 {
				time.Sleep(time.Second)
				synctest.Wait()
				if m.Stats().Open == 0 {
					ended = time.Since(begin)
				} else {
					server.raw(tt.more)
				}
			}
			if ended != tt.after {
				t.Errorf("%s: ended after %v, want %v", tt.name, ended, tt.after)
			}
			if got := m.Stats().TimedOut; got != 1 && tt.after > 0 {
				t.Errorf("%s: %d timed out", tt.name, got)
			}
		})
	}
}

func TestIdleRegistered(t *testing.T) {
	var m bombermannet.ManagementServer
	m.Limits.IdleRegistered = time.Hour
	run(t, &m, func(t *testing.T, dial func() *line) {
		server := dial()
		server.send(register("A", 1), update(1, 4, true, 1))
		time.Sleep(59 * time.Minute)
		server.send(`{"command":"xxHeartbeat"}`)
		time.Sleep(59 * time.Minute)
		synctest.Wait()
		if got := m.Stats().Listed; got != 1 {
			t.Errorf("%d listed after a heartbeat", got)
		}
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if got := m.Stats(); got.Listed != 0 || got.Open != 0 {
			t.Errorf("got %+v after an hour of silence", got)
		}
	})
}

func TestConnectionLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m bombermannet.ManagementServer
		network := start(t, &m)
		for i := range 300 {
			connectFrom(t, network, fmt.Sprintf("198.51.100.%d", 1+i%3))
			connectFrom(t, network, "203.0.113.1")
		}
		synctest.Wait()
		if s := m.Stats(); s.Open != 3*64+64 || s.Refused != 300-3*64+300-64 {
			t.Errorf("addresses at their limits: got %+v", s)
		}
		for i := range 100 {
			connectFrom(t, network, fmt.Sprintf("198.51.100.%d", 4+i%2))
		}
		connectFrom(t, network, "192.0.2.99").expectList()
		synctest.Wait()
		if s := m.Stats(); s.Open != 256+64+1 {
			t.Errorf("a prefix at its limit: got %+v", s)
		}
	})
}

// A peer that sends queries and reads no answers is not read from, and its connection
// then ends. Other peers do not notice.
func TestPeerThatNeverReads(t *testing.T) {
	var m bombermannet.ManagementServer
	run(t, &m, func(t *testing.T, dial func() *line) {
		for i := range 40 {
			server := dial()
			server.send(register(fmt.Sprint("A", i), 1), update(1, 4, true, 1))
			server.list()
		}
		greedy, patient := dial(), dial()
		begin := time.Now()
		go func() {
			for {
				if _, err := greedy.Write([]byte(frame(query))); err != nil {
					return
				}
			}
		}()
		for time.Since(begin) < 9*time.Second {
			time.Sleep(100 * time.Millisecond)
			if got := patient.list(); len(got) != 40 {
				t.Fatalf("got %d", len(got))
			}
		}
		open := m.Stats().Open
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if got := m.Stats().Open; got != open-1 {
			t.Errorf("%d open, %d before", got, open)
		}
	})
}

func TestShutdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m bombermannet.ManagementServer
		network := start(t, &m)
		server, client := connect(t, network), connect(t, network)
		server.send(register("A", 1), update(1, 4, true, 1))
		server.list()
		client.send(query)
		synctest.Wait()
		if err := m.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		if got := client.answer(); len(got) != 1 {
			t.Errorf("the last list: got %v", got)
		}
		client.expectEnd()
		server.expectEnd()
		if s := m.Stats(); s.Open != 0 || s.Listed != 0 {
			t.Errorf("stats: got %+v", s)
		}
	})
}

// A client that is being served during a shutdown gets the whole list, although the connections
// of the game servers have ended. A game server that leaves meanwhile is not in it.
func TestShutdownKeepsList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m bombermannet.ManagementServer
		network := start(t, &m)
		stays, leaves, client := connect(t, network), connect(t, network), connect(t, network)
		stays.send(register("Stays", 1), update(1, 4, true, 1))
		leaves.send(register("Leaves", 2), update(1, 4, true, 1))
		synctest.Wait()
		if got := leaves.list(); len(got) != 2 {
			t.Fatalf("before the shutdown: got %v", got)
		}
		begun := frame(query)
		client.raw(begun[:5])
		leaves.raw(frame(unregister)[:5])
		synctest.Wait()
		done := make(chan error)
		go func() { done <- m.Shutdown(t.Context()) }()
		synctest.Wait()
		stays.expectEnd()
		leaves.raw(frame(unregister)[5:])
		leaves.expectEnd()
		client.raw(begun[5:])
		if got := client.answer(); len(got) != 1 || got[0].Name != "Stays" {
			t.Errorf("the last list: got %v", got)
		}
		client.expectEnd()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if s := m.Stats(); s.Open != 0 || s.Listed != 0 {
			t.Errorf("after the shutdown: got %+v", s)
		}
	})
}

// The log gives the reason, but no data of a peer.
func TestLog(t *testing.T) {
	var log strings.Builder
	m := bombermannet.ManagementServer{Logger: slog.New(slog.NewTextHandler(&log,
		&slog.HandlerOptions{Level: slog.LevelDebug}))}
	run(t, &m, func(t *testing.T, dial func() *line) {
		bad := dial()
		bad.send(register("evil", 51963), update(1, 4, true, 1), `{"command":"evil"}`)
		bad.raw("evil")
		bad.expectEnd()
		synctest.Wait()
	})
	for _, want := range []string{"content.serverPort", "not registered", "unknown command", "connection ended",
		"198.51.100.1"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("nothing of %q", want)
		}
	}
	if strings.Contains(log.String(), "evil") {
		t.Error("what a peer has sent is in it")
	}
}
