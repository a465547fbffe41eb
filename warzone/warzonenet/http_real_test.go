//go:build linux

package warzonenet_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
)

// realContext47 returns the context for a test with the real game of version 4.7, which
// bounds its time. The test is skipped without the game.
func realContext47(t *testing.T) context.Context {
	t.Helper()
	root47(t)
	ctx, cancel := context.WithTimeout(t.Context(), realTime())
	t.Cleanup(cancel)
	return ctx
}

// hostGame47 starts a host without a window.
func hostGame47(t *testing.T, ctx context.Context, lobby string) *realGame {
	t.Helper()
	return startGame47(t, ctx, "Anna", lobby, "", "--headless", "--autohost="+autohost, "--enablecmdinterface=stdin")
}

// joinGame47 starts a player without a window who joins a game by its id.
func joinGame47(t *testing.T, ctx context.Context, lobby, id string) *realGame {
	t.Helper()
	return startGame47(t, ctx, "Berta", lobby, "", "--headless", "--autogame", "--lobbyjoin="+id)
}

// games returns the listed games.
func (s *realHTTPLobby) games(t *testing.T, ctx context.Context) []wzhttp.Game {
	t.Helper()
	l, err := (&wzhttpnet.Client{ListEvery: -1}).List(ctx, s.url)
	if err != nil {
		t.Fatalf("list: %v", err)
	}
	return l.Games
}

// await waits for the next request with want in its line.
func (s *realHTTPLobby) await(t *testing.T, ctx context.Context, want string) {
	t.Helper()
	if _, err := s.heard.await(ctx, want); err != nil {
		t.Fatal(err)
	}
}

// A real host of 4.7 is listed, has a player join through the lobby, changes, sends a
// keep-alive, and ends.
func TestReal47Host(t *testing.T) {
	t.Parallel()
	ctx := realContext47(t)
	lobby := startRealHTTPLobby(t, &wzhttpnet.Lobby{Games: new(warzonegames.Games), MOTD: "Wïllkommen"})
	host := hostGame47(t, ctx, lobby.url)
	id := host.await(t, "WZEVENT: lobbyid: ")
	want := []wzhttp.Game{{
		ID: id,
		Room: wzhttp.Room{
			Version: "4.7.0", Netcode: wzhttp.Netcode47(), Name: "Grüße from Go", Host: wzhttp.Player{Name: "Anna"},
			Map: wzhttp.Map{Name: "Sk-Rush"}, Players: wzhttp.Seats{Max: 4},
			Spectators: wzhttp.Seats{Current: 1, Max: 3},
		},
		Connections: []wzhttp.ConnectionType{wzhttp.TCP4},
	}}
	list := func(when string) {
		t.Helper()
		got := lobby.games(t, ctx)
		if len(got) == 1 && got[0].Room.Host.PublicKey == "" {
			t.Error("the game has no key")
		}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(wzhttp.Player{}, "PublicKey"),
			cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("list %s (-want +got):\n%s", when, diff)
		}
	}
	list("when the host has registered")

	joinGame47(t, ctx, lobby.url, id)
	lobby.await(t, ctx, "/check-join-request 200")
	host.await(t, "Berta has joined")
	lobby.await(t, ctx, `{\"players\":{\"cur\":1,\"max\":4}}`)
	want[0].Room.Players.Current = 1
	list("when a player has come")
	if s := lobby.Stats(); s.Checks != 1 || s.Rejected != 0 || s.Joins != 2 {
		t.Errorf("stats of the lobby: %+v", s)
	}

	lobby.await(t, ctx, `{}`) // 30 s later
	list("after a keep-alive")
	host.end(t)
	lobby.await(t, ctx, "DELETE ")
	want = nil
	list("after the end")
	if out := host.out.String(); strings.Contains(out, "lobbyerror") {
		t.Error("the host reports an error of the lobby")
	}
	if s := lobby.Stats(); s.Malformed > 0 || s.Limited > 0 {
		t.Errorf("stats of the lobby: %+v", s)
	}
}

