package bombermannet_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
)

// The list equals the list of a simple model after random registrations, changes and
// ends.
func TestListFollowsAModel(t *testing.T) {
	m := bombermannet.ManagementServer{HideUntilStats: true,
		Limits: bombermannet.ManagementServerLimits{ConnLimits: lobbywire.ConnLimits{MaxPerAddress: 1000,
			MaxPerPrefix: 1000}}}
	random := rand.New(rand.NewPCG(3, 4))
	run(t, &m, func(t *testing.T, dial func() *line) {
		client := dial()
		servers := make([]*line, 100)
		model := make(map[int]bomberman.Server)
		for step := range 1500 {
			i := random.IntN(len(servers))
			name, port := fmt.Sprintf("%d %s", i, strings.Repeat("x", random.IntN(50))), 1+random.IntN(1000)
			current, open := random.IntN(1000), random.IntN(2) == 0
			switch l := servers[i]; {
			case l == nil:
				servers[i] = dial()
				servers[i].send(register(name, port), update(current, 4, open, 1))
				model[i] = listed(name, port, current, 4, open, 1)
			case random.IntN(10) == 0:
				l.Close()
				servers[i] = nil
				delete(model, i)
			case random.IntN(10) == 0:
				l.send(unregister)
				l.send(register(name, port))
				delete(model, i)
			default:
				l.send(register(name, port), update(current, 4, open, 1))
				model[i] = listed(name, port, current, 4, open, 1)
			}
			synctest.Wait()
			if step%10 == 0 {
				client.expectList(slices.Collect(maps.Values(model))...)
			}
		}
	})
}

// Servers is of one moment: a game server that registers anew meanwhile is neither missing nor
// there twice.
func TestServersIsASnapshot(t *testing.T) {
	var m bombermannet.ManagementServer
	m.Limits.MaxPerAddress, m.Limits.MaxPerPrefix = 1000, 1000
	run(t, &m, func(t *testing.T, dial func() *line) {
		const n = 300
		servers := make([]*line, n)
		for i := range servers {
			servers[i] = dial()
			servers[i].send(register("before", 1+i))
		}
		synctest.Wait()
		seen := make(map[int]string)
		for e := range m.Servers() {
			if len(seen) == 0 {
				for i, l := range servers {
					l.Close()
					dial().send(register("after", 1+i))
				}
				synctest.Wait()
			}
			seen[e.Server.Port] += e.Server.Name
		}
		for i := range n {
			if got := seen[1+i]; got != "before" {
				t.Errorf("%d: %q", 1+i, got)
			}
		}
	})
}

// A list that is too long for a message starts with the game servers that players can
// join, and repeated queries return all of them.
func TestLongListsRotate(t *testing.T) {
	for _, tt := range []struct {
		open, closed int
		answers      int // until each game server has been listed
		openAtOnce   bool
	}{
		{open: 200, closed: 1000, answers: 6, openAtOnce: true},
		{open: 1200, closed: 100, answers: 4},
	} {
		m := bombermannet.ManagementServer{}
		m.Limits.MaxPerAddress, m.Limits.MaxPerPrefix = 5000, 5000
		run(t, &m, func(t *testing.T, dial func() *line) {
			want := make(map[string]bool)
			for i := range tt.open + tt.closed {
				name := fmt.Sprintf("Game server number %d", i)
				server := dial()
				server.send(register(name, 1+i), update(1, 4, i < tt.open, 1))
				if tt.openAtOnce || i < tt.open {
					want[name] = true
				}
			}
			synctest.Wait()
			client := dial()
			for n := range tt.answers {
				got := client.list()
				if len(got) < 300 {
					t.Errorf("only %d listed", len(got))
				}
				open := 0
				for _, s := range got {
					delete(want, s.Name)
					if s.IsLobbyOpen {
						open++
					}
				}
				if tt.openAtOnce && open != tt.open || !tt.openAtOnce && open != len(got) {
					t.Errorf("answer %d: %d of %d can be joined", n+1, open, len(got))
				}
			}
			if len(want) != 0 {
				t.Errorf("%d of %d never listed", len(want), tt.open+tt.closed)
			}
			if all := slices.Collect(m.Servers()); len(all) != tt.open+tt.closed {
				t.Errorf("Servers has %d", len(all))
			}
		})
	}
}

// The answer is as long as every client must accept, and another entry does not make it
// longer.
func TestListFillsItsLimit(t *testing.T) {
	m := bombermannet.ManagementServer{}
	m.Limits.MaxPerAddress, m.Limits.MaxPerPrefix = 5000, 5000
	run(t, &m, func(t *testing.T, dial func() *line) {
		client := dial()
		for n, longest := 0, 0; ; n++ {
			client.send(query)
			payload, err := client.payload()
			if err != nil {
				t.Fatal(err)
			}
			got := bytes.Count(payload, []byte(`"name"`))
			if cut := m.Stats().Cut; cut != (got < n) {
				t.Errorf("%d of %d servers, cut %v", got, n, cut)
			}
			if got < n {
				if one := longest / (n - 1); len(payload) >= bomberman.MaxPayload ||
					longest+one < bomberman.MaxPayload {
					t.Errorf("%d servers in %d bytes, then %d in %d", n-1, longest, got, len(payload))
				}
				return
			}
			longest = len(payload)
			dial().send(register(strings.Repeat("x", 100), 1000), update(1, 4, true, 1))
			synctest.Wait()
		}
	})
}

// A name is listed unchanged or not at all.
func TestLongNamesAreListedUnchangedOrNot(t *testing.T) {
	run(t, new(bombermannet.ManagementServer), func(t *testing.T, dial func() *line) {
		server := dial()
		long, longer := strings.Repeat("ö", 400), strings.Repeat("ö", 500)
		server.send(register(long, 1), update(1<<31-1, 4, true, 1), register(longer, 1))
		server.expectList(listed(long, 1, 1<<31-1, 4, true, 1))
	})
}
