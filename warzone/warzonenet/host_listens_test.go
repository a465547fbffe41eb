package warzonenet

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
)

func listenAt(t *testing.T, addr string) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", addr)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// serveLoopback serves both kinds of lobbies with the same games, and returns their addresses.
func serveLoopback(t *testing.T, at string) (games *warzonegames.Games, lobby, overHTTP string) {
	games = new(warzonegames.Games)
	l, web := &Lobby{Games: games}, &wzhttpnet.Lobby{Games: games}
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
			games, lobby, overHTTP := serveLoopback(t, tt.lobby)
			l := listenAt(t, tt.game+":0")
			port := l.Addr().(*net.TCPAddr).AddrPort().Port()
			states, web := make(chan lobbywire.RegistrationStatus, 100), make(chan lobbywire.RegistrationStatus, 100)
			h := &Host{Addr: lobby, Changed: func(s lobbywire.RegistrationStatus) { states <- s },
				HTTP: &wzhttpnet.Host{Addr: overHTTP, Port: port,
					Changed: func(s lobbywire.RegistrationStatus) { web <- s }}}
			game := gamestest.Named("Both")
			game.HostPort = port
			fatalIf(t, h.Set(game))
			if !tt.late {
				go h.ServeAlive(l)
				h.ListensAt(l.Addr())
			}
			gamestest.Run(t, h)
			if tt.late || tt.want == "" {
				await(t, states, func(s lobbywire.RegistrationStatus) bool { return errors.Is(s.Err, lobbywire.ErrRefused) })
				await(t, web, func(s lobbywire.RegistrationStatus) bool { return errors.Is(s.Err, wzhttpnet.ErrNotAccessible) })
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

// await waits for a state.
func await[S any](t *testing.T, states <-chan S, is func(S) bool) {
	t.Helper()
	for s := range states {
		if is(s) {
			return
		}
	}
}

// Dial replaces the address of the listener, also of a later one.
func TestHostCallsAsDialSays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startLobby(t, &Lobby{NoVerify: true})
		h := hostAt(n, hostAddr, gamestest.Named("Mine"))
		gamestest.Run(t, h)
		time.Sleep(time.Minute)
		l, err := n.network.Listen(netip.MustParseAddrPort("203.0.113.9:2100"))
		fatalIf(t, err)
		ended := make(chan error)
		go func() { ended <- h.ServeAlive(l) }()
		time.Sleep(time.Minute)
		wantListed(n, "Mine")
		if s := h.Stats(); s.Connects != 1 || s.Failures != 0 {
			t.Errorf("%+v", s)
		}
		h.Close()
		<-ended
	})
}
