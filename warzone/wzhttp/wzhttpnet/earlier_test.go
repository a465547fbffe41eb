package wzhttpnet

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// earlierAddr is the address of the lobby for versions before 4.7.
var earlierAddr = netip.MustParseAddrPort("192.0.2.1:9990")

// startBoth serves games to clients of 4.7, and to those before.
func startBoth(t *testing.T) *httpNet {
	t.Helper()
	n := startLobby(t, new(Lobby))
	earlier := &warzonenet.Lobby{Games: n.games, Dial: n.Network.DialFrom(earlierAddr.Addr())}
	listener, err := n.Network.Listen(earlierAddr)
	fatalIf(t, err)
	ended := make(chan error, 1)
	go func() { ended <- earlier.Serve(listener) }()
	t.Cleanup(func() {
		earlier.Close()
		<-ended
	})
	return n
}

// earlierList returns the games that clients before 4.7 see.
func earlierList(n *httpNet) []warzone.Game {
	n.T.Helper()
	client := warzonenet.Client{Dial: n.Network.Dial}
	l, err := client.List(n.T.Context(), earlierAddr.String())
	fatalIf(n.T, err)
	return l.Games
}

// Earlier clients see hosts of 4.7, with the fields of their protocol, and the other way
// round.
func TestHTTPGamesAreListedToAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startBoth(t)
		full := strings.NewReplacer(`"ally":0,"lim":0`,
			`"ally":2,"blind":1,"lim":5,"private":true,"mods":[{"name":"camBalance","hash":""},{"name":"old",`+
				`"hash":""}]`).Replace(gamestest.Room)
		h := n.Publish(gamestest.Host4, 2105, full)
		n.PlayAt("["+gamestest.Host6+"]:2105", &h)
		n.Do(gamestest.Host6, h.Request("POST", "/connection"), `{"type":"tcp:ip6","host":"","port":2105}`)
		synctest.Wait()
		e, _ := n.games.ForLobbies().Find(netip.MustParseAddrPort(gamestest.Host4 + ":2105"))
		want := warzone.Game{
			Version: warzone.Version4, Name: "Grüße from Go", Size: warzone.SizeOfGame, Flags: 2 << 24,
			Host: gamestest.Host4, MaxPlayers: 4,
			UserFlags:      [4]uint32{uint32(warzone.GameTypeSkirmish), 0x00010003, 1},
			SecondaryHosts: [2]string{gamestest.Host6}, HostPort: 2105, MapName: "Sk-Rush", HostName: "GoTester",
			VersionString: "4.7.0",
			ModList:       "camBalance, old", NetcodeMajor: 16384, NetcodeMinor: 104, Private: 1, GameID: e.ID,
			Limits: warzone.LimitTanks | warzone.LimitVTOLs, NetcodeWord: 0x40000068,
		}
		if games := earlierList(n); len(games) != 1 || games[0] != want {
			t.Errorf("listed\n%+v\nwant\n%+v", games, want)
		}

		game := gamestest.OfVersion(warzone.Version4, "Old\x01 one\xff")
		game.HostPort = 2100
		game.VersionString, game.NetcodeMajor, game.NetcodeMinor = "4.3.3", 0x4000, 79
		game.MapName, game.HostName, game.ModList, game.Limits = "Rush", "Carla", "camBalance", warzone.LimitCyborgs
		game.CurrentPlayers, game.MaxPlayers = 2, 8
		from := netip.MustParseAddrPort("198.51.100.9:2100")
		earlier := &warzonenet.Host{Addr: earlierAddr.String(), Dial: n.Network.DialFrom(from.Addr())}
		fatalIf(t, earlier.Set(game))
		port, err := n.Network.Listen(from)
		fatalIf(t, err)
		go earlier.ServeAlive(port)
		gamestest.Run(t, earlier)
		synctest.Wait()
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
		earlier.Close()
		synctest.Wait()
		if len(n.List()) != 1 {
			t.Error("the game of a host that has gone is listed")
		}
	})
}

