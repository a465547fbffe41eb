package warzonenet

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
)

// startBoth serves games to clients of 4.7, and to those before.
func startBoth(t *testing.T) (*gamestest.HTTPNet, *lobbyNet) {
	t.Helper()
	n := &gamestest.HTTPNet{T: t, Network: new(nettest.Streams)}
	games := new(warzonegames.Games)
	current := &wzhttpnet.Lobby{Games: games, Dial: n.Network.DialFrom(gamestest.HTTPLobby4.Addr())}
	n.Serve(current.Server(http.StripPrefix("/lobby", current)), current.Close)
	l := &Lobby{Games: games, Dial: n.Network.DialFrom(lobbyAddr.Addr())}
	listener, err := n.Network.Listen(lobbyAddr)
	fatalIf(t, err)
	ended := make(chan error, 1)
	go func() { ended <- l.Serve(listener) }()
	t.Cleanup(func() {
		l.Close()
		<-ended
	})
	return n, &lobbyNet{t: t, network: n.Network, games: games}
}

// Earlier clients see hosts of 4.7, with the fields of their protocol, and the other way
// round.
func TestHTTPGamesAreListedToAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, old := startBoth(t)
		full := strings.NewReplacer(`"ally":0,"lim":0`,
			`"ally":2,"blind":1,"lim":5,"private":true,"mods":[{"name":"camBalance","hash":""},{"name":"old",`+
				`"hash":""}]`).Replace(gamestest.Room)
		h := n.Publish(gamestest.Host4, 2105, full)
		n.PlayAt("["+gamestest.Host6+"]:2105", &h)
		n.Do(gamestest.Host6, h.Request("POST", "/connection"), `{"type":"tcp:ip6","host":"","port":2105}`)
		synctest.Wait()
		e, _ := old.games.ForLobbies().Find(netip.MustParseAddrPort(gamestest.Host4 + ":2105"))
		want := warzone.Game{
			Version: warzone.Version4, Name: "Grüße from Go", Size: warzone.SizeOfGame, Flags: 2 << 24,
			Host: gamestest.Host4, MaxPlayers: 4,
			UserFlags:      [4]uint32{uint32(warzone.GameTypeSkirmish), 0x00010003, 1},
			SecondaryHosts: [2]string{gamestest.Host6}, HostPort: 2105, MapName: "Sk-Rush", HostName: "GoTester",
			VersionString: "4.7.0",
			ModList:       "camBalance, old", NetcodeMajor: 16384, NetcodeMinor: 104, Private: 1, GameID: e.ID,
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
		line := n.List()[1]
		public, _, _ := strings.Cut(strings.TrimPrefix(line, `{"id":"`), `"`)
		if want := `{"id":"` + public +
			`","v":"4.3.3","netv":[16384,79],"name":"Old  oneÿ","host":{"name":"Carla","pk":""},` +
			`"map":["Rush",""],"mods":[{"name":"camBalance","hash":""}],"players":{"cur":2,"max":8},` +
			`"specs":{"cur":0,"max":0},"ally":0,"lim":2,"conn":["tcp:ip4"]}`; line != want {
			t.Errorf("listed\n%s\nwant\n%s", line, want)
		}
		n.Do(gamestest.Player4, "POST /game/"+public+"/request-join", `{"asSpec":false}`).
			Want(t, 200, `{"connections":[{"type":"tcp:ip4","host":"198.51.100.9","port":2100}],"joinToken":""}`)
		n.Do(gamestest.Host4, "PATCH /game/"+public+" "+h.HostToken, "{}").WantError(t, 401, "UNAUTHORIZED")
		peer.Close()
		synctest.Wait()
		if len(n.List()) != 1 {
			t.Error("the game of a host that has gone is listed")
		}
	})
}

// A host that uses both protocols is listed once, in whatever order it announces its game,
// over the same address family or not.
func TestHostOfBothProtocols(t *testing.T) {
	for _, old := range []string{gamestest.Host4, gamestest.Host6} {
		t.Run(old, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n, lobby := startBoth(t)
				h := &Host{
					Addr: lobbyAddr.String(), Dial: n.Network.DialFrom(netip.MustParseAddr(old)),
					HTTP: &wzhttpnet.Host{Addr: "http://lobby.example/lobby", Dial: n.DialBoth},
				}
				fatalIf(t, h.HTTP.Set(wzhttp.Room{Name: "x",
					Host: wzhttp.Player{Name: "GoTester", PublicKey: "AISvCVmVREY6hfgWZRpHqAjGVfi+3dF8zDRJmqd6Po4="}}))
				game := warzone.Game{Name: "Both", MaxPlayers: 4, HostPort: 2100, MapName: "Sk-Rush",
					HostName: "GoTester", VersionString: "4.7.0", NetcodeMajor: 16384, NetcodeMinor: 104}
				set(t, h, game)
				n.ServeBoth(h.ServeAlive)
				gamestest.Run(t, h)
				want := func(players int) {
					t.Helper()
					l := n.List()
					if len(l) != 1 ||
						!strings.Contains(l[0],
							fmt.Sprintf(`"name":"Both","host":{"name":"GoTester",`+
								`"pk":"AISvCVmVREY6hfgWZRpHqAjGVfi+3dF8zDRJmqd6Po4="},"map":["Sk-Rush",""],`+
								`"players":{"cur":%d,`, players)) {
						t.Fatalf("listed by the HTTP lobby: %q", l)
					}
					reply, _ := lobby.list()
					if len(reply.Games) != 1 || reply.Games[0].Name != "Both" ||
						reply.Games[0].CurrentPlayers != uint32(players) {
						t.Fatalf("listed to earlier clients: %+v", reply.Games)
					}
					if s := h.Status(); s.Standing != lobbywire.StandingListed {
						t.Fatalf("status at the lobby %v", s)
					}
					if s := h.HTTP.Status(); s.Standing != lobbywire.StandingListed {
						t.Fatalf("status at the HTTP lobby %v", s)
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
				if lobby.games.Stats().Listed > 0 {
					t.Error("listed after its end")
				}
			})
		})
	}
}

// A Client lists the games of an HTTP lobby like any other, with additional fields.
func TestClientListsHTTPLobby(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, _ := startBoth(t)
		h := n.Publish(gamestest.Host4, 2100, gamestest.Room)
		c := &Client{Dial: n.DialBoth}
		l, err := c.List(t.Context(), "http://lobby.example/lobby")
		fatalIf(t, err)
		want := warzone.Game{
			Version: warzone.Version4, Size: warzone.SizeOfGame, Name: "Grüße from Go", MaxPlayers: 4,
			UserFlags: [4]uint32{14, 0x00010003}, MapName: "Sk-Rush", HostName: "GoTester", VersionString: "4.7.0",
			NetcodeMajor: 16384, NetcodeMinor: 104, NetcodeWord: 0x40000068,
		}
		if len(l.Games) != 1 || l.Games[0] != want || l.Skipped > 0 || l.Partial || l.Legacy {
			t.Errorf("listing %+v", l)
		}
		if len(l.HTTPGames) != 1 || l.HTTPGames[0].ID != h.GameID || len(l.Views()) != 1 {
			t.Errorf("games %+v", l.HTTPGames)
		}
		if l.Status == nil || *l.Status != (warzone.Status{Code: warzone.StatusOK}) {
			t.Errorf("status %+v", l.Status)
		}
	})
}