// When all players of a real host are ready, the match starts, and the lobby no longer
// lists the game.
func TestReal47Start(t *testing.T) {
	t.Parallel()
	ctx := realContext47(t)
	lobby := startRealHTTPLobby(t, &wzhttpnet.Lobby{Games: new(warzonegames.Games)})
	host := startGame47(t, ctx, "Anna", lobby.url, "", "--headless", "--autohost="+autohostAlone,
		"--enablecmdinterface=stdin", "--startplayers=1")
	id := host.await(t, "WZEVENT: lobbyid: ")
	player := startGame47(t, ctx, "Berta", lobby.url, startScreen(t, ctx), "--lobbyjoin="+id)
	host.await(t, "Berta has joined")
	player.clickUntil(t, ready(), func(ctx context.Context) error {
		_, err := host.out.await(ctx, "WZEVENT: startMultiplayerGame")
		return err
	})
	lobby.await(t, ctx, "DELETE /base/api/v1/game/"+id+"?started=1 200")
	if got := lobby.games(t, ctx); len(got) > 0 {
		t.Errorf("a started game is listed: %+v", got)
	}
}

// A real host waits while the lobby is not ready, and stays listed when the lobby is
// restarted with its key and its games. When the game is lost, the host ends the listing
// and shows the reason.
func TestReal47Restart(t *testing.T) {
	t.Parallel()
	ctx := realContext47(t)
	games, key := new(warzonegames.Games), []byte("0123456789abcdef0123456789abcdef")
	var ready atomic.Bool
	lobby := startRealHTTPLobby(t, &wzhttpnet.Lobby{Games: games, Key: key, Ready: ready.Load})
	host := hostGame47(t, ctx, lobby.url)
	lobby.await(t, ctx, "POST /base/api/v1/game 429")
	ready.Store(true)
	id := host.await(t, "WZEVENT: lobbyid: ")

	lobby.replace(&wzhttpnet.Lobby{Games: games, Key: key})
	lobby.await(t, ctx, "PATCH /base/api/v1/game/"+id+" 200") // 30 s later
	if got := lobby.games(t, ctx); len(got) != 1 || got[0].ID != id {
		t.Fatalf("after the restart: %+v", got)
	}

	for e := range games.All() {
		games.Remove(e.ID)
	}
	lobby.await(t, ctx, "PATCH /base/api/v1/game/"+id+" 404")
	host.await(t, "WZEVENT: lobbyerror (GAME_NOT_FOUND)")
}

// The same is true of a host whose game the lobby has not published yet.
func TestReal47RestartUnpublished(t *testing.T) {
	t.Parallel()
	ctx := realContext47(t)
	games, key := new(warzonegames.Games), []byte("0123456789abcdef0123456789abcdef")
	lobby := startRealHTTPLobby(t, &wzhttpnet.Lobby{
		Games: games, Key: key,
		Dial: func(ctx context.Context, _, _ string) (net.Conn, error) { // so that no check ends before the lobby
			<-ctx.Done()
			return nil, ctx.Err()
		},
	})
	host := hostGame47(t, ctx, lobby.url)
	lobby.await(t, ctx, "/connection 202")
	lobby.replace(&wzhttpnet.Lobby{Games: games, Key: key})
	id := host.await(t, "WZEVENT: lobbyid: ")
	if got := lobby.games(t, ctx); len(got) != 1 || got[0].ID != id {
		t.Errorf("after the restart: %+v", got)
	}
}

