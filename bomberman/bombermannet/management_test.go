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
func TestAddressOfTwoConnectionsStaysListed(t *testing.T) {
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
func TestGameIsListedFromItsRegistration(t *testing.T) {
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
func TestInvalidMessagesAreDiscarded(t *testing.T) {
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
func TestUnnecessaryMessagesHaveNoEffect(t *testing.T) {
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

func TestIdleRegisteredServersStayListed(t *testing.T) {
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
func TestLogHasNoDataOfPeers(t *testing.T) {
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
