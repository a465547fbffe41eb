package warzonenet

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// withLobby serves the games of an HTTP lobby to clients before 4.7 as well.
func (n *httpNet) withLobby() *lobbyNet {
	n.t.Helper()
	l := &Lobby{Games: n.games, Dial: n.network.DialFrom(lobbyAddr.Addr())}
	listener, err := n.network.Listen(lobbyAddr)
	fatalIf(n.t, err)
	ended := make(chan error, 1)
	go func() { ended <- l.Serve(listener) }()
	n.t.Cleanup(func() {
		l.Close()
		<-ended
	})
	return &lobbyNet{t: n.t, network: n.network, games: n.games}
}

// Earlier clients see hosts of 4.7, with the fields of their protocol, and the other way
// round.
func TestHTTPGamesAreListedToAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startHTTPLobby(t, new(HTTPLobby))
		old := n.withLobby()
		full := strings.NewReplacer(`"ally":0,"lim":0`, `"ally":2,"blind":1,"lim":5,"private":true,"mods":[{"name":"camBalance","hash":""},{"name":"old","hash":""}]`).Replace(room)
		h := n.publish(host4, 2105, full)
		n.playAt("["+host6+"]:2105", &h)
		n.do(host6, h.request("POST", "/connection"), `{"type":"tcp:ip6","host":"","port":2105}`)
		synctest.Wait()
		e, _ := n.games.Find(netip.MustParseAddrPort(host4 + ":2105"))
		want := warzone.Game{
			Version: warzone.Version4, Name: "Grüße from Go", Size: warzone.SizeOfGame, Flags: 2 << 24, Host: host4, MaxPlayers: 4,
			UserFlags:      [4]uint32{uint32(warzone.GameTypeSkirmish), 0x00010003, 1},
			SecondaryHosts: [2]string{host6}, HostPort: 2105, MapName: "Sk-Rush", HostName: "GoTester", VersionString: "4.7.0",
			ModList: "camBalance, old", NetcodeMajor: 16384, NetcodeMinor: 104, Private: 1, GameID: e.ID,
			Limits: warzone.LimitTanks | warzone.LimitVTOLs, NetcodeWord: 0x40000068,
		}
		reply, _ := old.list()
		if len(reply.Games) != 1 || reply.Games[0] != want {
			t.Errorf("listed\n%+v\nwant\n%+v", reply.Games, want)
		}

		var id uint32
		old.listen("198.51.100.9:2100", alive(&id))
		peer := old.connect("198.51.100.9")
		id = peer.id()
		game := gamestest.OfVersion(warzone.Version4, "Old\x01 one\xff")
		game.GameID, game.HostPort = id, 2100
		game.VersionString, game.NetcodeMajor, game.NetcodeMinor = "4.3.3", 0x4000, 79
		game.MapName, game.HostName, game.ModList, game.Limits = "Rush", "Carla", "camBalance", warzone.LimitCyborgs
		game.CurrentPlayers, game.MaxPlayers = 2, 8
		peer.send(warzone.AddGame{Game: game})
		peer.wantStatus(warzone.StatusOK)
		wantLines(t, n.list()[1:], `{"id":"`+gameIDOf(id)+`","v":"4.3.3","netv":[16384,79],"name":"Old  one�","host":{"name":"Carla","pk":""},`+
			`"map":["Rush",""],"mods":[{"name":"camBalance","hash":""}],"players":{"cur":2,"max":8},"specs":{"cur":0,"max":0},"ally":0,"lim":2,"conn":["tcp:ip4"]}`)
		n.do(player4, "POST /game/"+gameIDOf(id)+"/request-join", `{"asSpec":false}`).
			want(t, 200, `{"connections":[{"type":"tcp:ip4","host":"198.51.100.9","port":2100}],"joinToken":""}`)
		n.do(host4, "PATCH /game/"+gameIDOf(id)+" "+h.HostToken, "{}").wantError(t, 401, codeUnauthorized)
		peer.Close()
		synctest.Wait()
		if len(n.list()) != 1 {
			t.Error("the game of a host that has gone is listed")
		}
	})
}

// A withheld game is hidden, and its host notices nothing.
func TestHTTPLobbyWithholds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startHTTPLobby(t, &HTTPLobby{Games: &warzonegames.Games{Admit: func(e warzonegames.Entry) bool { return e.Game.Name != "Casino" }}})
		h := n.publish(host4, 2100, strings.Replace(room, "Grüße from Go", "Casino", 1))
		wantLines(t, n.list())
		n.do(player4, "POST /game/"+h.GameID+"/request-join", `{"asSpec":false}`).wantError(t, 404, "GAME_NOT_FOUND")
		if r := n.do(host4, h.request("PATCH", ""), `{"name":"Chess"}`); r.status != 200 || len(n.list()) != 1 {
			t.Errorf("renamed: %+v", r)
		}
	})
}

// Games that the lobby has no room for are refused with a reason.
func TestHTTPLobbyFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startHTTPLobby(t, &HTTPLobby{Games: &warzonegames.Games{MaxPerAddress: 1}, NoVerify: true})
		create := func() httpReply {
			h := n.create(host4, room)
			n.do(host4, h.request("POST", "/connection"), fmt.Sprintf(`{"type":"tcp:ip4","host":"","port":%d}`, 2100+len(n.list())))
			return n.do(host4, h.request("PATCH", ""), "{}")
		}
		if r := create(); r.status != 200 {
			t.Fatal(r)
		}
		create().wantError(t, 403, codeNotListed)
	})
}