// A real player gets the address of our host from the lobby and connects to it, and first
// sends the version of its netcode. Our host has no game that it could join.
func TestReal47JoinsOurHost(t *testing.T) {
	t.Parallel()
	ctx := realContext47(t)
	lobby := startRealHTTPLobby(t, &wzhttpnet.Lobby{Games: new(warzonegames.Games)})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	published := make(chan string, 16)
	host := &wzhttpnet.Host{Addr: lobby.url, Port: l.Addr().(*net.TCPAddr).AddrPort().Port(), NoIPv6: true}
	host.Changed = func(s lobbywire.RegistrationStatus) {
		if s.Standing == lobbywire.StandingListed {
			published <- host.Answer().GameID
		}
	}
	if err := host.Set(wzhttp.Room{Name: "Ours", Host: wzhttp.Player{Name: "Go"}, Map: wzhttp.Map{Name: "Sk-Rush"},
		Players: wzhttp.Seats{Max: 4}}); err != nil {
		t.Fatal(err)
	}
	var heard transcript
	ended := make(chan error, 2)
	go func() { ended <- host.ServeAlive(tap{l.(*net.TCPListener), &heard}) }()
	go func() { ended <- host.Run(ctx) }()
	t.Cleanup(func() {
		host.Close()
		<-ended
		<-ended
	})
	joinGame47(t, ctx, lobby.url, <-published)
	lobby.await(t, ctx, "/request-join 200")
	if _, err := heard.await(ctx, `"\x00\x00@\x00\x00\x00\x00h`); err != nil { // 0x4000, 104
		t.Fatal(err)
	}
}

// A real player that may not join gets the lobby's message.
func TestReal47Refused(t *testing.T) {
	t.Parallel()
	ctx := realContext47(t)
	lobby := startRealHTTPLobby(t, &wzhttpnet.Lobby{
		Games: new(warzonegames.Games),
		AdmitJoin: func(context.Context, wzhttpnet.JoinAttempt) *wzhttpnet.Error {
			return &wzhttpnet.Error{Status: http.StatusForbidden, Code: wzhttp.CodeDisallowedSource, Message: "No"}
		},
	})
	host := hostGame47(t, ctx, lobby.url)
	id := host.await(t, "WZEVENT: lobbyid: ")
	player := joinGame47(t, ctx, lobby.url, id)
	lobby.await(t, ctx, "/request-join 403")
	player.await(t, "HOST_DISALLOWED_JOIN_SOURCE: No")
}

// A real host whose first request comes on a connection beyond the limits gets status 429,
// waits, and is listed.
func TestReal47Limits(t *testing.T) {
	t.Parallel()
	ctx := realContext47(t)
	l := &wzhttpnet.Lobby{Games: new(warzonegames.Games)}
	l.Limits = lobbywire.ConnLimits{MaxPerAddress: 4, First: time.Minute}
	refused := make(chan struct{})
	isRefused := sync.OnceFunc(func() { close(refused) })
	lobby := startRealHTTPLobby(t, l, func(server *http.Server) {
		server.ConnState = func(_ net.Conn, state http.ConnState) {
			if state == http.StateClosed {
				isRefused()
			}
		}
	})
	addr := strings.TrimPrefix(strings.TrimSuffix(lobby.url, "/base"), "http://")
	var others []net.Conn
	for range 4 {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		others = append(others, c)
	}
	host := hostGame47(t, ctx, lobby.url)
	select {
	case <-refused:
	case <-ctx.Done():
		t.Fatal(ctx.Err())
	}
	for _, c := range others {
		c.Close()
	}
	id := host.await(t, "WZEVENT: lobbyid: ")
	if games := lobby.games(t, ctx); len(games) != 1 || games[0].ID != id {
		t.Errorf("listed: %+v", games)
	}
}

// captchaText is what players have to answer.
const captchaText = "X7Q2"

// captcha returns a captcha with a picture of red and white squares.
func captcha(t *testing.T) []byte {
	t.Helper()
	const square = 20
	picture := image.NewPaletted(image.Rect(0, 0, 12*square, 4*square),
		color.Palette{color.White, color.RGBA{R: 200, A: 255}})
	for i := range picture.Pix {
		x, y := i%picture.Stride, i/picture.Stride
		picture.Pix[i] = uint8(x/square+y/square) % 2
	}
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		t.Fatal(err)
	}
	data, err := wzhttp.Captcha{
		Type: wzhttp.CaptchaText, Token: "ct-1",
		Data: wzhttp.CaptchaData{Image: &wzhttp.Image{Type: wzhttp.ImagePNG,
			Data: base64.StdEncoding.EncodeToString(b.Bytes())}},
	}.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Places in the window of 4.7.
func filters() button      { return button{754, 57} }  // of the list
func incompatible() button { return button{735, 88} }  // of the filters
func outside() button      { return button{500, 600} } // of the filters
func firstGame() button    { return button{340, 130} }
func answerText() button   { return button{490, 374} } // to a captcha
func answerOK() button     { return button{613, 374} }

