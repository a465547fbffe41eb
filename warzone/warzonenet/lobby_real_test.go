//go:build linux

package warzonenet_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// realContext returns the context for a test with the real game, which bounds its
// time. The test is skipped without the game.
func realContext(t *testing.T) context.Context {
	t.Helper()
	requireGame(t)
	ctx, cancel := context.WithTimeout(t.Context(), realTime())
	t.Cleanup(cancel)
	return ctx
}

// realTime returns how long a test with the real game may take. Pictures take time.
func realTime() time.Duration {
	if os.Getenv(shotsVariable) != "" {
		return 10 * time.Minute
	}
	return 2 * time.Minute
}

// A tap is a listener that records all input of its connections, a quoted line for
// each read.
type tap struct {
	*net.TCPListener
	heard *transcript
}

func (l tap) Accept() (net.Conn, error) {
	c, err := l.AcceptTCP()
	if err != nil {
		return nil, err
	}
	return tapped{c, l.heard}, nil
}

// A tapped connection records what it reads.
type tapped struct {
	*net.TCPConn
	heard *transcript
}

func (c tapped) Read(p []byte) (n int, err error) {
	n, err = c.TCPConn.Read(p)
	fmt.Fprintf(c.heard, "%q\n", p[:n])
	return n, err
}

// A realLobby is a lobby for the real game.
type realLobby struct {
	*warzonenet.Lobby
	addr  netip.AddrPort
	heard transcript
}

func startRealLobby(t *testing.T) *realLobby {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	s := &realLobby{
		Lobby: &warzonenet.Lobby{Games: new(warzonegames.Games), MOTD: "Wïllkommen"},
		addr:  l.Addr().(*net.TCPAddr).AddrPort(),
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(tap{l.(*net.TCPListener), &s.heard}) }()
	t.Cleanup(func() {
		s.Close()
		<-ended
	})
	return s
}

// games returns the listed games.
func (s *realLobby) games(t *testing.T, ctx context.Context) []warzone.Game {
	t.Helper()
	l, err := new(warzonenet.Client).List(ctx, s.addr.String())
	if err != nil {
		t.Fatalf("list: %v", err)
	}
	return l.Games
}

// gamePorts are how many ports gamePort has returned.
var gamePorts atomic.Uint32

// gamePort returns a port that no other game uses. The system uses far higher ones
// for connections.
func gamePort(t *testing.T) uint16 {
	t.Helper()
	for range 100 {
		port := warzone.GamePort + uint16(gamePorts.Add(1))
		if l, err := net.Listen("tcp", fmt.Sprintf(":%d", port)); err == nil {
			l.Close()
			return port
		}
	}
	t.Skip("no port for a game")
	return 0
}