// A host that uses both protocols is listed once, in whatever order it announces its game,
// over the same address family or not.
func TestHostOfBothProtocolsIsListedOnce(t *testing.T) {
	for _, old := range []string{gamestest.Host4, gamestest.Host6} {
		t.Run(old, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := startBoth(t)
				h := &Host{
					Addr: "http://lobby.example/lobby", Dial: n.DialBoth,
					Earlier: &warzonenet.Host{Addr: earlierAddr.String(), Dial: n.Network.DialFrom(netip.MustParseAddr(old))},
				}
				fatalIf(t, h.Set(wzhttp.Room{Name: "x",
					Host: wzhttp.Player{Name: "GoTester", PublicKey: "AISvCVmVREY6hfgWZRpHqAjGVfi+3dF8zDRJmqd6Po4="}}))
				game := warzone.Game{Name: "Both", MaxPlayers: 4, HostPort: 2100, MapName: "Sk-Rush",
					HostName: "GoTester", VersionString: "4.7.0", NetcodeMajor: 16384, NetcodeMinor: 104}
				fatalIf(t, h.SetGame(game))
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
					games := earlierList(n)
					if len(games) != 1 || games[0].Name != "Both" || games[0].CurrentPlayers != uint32(players) {
						t.Fatalf("listed to earlier clients: %+v", games)
					}
					if s := h.Status(); s.Standing != lobbywire.StandingListed {
						t.Fatalf("status at the lobby %v", s)
					}
					if s := h.Earlier.Status(); s.Standing != lobbywire.StandingListed {
						t.Fatalf("status at the lobby for earlier versions %v", s)
					}
				}
				time.Sleep(10 * time.Second)
				want(0)
				game.CurrentPlayers = 2
				fatalIf(t, h.SetGame(game))
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

// A Client with Earlier lists lobbies of both kinds, by their addresses.
func TestClientListsEarlierLobbies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startBoth(t)
		h := n.Publish(gamestest.Host4, 2100, gamestest.Room)
		c := &Client{Dial: n.DialBoth, Earlier: &warzonenet.Client{Dial: n.Network.Dial}}
		for _, tt := range []struct {
			addr, protocol, id string
		}{
			{"http://lobby.example/lobby", "wzhttp", h.GameID},
			{earlierAddr.String(), "warzone", ""},
		} {
			l := c.ListViews(t.Context(), tt.addr)
			if l.Err != nil || l.Protocol != tt.protocol || l.Master != tt.addr || len(l.Servers) != 1 {
				t.Fatalf("%s: %+v", tt.addr, l)
			}
			s := l.Servers[0]
			if s.ID != tt.id || s.View.Name != "Grüße from Go" {
				t.Errorf("%s: %+v", tt.addr, s)
			}
		}
		c.Earlier = nil
		if l := c.ListViews(t.Context(), earlierAddr.String()); l.Err == nil {
			t.Errorf("without Earlier: %+v", l)
		}
	})
}

func listenAt(t *testing.T, addr string) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", addr)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// await waits for a status.
func await(t *testing.T, states <-chan lobbywire.RegistrationStatus, is func(lobbywire.RegistrationStatus) bool) {
	t.Helper()
	for s := range states {
		if is(s) {
			return
		}
	}
}

// serveLoopback serves both kinds of lobbies with the same games, and returns their addresses.
func serveLoopback(t *testing.T, at string) (games *warzonegames.Games, lobby, overHTTP string) {
	games = new(warzonegames.Games)
	l, web := &warzonenet.Lobby{Games: games}, &Lobby{Games: games}
	server := web.Server(http.StripPrefix("/x", web))
	ln, httpLn := listenAt(t, at+":0"), listenAt(t, at+":0")
	ended := make(chan error, 2)
	go func() { ended <- l.Serve(ln) }()
	go func() { ended <- server.Serve(httpLn) }()
	t.Cleanup(func() {
		l.Close()
		server.Close()
		web.Close()
		for range 2 {
			if err := <-ended; !errors.Is(err, lobbywire.ErrClosed) && !errors.Is(err, http.ErrServerClosed) {
				t.Errorf("Serve returned %v", err)
			}
		}
	})
	return games, ln.Addr().String(), "http://" + httpLn.Addr().String() + "/x"
}

// A host of both kinds of lobbies that listens at one address is listed there, also if it serves
// after it has connected.
func TestHostMovesToItsListener(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, lobby, game string
		late              bool
		want              string // "" if the lobby cannot reach the game
	}{
		{"another address", "127.0.0.1", "127.0.31.3", false, "127.0.31.3"},
		{"another address, later", "127.0.0.1", "127.0.31.3", true, "127.0.31.3"},
		{"IPv6", "[::1]", "[::1]", false, "::1"},
		{"a lobby over IPv6 only", "[::1]", "127.0.31.3", false, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			games, lobby, overHTTP := serveLoopback(t, tt.lobby)
			l := listenAt(t, tt.game+":0")
			port := l.Addr().(*net.TCPAddr).AddrPort().Port()
			states, web := make(chan lobbywire.RegistrationStatus, 100), make(chan lobbywire.RegistrationStatus, 100)
			h := &Host{Addr: overHTTP, Port: port, Changed: func(s lobbywire.RegistrationStatus) { web <- s },
				Earlier: &warzonenet.Host{Addr: lobby, Changed: func(s lobbywire.RegistrationStatus) { states <- s }}}
			fatalIf(t, h.Set(testRoom("Both")))
			if !tt.late {
				go h.ServeAlive(l)
				h.ListensAt(l.Addr())
			}
			gamestest.Run(t, h)
			if tt.late || tt.want == "" {
				await(t, states, func(s lobbywire.RegistrationStatus) bool { return errors.Is(s.Err, lobbywire.ErrRefused) })
				await(t, web, func(s lobbywire.RegistrationStatus) bool { return errors.Is(s.Err, ErrNotAccessible) })
			}
			if tt.want == "" {
				return
			}
			if tt.late {
				go h.ServeAlive(l)
			}
			isListed := func(s lobbywire.RegistrationStatus) bool { return s.Standing == lobbywire.StandingListed }
			await(t, states, isListed)
			await(t, web, isListed)
			e, ok := games.ForLobbies().Find(netip.AddrPortFrom(netip.MustParseAddr(tt.want), port))
			if !ok || e.Game.Name != "Both" || games.Stats().Listed != 1 {
				t.Errorf("listed %+v", e)
			}
		})
	}
}