// allVersions is the filter of the list of 4.3.3.
func allVersions() button { return button{747, 163} }

// openList47 starts a player with a window, which shows the list of a lobby.
func openList47(t *testing.T, ctx context.Context, lobby *realHTTPLobby) *realGame {
	t.Helper()
	c := startGame47(t, ctx, "Berta", lobby.url, startScreen(t, ctx))
	c.await(t, "navigatedToMenu: Main")
	c.click(t, multiPlayer(), "navigatedToMenu: Multiplayer")
	c.clickUntil(t, joinGame(), func(ctx context.Context) error {
		_, err := lobby.heard.await(ctx, "GET /base/api/v1/games 200")
		return err
	})
	return c
}

// shootAll takes a picture of the list with games of other versions, which players see
// after they have changed a filter with some clicks.
func (g *realGame) shootAll(t *testing.T, name string, clicks ...button) {
	t.Helper()
	if os.Getenv(shotsVariable) == "" {
		return
	}
	for _, b := range clicks {
		const pause = "2" // for a program that draws slowly
		g.tool(t, "xdotool", "mousemove", strconv.Itoa(b.x), strconv.Itoa(b.y), "sleep", pause, "mousedown", "1",
			"sleep", pause, "mouseup", "1")
	}
	g.shoot(t, name)
}

// The window of the real game shows games of all versions and other unusual games. It shows
// a captcha to a player, who joins after the right answer.
func TestReal47List(t *testing.T) {
	t.Parallel()
	ctx := realContext47(t)
	data := captcha(t)
	lobby := startRealHTTPLobby(t, &wzhttpnet.Lobby{
		Games: new(warzonegames.Games), MOTD: "Wïllkommen\nzwei Zeilen",
		AdmitJoin: func(_ context.Context, a wzhttpnet.JoinAttempt) *wzhttpnet.Error {
			c := a.Request.Captcha
			if c != nil && c.Token == "ct-1" && c.Response.Result != nil && *c.Response.Result == captchaText {
				return nil
			}
			return &wzhttpnet.Error{Status: http.StatusForbidden, Code: wzhttp.CodeCaptchaRequired, Message: "Human?",
				Data: data}
		},
	})
	host := hostGame47(t, ctx, lobby.url)
	host.await(t, "WZEVENT: lobbyid: ")
	for i, g := range oddGames() {
		at := netip.AddrPortFrom(netip.AddrFrom4([4]byte{198, 51, 100, byte(i + 1)}), warzone.GamePort)
		if _, err := lobby.Games.Add(warzonegames.Entry{Key: at, Source: warzonegames.SourceLobby,
			Game: g}); err != nil {
			t.Fatal(err)
		}
	}
	c := openList47(t, ctx, lobby)
	if !strings.Contains(lobby.heard.String(), " gzip\n") {
		t.Error("the list is not compressed")
	}
	c.shoot(t, "list-4.7.png")
	c.shootAll(t, "list-all-4.7.png", filters(), incompatible(), outside())
	c.clickUntil(t, firstGame(), func(ctx context.Context) error {
		_, err := lobby.heard.await(ctx, "/request-join 403")
		return err
	})
	c.await(t, "The host has requested additional verification")
	for joined := false; !joined; {
		c.clickUntil(t, answerText(), func(context.Context) error { return nil })
		c.tool(t, "xdotool", "key", "--repeat", "8", "--delay", "100", "BackSpace")
		c.tool(t, "xdotool", "type", "--delay", "100", captchaText)
		c.shoot(t, "captcha-4.7.png")
		c.clickUntil(t, answerOK(), func(ctx context.Context) error { return nil })
		within, cancel := context.WithTimeout(ctx, 5*time.Second)
		_, err := lobby.heard.await(within, "/request-join 200")
		cancel()
		joined = err == nil
		if ctx.Err() != nil {
			t.Fatal(err)
		}
	}
	lobby.await(t, ctx, "/check-join-request 200")
	host.await(t, "Berta has joined")
}