// The tokens of hosts stay valid when the lobby is restarted with its key, and at another
// node, even before that node has received the game.
func TestHTTPLobbyRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := gamestest.Nodes(t, 2)
		key := []byte("0123456789abcdef0123456789abcdef")
		first := startHTTPLobby(t, &HTTPLobby{Games: nodes[0], Key: key})
		second := startHTTPLobby(t, &HTTPLobby{Games: nodes[1], Key: key})
		stranger := startHTTPLobby(t, &HTTPLobby{Games: nodes[1]})
		h := first.publish(host4, 2100, room)

		second.do(host4, h.request("PATCH", ""), "{}").wantError(t, 429, "RATE_LIMITED")
		b.Flush()
		if r := second.do(host4, h.request("PATCH", ""), `{"players":{"cur":1,"max":4}}`); r.status != 200 {
			t.Fatal(r)
		}
		stranger.do(host4, h.request("PATCH", ""), "{}").wantError(t, 401, codeUnauthorized)
		opened := func(g *warzonegames.Games) time.Time {
			e, _ := g.Find(netip.MustParseAddrPort(host4 + ":2100"))
			return e.Opened
		}
		was := opened(nodes[0])
		for i := range 6 { // back and forth, longer than a game lives
			time.Sleep(30 * time.Second)
			b.Flush()
			n := []*httpNet{first, second}[i%2]
			if r := n.do(host4, h.request("PATCH", ""), fmt.Sprintf(`{"players":{"cur":%d,"max":4}}`, i)); r.status != 200 {
				t.Fatalf("%d: %+v", i, r)
			}
			time.Sleep(2 * time.Second)
			b.Flush()
			for _, n := range []*httpNet{first, second} {
				if l := n.list(); len(l) != 1 || !strings.Contains(l[0], fmt.Sprintf(`"cur":%d,"max":4`, i)) {
					t.Fatalf("%d: listed %q", i, l)
				}
			}
		}
		if !opened(nodes[0]).Equal(was) {
			t.Error("the game seems to be opened again")
		}
		if r := first.do(host4, h.request("DELETE", ""), ""); r.status != 200 {
			t.Error(r)
		}
		b.Flush()
		wantLines(t, first.list())
		wantLines(t, second.list())
		second.do(host4, h.request("PATCH", ""), "{}").wantError(t, 404, "GAME_NOT_FOUND")
	})
}

// A host that uses both protocols is listed once, in whatever order it announces its game,
// over the same address family or not.
func TestHostOfBothProtocols(t *testing.T) {
	for _, old := range []string{host4, host6} {
		t.Run(old, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := startHTTPLobby(t, new(HTTPLobby))
				lobby := n.withLobby()
				h := &Host{
					Addr: lobbyAddr.String(), Dial: n.network.DialFrom(netip.MustParseAddr(old)),
					HTTP: &HTTPHost{Addr: "http://lobby.example/lobby", Dial: n.dialBoth},
				}
				fatalIf(t, h.HTTP.Set(wzhttp.Room{Name: "x", Host: wzhttp.Player{Name: "GoTester", PublicKey: "AISvCVmVREY6hfgWZRpHqAjGVfi+3dF8zDRJmqd6Po4="}}))
				game := warzone.Game{Name: "Both", MaxPlayers: 4, HostPort: 2100, MapName: "Sk-Rush", HostName: "GoTester", VersionString: "4.7.0", NetcodeMajor: 16384, NetcodeMinor: 104}
				set(t, h, game)
				serveBoth(t, n, h.ServeAlive)
				run(t, h)
				want := func(players int) {
					t.Helper()
					l := n.list()
					if len(l) != 1 || !strings.Contains(l[0], fmt.Sprintf(`"name":"Both","host":{"name":"GoTester","pk":"AISvCVmVREY6hfgWZRpHqAjGVfi+3dF8zDRJmqd6Po4="},"map":["Sk-Rush",""],"players":{"cur":%d,`, players)) {
						t.Fatalf("listed by the HTTP lobby: %q", l)
					}
					reply, _ := lobby.list()
					if len(reply.Games) != 1 || reply.Games[0].Name != "Both" || reply.Games[0].CurrentPlayers != uint32(players) {
						t.Fatalf("listed to earlier clients: %+v", reply.Games)
					}
					if s := h.State(); !s.Announced || s.Status.Code != warzone.StatusOK {
						t.Fatalf("state at the lobby %+v", s)
					}
					if s := h.HTTP.State(); !s.Published {
						t.Fatalf("state at the HTTP lobby %+v", s)
					}
				}
				time.Sleep(10 * time.Second)
				want(0)
				game.CurrentPlayers = 2
				set(t, h, game)
				time.Sleep(5 * time.Minute)
				want(2)
				h.Close()
				synctest.Wait()
				if n.games.Stats().Listed > 0 {
					t.Error("listed after its end")
				}
			})
		})
	}
}

// dialBoth connects a host over the family that the network names.
func (n *httpNet) dialBoth(ctx context.Context, network, addr string) (net.Conn, error) {
	from := host4
	if network == overIPv6 {
		from = host6
	}
	return n.dialFrom(from)(ctx, network, addr)
}

// serveBoth serves the game port over both families until the test ends.
func serveBoth(t *testing.T, n *httpNet, serve func(net.Listener) error) {
	t.Helper()
	for _, addr := range []string{host4 + ":2100", "[" + host6 + "]:2100"} {
		l, err := n.network.Listen(netip.MustParseAddrPort(addr))
		fatalIf(t, err)
		ended := make(chan error, 1)
		go func() { ended <- serve(l) }()
		t.Cleanup(func() {
			if err := <-ended; err != lobbywire.ErrClosed {
				t.Errorf("ServeAlive returned %v", err)
			}
		})
	}
}
