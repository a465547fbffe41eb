package gamespy1net_test

import (
	"maps"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
)

// Games that change while a Master serves change its lists, and servers that it queries
// meanwhile.
func TestSetGamesChangesTheLists(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const heartbeat = `\heartbeat\7778\gamename\ut\`
		n := serveGameSpy(t, new(gamespy1net.Master))
		sam, stop := n.host(t, gameServer, stock)
		query := netip.MustParseAddrPort("198.51.100.1:7778")
		send, stopQuery := n.host(t, query, func(string) []string {
			return []string{`\gamename\ut\hostname\x\hostport\7777\queryid\1.1\final\`}
		})
		beat := func() {
			sam(stockHeartbeat)
			send(heartbeat)
			time.Sleep(30 * time.Second)
		}
		want := func(step string, listed, native int) {
			t.Helper()
			if got := n.m.Stats().Listed; got != listed {
				t.Errorf("%s: %d servers, want %d", step, got, listed)
			}
			if got := len(listing(t, n.m)); got != native {
				t.Errorf("%s: %d servers in the native list, want %d", step, got, native)
			}
		}
		games := gamespy1net.SeriousSam()
		set := func(g gamespy1net.Game) {
			games = maps.Clone(games)
			games["ut"] = g
			n.m.SetGames(games)
		}

		beat()
		want("before", 1, 1)
		set(gamespy1net.Game{})
		beat()
		want("with another game", 2, 1)
		set(gamespy1net.Game{Native: true})
		want("in the native list", 2, 2)
		set(gamespy1net.Game{Key: "secret", Validate: true})
		want("which must validate", 1, 1)
		beat()
		want("which has not validated", 1, 1)
		set(gamespy1net.Game{})
		send(heartbeat)
		n.m.SetGames(map[string]gamespy1net.Game{}) // while the master queries the server
		time.Sleep(30 * time.Second)
		want("without games", 0, 0)
		n.m.SetGames(nil)
		beat()
		want("with the default again", 1, 1)
		stop()
		stopQuery()
		n.close(t)
	})
}

// A server in both forms stays listed in the native form when its game is removed.
func TestSetGamesKeepsNativeServers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := serveGameSpy(t, new(gamespy1net.Master))
		send, stop := n.host(t, gameServer, stock)
		enlist(t, n.m, gameServer)
		send(stockHeartbeat)
		time.Sleep(30 * time.Second)
		n.m.SetGames(map[string]gamespy1net.Game{})
		expectListed(t, n.m, gameServer)
		for e := range n.m.Servers() {
			if e.Status != "" || e.Heartbeat == "" {
				t.Errorf("%+v", e)
			}
		}
		stop()
		n.close(t)
	})
}

// Masters to exchange servers with may change while a Master serves.
func TestSetSyncChangesThePeers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const at = "192.0.2.10:28900"
		first, second := new(gamespy1net.Master), &gamespy1net.Master{SyncFrom: []string{"192.0.2.11:28900"}}
		n := serveGameSpy(t, first)
		n.serve(t, second, netip.MustParseAddrPort("192.0.2.10:27900"), netip.MustParseAddrPort(at))
		send, stop := n.host(t, gameServer, stock)
		send(stockHeartbeat)
		time.Sleep(time.Second)
		peers := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

		second.SetSync([]string{listPort.String()}, nil)
		time.Sleep(10 * time.Second)
		expectListed(t, second) // the first master does not allow it
		first.SetSync(nil, peers)
		second.SetSync(nil, nil)
		synctest.Wait()
		second.SetSync([]string{listPort.String()}, nil)
		time.Sleep(10 * time.Second)
		expectListed(t, second, gameServer)
		second.SetSync(nil, nil)
		failed := second.Stats().NotSynced
		time.Sleep(time.Hour)
		expectListed(t, second)
		if got := second.Stats().NotSynced; got != failed {
			t.Errorf("%d more attempts to fetch servers", got-failed)
		}
		stop()
		n.close(t, second)
	})
}