// oddGames are games of earlier versions, with texts of all kinds.
func oddGames() []warzone.Game {
	game := func(name string, change func(g *warzone.Game)) warzone.Game {
		g := warzone.Game{
			Version: warzone.Version4, Size: warzone.SizeOfGame, Name: name, MaxPlayers: 8, CurrentPlayers: 3,
			MapName:  "Rush",
			HostName: "Carla", VersionString: "4.3.3", NetcodeMajor: 0x4000, NetcodeMinor: 79,
		}
		change(&g)
		return g
	}
	joinable := func(g *warzone.Game) { g.VersionString, g.NetcodeMinor = "4.7.0", 104 }
	return []warzone.Game{
		game("joinable, private, with mods", func(g *warzone.Game) {
			joinable(g)
			g.Private, g.ModList, g.Limits = 1, "camBalance, another", warzone.LimitVTOLs|warzone.LimitTanks
		}),
		game("привет 你好 \x01\xff", joinable),
		game(strings.Repeat("long ", 12), joinable),
		game("of 4.3.3", func(*warzone.Game) {}),
		game("no version", func(g *warzone.Game) {
			g.Version, g.VersionString, g.NetcodeMajor, g.NetcodeMinor = 0, "",
				0, 0
		}),
	}
}

// The window of 4.3.3 shows a host of 4.7, and the list of 4.7 has a host of 4.3.3, with
// the details that each version supports.
func TestRealVersionsTogether(t *testing.T) {
	t.Parallel()
	ctx47 := realContext47(t)
	ctx := realContext(t)
	old := startRealLobby(t)
	lobby := startRealHTTPLobby(t, &wzhttpnet.Lobby{Games: old.Games, MOTD: "Hello"})
	newHost := hostGame47(t, ctx47, lobby.url)
	id := newHost.await(t, "WZEVENT: lobbyid: ")
	port := gamePort(t)
	oldHost := startGame(t, ctx, old.addr.Port(), "", "--headless", "--autohost="+autohost,
		"--enablecmdinterface=stdin", fmt.Sprintf("--gameport=%d", port))
	oldID, err := strconv.ParseUint(oldHost.await(t, "WZEVENT: lobbyid: "), 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	oldHost.await(t, "Lobby success (200)")

	got := lobby.games(t, ctx)
	if len(got) != 2 || got[0].ID != id {
		t.Fatalf("list for 4.7: %+v", got)
	}
	want := wzhttp.Room{
		Version: "4.3.3", Netcode: wzhttp.Netcode{Major: 0x4000, Minor: 79}, Name: "Grüße from Go",
		Host: wzhttp.Player{Name: "GoTester"},
		Map:  wzhttp.Map{Name: "Sk-Rush"}, Players: wzhttp.Seats{Max: 4}, Spectators: wzhttp.Seats{Current: 1, Max: 3},
	}
	if diff := cmp.Diff(want, got[1].Room, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("the old host in the list for 4.7 (-want +got):\n%s", diff)
	}
	games := old.games(t, ctx)
	i := slices.IndexFunc(games, func(g warzone.Game) bool { return g.VersionString == "4.7.0" })
	if len(games) != 2 || i < 0 || games[i].NetcodeMinor != 104 || games[i].MapName != "Sk-Rush" ||
		games[i].HostName != "Anna" || games[1-i].GameID != uint32(oldID) {
		t.Errorf("list for earlier clients: %+v", games)
	}

	c := startGame(t, ctx, old.addr.Port(), startScreen(t, ctx))
	c.await(t, "navigatedToMenu: Main")
	c.click(t, multiPlayer(), "navigatedToMenu: Multiplayer")
	c.click(t, joinGame(), "NETinit")
	c.click(t, lobbyList(), "Looking for games")
	c.await(t, "receiving info on 2 game(s)")
	c.shootAll(t, "together-4.3.3.png", allVersions())
	if os.Getenv(shotsVariable) != "" {
		openList47(t, ctx47, lobby).shootAll(t, "together-4.7.png", filters(), incompatible(), outside())
	}
	newHost.end(t)
	lobby.await(t, ctx, "DELETE ")
}