// A real host registers, sends two keeps, has a player join and leave, and ends.
func TestRealHost(t *testing.T) {
	t.Parallel()
	ctx := realContext(t)
	lobby := startRealLobby(t)
	port := gamePort(t)
	host := startGame(t, ctx, lobby.addr.Port(), "", "--headless", "--autohost="+autohost,
		"--enablecmdinterface=stdin", fmt.Sprintf("--gameport=%d", port))
	id, err := strconv.ParseUint(host.await(t, "WZEVENT: lobbyid: "), 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	host.await(t, "Lobby success (200): Wïllkommen")
	want := warzone.Game{
		Version:       warzone.Version4,
		Name:          "Grüße from Go",
		Size:          warzone.SizeOfGame,
		Host:          "127.0.0.1",
		MaxPlayers:    4,
		UserFlags:     [4]uint32{uint32(warzone.GameTypeSkirmish), 0x00010003}, // 1 of 3 spectators
		Extra:         "Extra",
		HostPort:      port,
		MapName:       "Sk-Rush",
		HostName:      "GoTester",
		VersionString: gameVersion,
		NetcodeMajor:  0x4000,
		NetcodeMinor:  79,
		GameID:        uint32(id),
		OS:            warzone.OSLinux,
		NetcodeWord:   0x4000004f,
	}
	list := func(when string, want warzone.Game) {
		t.Helper()
		if diff := cmp.Diff([]warzone.Game{want}, lobby.games(t, ctx)); diff != "" {
			t.Fatalf("list %s (-want +got):\n%s", when, diff)
		}
	}
	list("when the host has registered", want)
	if e, ok := lobby.Games.FindID(want.GameID); !ok || !e.Verified {
		t.Errorf("the lobby has not reached the host: %+v", e)
	}

	for range 2 {
		if _, err := lobby.heard.await(host.ctx, `"keep\x00"`); err != nil {
			t.Fatal(err)
		}
	}
	list("when the host has told twice that it is there", want)

	joined := t.Run("player", func(t *testing.T) {
		startGame(t, ctx, lobby.addr.Port(), startScreen(t, ctx), fmt.Sprintf("--join=127.0.0.1:%d", port))
		host.await(t, "[0] GoTester has joined")
		host.await(t, "Lobby success (200)")
		with := want
		with.CurrentPlayers = 1
		list("when a player has come", with)
	})
	if !joined {
		return
	}
	host.await(t, "[GoTester], has left")
	host.await(t, "Lobby success (200)")
	list("when he has left", want)

	if _, err := io.WriteString(host.input, "shutdown now\n"); err != nil {
		t.Fatal(err)
	}
	<-host.ctx.Done()
	if cause := context.Cause(host.ctx); cause != errEnded || host.err != nil {
		t.Fatalf("host has not ended well: %v, %v", cause, host.err)
	}
	for len(lobby.games(t, ctx)) > 0 { // until the lobby has seen the end, too
	}
	if out := host.out.String(); strings.Contains(out, "lobbyerror") || strings.Contains(out, "lobbysocketerror") {
		t.Error("the host tells of an error of the lobby")
	}
	if s := lobby.Stats(); s.Malformed > 0 || s.Refused > 0 {
		t.Errorf("stats of the lobby: %+v", s)
	}
}

// The window with the list shows few games and, asked again, many.
func TestRealList(t *testing.T) {
	t.Parallel()
	ctx := realContext(t)
	lobby := startRealLobby(t)
	announceGames(t, ctx, lobby.addr, 0, 3)
	c := startGame(t, ctx, lobby.addr.Port(), startScreen(t, ctx))
	c.await(t, "navigatedToMenu: Main")
	c.click(t, multiPlayer(), "navigatedToMenu: Multiplayer")
	c.click(t, joinGame(), "NETinit")
	c.click(t, lobbyList(), "Looking for games")
	c.await(t, "receiving info on 3 game(s)") // the first batch, then the second
	c.await(t, "Lobby success (200): Wïllkommen")
	c.await(t, "receiving info on 3 game(s)")
	c.shoot(t, "list-3.png")

	announceGames(t, ctx, lobby.addr, 3, 30)
	c.click(t, refreshList(), "Looking for games")
	c.await(t, "receiving info on 11 game(s)")
	c.await(t, "Lobby success (200): Wïllkommen")
	c.await(t, "receiving info on 30 game(s)")
	c.shoot(t, "list-30.png")
}

// announceGames has Hosts announce games, from one number to below another.
func announceGames(t *testing.T, ctx context.Context, lobby netip.AddrPort, from, to int) {
	t.Helper()
	accepted := make(chan struct{}, to-from)
	for i := from; i < to; i++ {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		once := sync.OnceFunc(func() { accepted <- struct{}{} })
		h := &warzonenet.Host{Addr: lobby.String(), Changed: func(s lobbywire.RegistrationStatus) {
			if s.Standing == lobbywire.StandingListed {
				once()
			}
		}}
		err = h.Set(warzone.Game{
			Name:          fmt.Sprintf("Grüße %02d, привет", i),
			MaxPlayers:    8,
			UserFlags:     [4]uint32{uint32(warzone.GameTypeSkirmish)},
			HostPort:      l.Addr().(*net.TCPAddr).AddrPort().Port(),
			MapName:       "Sk-Rush",
			VersionString: gameVersion,
			NetcodeMajor:  0x4000,
			NetcodeMinor:  79,
		})
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 2)
		go func() { ended <- h.ServeAlive(l) }()
		go func() { ended <- h.Run(ctx) }()
		t.Cleanup(func() {
			h.Close()
			<-ended
			<-ended
		})
	}
	for range to - from {
		select {
		case <-accepted:
		case <-ctx.Done():
			t.Fatal("the lobby has not accepted all games")
		}
	}
}
