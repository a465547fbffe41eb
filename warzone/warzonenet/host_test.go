package warzonenet

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
)

const testID = 0x01020304

var welcome = warzone.Status{Code: warzone.StatusOK, Text: "Welcome"}

// newHost returns a Host of a game at the lobby.
func newHost(lobby *scriptedLobby, game warzone.Game) *Host {
	lobby.t.Helper()
	h := &Host{Addr: scriptedAddr.String(), Dial: lobby.network.Dial}
	if err := h.Set(game); err != nil {
		lobby.t.Fatal(err)
	}
	return h
}

// hostOf returns a Host of a game that runs, and its lobby.
func hostOf(t testing.TB) (*scriptedLobby, warzone.Game, *Host) {
	t.Helper()
	lobby, game := newScriptedLobby(t), gamestest.Named("One")
	h := newHost(lobby, game)
	gamestest.Run(t, h)
	return lobby, game, h
}

func set(t testing.TB, h *Host, game warzone.Game) {
	t.Helper()
	if err := h.Set(game); err != nil {
		t.Fatal(err)
	}
}

// wantAfter checks how much time has passed since start.
func wantAfter(t testing.TB, start time.Time, want time.Duration) {
	t.Helper()
	if got := time.Since(start); got != want {
		t.Fatalf("it is %v later, want %v", got, want)
	}
}

// A hostState is the Status and the Answer of a Host.
type hostState struct {
	Standing lobbywire.Standing
	Err      error
	GameID   uint32
	Status   warzone.Status
}

func wantState(t testing.TB, h *Host, want hostState) {
	t.Helper()
	synctest.Wait()
	s, a := h.Status(), h.Answer()
	got := hostState{s.Standing, s.Err, a.GameID, a.Status}
	if diff := cmp.Diff(want, got, cmpopts.EquateErrors()); diff != "" {
		t.Fatalf("state (-want +got):\n%s", diff)
	}
}

// named returns the game with an id and another name.
func named(g warzone.Game, id uint32, name string) warzone.Game {
	g.GameID, g.Name = id, name
	return g
}

// announced handles a connection up to the answer to a game of version 3 or 4.
func (l *scriptedLobby) announced(id uint32, game warzone.Game, status warzone.Status) *scriptedConn {
	l.t.Helper()
	c := l.accept()
	c.want(warzone.GameIDRequest{})
	c.send(warzone.GameIDReply{GameID: id})
	c.want(warzone.AddGame{Game: named(game, id, game.Name)})
	c.send(status)
	return c
}

func TestHostOfVersion4UpdatesAndKeeps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lobby, game, h := hostOf(t)
		start := time.Now()
		c := lobby.announced(testID, game, welcome)
		state := hostState{Standing: lobbywire.StandingListed, GameID: testID, Status: welcome}
		wantState(t, h, state)

		for i := range 2 {
			c.want(warzone.Keep{})
			wantAfter(t, start, time.Duration(i+1)*25*time.Second)
		}
		time.Sleep(2 * time.Second)
		for _, name := range []string{"Two", "Three", "Four"} {
			set(t, h, named(game, 7, name)) // whatever it says, the id is the lobby's
		}
		c.want(warzone.Update{Game: named(game, testID, "Four")})
		wantAfter(t, start, 57*time.Second)

		set(t, h, named(game, 0, "Five"))
		c.wantSilence(10 * time.Second) // as the last is not answered
		c.send(warzone.Status{Code: warzone.StatusUpgrade, Text: "Upgrade"})
		c.want(warzone.Update{Game: named(game, testID, "Five")})
		wantAfter(t, start, 67*time.Second)
		state.Status = warzone.Status{Code: warzone.StatusUpgrade, Text: "Upgrade"}
		wantState(t, h, state)
		c.send(welcome)

		set(t, h, named(game, 0, "Five")) // is no change
		c.want(warzone.Keep{})
		wantAfter(t, start, 92*time.Second)
		h.Close()
		c.wantEnd()
		wantAfter(t, start, 92*time.Second)
		if diff := cmp.Diff(HostStats{Connects: 1, Sent: 3, Keeps: 3}, h.Stats()); diff != "" {
			t.Error(diff)
		}
		wantState(t, h, hostState{Standing: lobbywire.StandingLeft, Status: welcome})
	})
}

func TestHostOfVersion3SendsUpdatesOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lobby := newScriptedLobby(t)
		game := gamestest.Named("One")
		game.Version = warzone.Version3
		h := newHost(lobby, game)
		gamestest.Run(t, h)
		c := lobby.announced(testID, game, welcome)
		c.wantSilence(time.Minute)
		for _, name := range []string{"Two", "Three"} {
			set(t, h, named(game, 0, name))
			c.want(warzone.Update{Game: named(game, testID, name)})
			c.wantSilence(time.Minute)
		}
		c.send(welcome, warzone.Status{Code: warzone.StatusServerError}) // answers that the Host did not wait for
		wantState(t, h, hostState{Standing: lobbywire.StandingRefused, Err: lobbywire.ErrRefused, GameID: testID,
			Status: warzone.Status{Code: warzone.StatusServerError}})
	})
}

// Hosts before 3.0 announce a change on another connection.
func TestHostOfOldVersionsConnectsAgain(t *testing.T) {
	old := warzone.Game{Name: "One", MaxPlayers: 4}
	for _, tt := range []struct {
		name     string
		game     func(g *warzone.Game)
		id       uint32
		answered bool
	}{
		{"2.0", func(g *warzone.Game) { g.Layout = warzone.Layout20 }, 0, false},
		{"2.1", func(g *warzone.Game) { g.Layout = warzone.Layout21 }, 0, false},
		{"2.2", func(g *warzone.Game) { g.Version, g.GameID = warzone.Version2, warzone.Filler+1 }, 0, true},
		{"2.3", func(g *warzone.Game) { g.Layout, g.Version = warzone.Layout23, warzone.Version3 }, testID, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				lobby := newScriptedLobby(t)
				game := old
				tt.game(&game)
				h := newHost(lobby, game)
				gamestest.Run(t, h)
				start := time.Now()
				game = complete(game)
				var c *scriptedConn
				for i, name := range []string{"One", "Two", "Three"} {
					game.Name = name
					set(t, h, game)
					if c != nil {
						c.wantEnd()
					}
					c = lobby.accept()
					if tt.id != 0 {
						c.want(warzone.GameIDRequest{})
						c.send(warzone.GameIDReply{GameID: tt.id})
						game.GameID = tt.id
					}
					c.want(warzone.AddGame{Game: game})
					wantAfter(t, start, time.Duration(i)*7*time.Second)
					state := hostState{Standing: lobbywire.StandingUnconfirmed, Err: errUnanswered, GameID: tt.id}
					if tt.answered {
						c.send(welcome)
						state = hostState{Standing: lobbywire.StandingListed, GameID: tt.id, Status: welcome}
					}
					wantState(t, h, state)
				}
				c.wantSilence(time.Hour)
			})
		})
	}
}

// A game of another version is announced as clients of that version do.
func TestHostChangesItsVersion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lobby := newScriptedLobby(t)
		h := newHost(lobby, warzone.Game{Name: "New"})
		gamestest.Run(t, h)
		c := lobby.announced(testID, complete(warzone.Game{Name: "New"}), welcome)
		old := complete(warzone.Game{Name: "Old", Layout: warzone.Layout21})
		set(t, h, old)
		c.wantEnd()
		lobby.accept().want(warzone.AddGame{Game: old})
	})
}

// The Host reports a refusal and stays connected; the next update may be accepted.
func TestHostIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lobby := newScriptedLobby(t)
		game := gamestest.Named("Bad word")
		h := newHost(lobby, game)
		var told []lobbywire.Standing
		h.Changed = func(s lobbywire.RegistrationStatus) { told = append(told, s.Standing) }
		gamestest.Run(t, h)
		refused := warzone.Status{Code: warzone.StatusNotAcceptable, Text: "Your game is not reachable\nport 2100"}
		c := lobby.announced(testID, game, refused)
		c.want(warzone.Keep{})
		wantState(t, h, hostState{Standing: lobbywire.StandingRefused, Err: lobbywire.ErrRefused, GameID: testID,
			Status: refused})
		set(t, h, named(game, 0, "Good"))
		c.want(warzone.Update{Game: named(game, testID, "Good")})
		c.send(welcome)
		wantState(t, h, hostState{Standing: lobbywire.StandingListed, GameID: testID, Status: welcome})
		if diff := cmp.Diff([]lobbywire.Standing{lobbywire.StandingRefused, lobbywire.StandingListed}, told); diff != "" {
			t.Error(diff)
		}
	})
}

// Lobbies before 2020 answer no updates, so the Host announces again, once.
func TestHostAnnouncesOnceMoreToASilentLobby(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lobby, game, h := hostOf(t)
		c := lobby.announced(testID, game, welcome)
		set(t, h, named(game, 0, "Two"))
		c.want(warzone.Update{Game: named(game, testID, "Two")})
		start := time.Now()
		c.wantEnd()
		wantAfter(t, start, 15*time.Second)
		wantState(t, h, hostState{Standing: lobbywire.StandingSilent, Status: welcome, Err: lobbywire.ErrTimeout})

		c = lobby.announced(5, named(game, 0, "Two"), welcome)
		set(t, h, named(game, 0, "Three"))
		c.want(warzone.Update{Game: named(game, 5, "Three")})
		c.wantSilence(time.Hour)
		for _, name := range []string{"Four", "Five"} {
			set(t, h, named(game, 0, name))
			c.want(warzone.Update{Game: named(game, 5, name)})
			c.wantSilence(time.Hour)
		}
		wantState(t, h, hostState{Standing: lobbywire.StandingListed, GameID: 5, Status: welcome})
	})
}

// A lobby that has answered updates is not considered an old one.
func TestLobbyFallenSilentIsNotAnOldOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lobby := newScriptedLobby(t)
		game := gamestest.Named("0")
		h := newHost(lobby, game)
		gamestest.Run(t, h)
		for i := range 5 {
			c := lobby.announced(testID, game, welcome)
			name := func(s string) warzone.Game { return named(game, testID, s+string(rune('0'+i))) }
			set(t, h, name("answered"))
			c.want(warzone.Update{Game: name("answered")})
			c.send(welcome)
			set(t, h, name("not"))
			c.want(warzone.Update{Game: name("not")})
			c.wantEnd()
			game = name("not")
		}
	})
}

// A Host announces again to a lobby that disappeared in any way, with growing
// back-off.
func TestHostComesBackAfterALobbyVanishes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lobby, game, h := hostOf(t)
		c := lobby.announced(testID, game, welcome)
		time.Sleep(2 * time.Minute)
		lobby.listener.Close()
		c.Close()
		wantState(t, h, hostState{Standing: lobbywire.StandingUnreachable, Status: welcome,
			Err: io.ErrUnexpectedEOF})
		set(t, h, named(game, 0, "Two"))
		wait := func(least, most time.Duration) {
			t.Helper()
			const step = 10 * time.Millisecond // each failure is seen up to a step late
			start := time.Now()
			for before := h.Stats().Failures; h.Stats().Failures == before; {
				time.Sleep(step)
			}
			if got := time.Since(start); got < least-step || got > most+step {
				t.Errorf("came again after %v, want %v to %v", got, least, most)
			}
			wantState(t, h, hostState{Standing: lobbywire.StandingUnreachable, Status: welcome,
				Err: syscall.ECONNREFUSED})
		}
		for d := 5 * time.Second; d <= 300*time.Second; d = min(2*d, 300*time.Second) {
			wait(d/2, d*3/2)
			if d == 300*time.Second {
				break
			}
		}
		lobby.open(scriptedAddr)
		c = lobby.announced(9, named(game, 0, "Two"), welcome)
		wantState(t, h, hostState{Standing: lobbywire.StandingListed, GameID: 9, Status: welcome})

		// Only an announcement that lasts a minute is a success.
		time.Sleep(time.Minute)
		for _, most := range []time.Duration{7500 * time.Millisecond, 15 * time.Second, 30 * time.Second} {
			start := time.Now()
			c.Close()
			c = lobby.announced(testID, named(game, 0, "Two"), welcome)
			if got := time.Since(start); got < most/3 || got > most {
				t.Errorf("came again after %v, want %v to %v", got, most/3, most)
			}
		}
	})
}

// After any fault of a lobby, the connection ends in time.
func TestBadLobbyEndsTheConnectionInTime(t *testing.T) {
	game := gamestest.Named("One")
	for _, tt := range []struct {
		name  string
		lobby func(c *scriptedConn)
		err   error
		took  time.Duration
	}{
		{"no id comes", silent, lobbywire.ErrTimeout, 15 * time.Second},
		{"half an id", func(c *scriptedConn) {
			c.send(raw{1, 2})
			silent(c)
		}, lobbywire.ErrTruncated, 15 * time.Second},
		{"no status comes", func(c *scriptedConn) {
			c.send(warzone.GameIDReply{GameID: 1})
			silent(c)
		}, lobbywire.ErrTimeout, 15 * time.Second},
		{"the id comes late, and so does the status", func(c *scriptedConn) {
			time.Sleep(14 * time.Second)
			c.send(warzone.GameIDReply{GameID: 1})
			time.Sleep(16 * time.Second)
			c.send(welcome)
		}, lobbywire.ErrTimeout, 29 * time.Second},
		{"a status of 4 GiB", func(c *scriptedConn) {
			c.send(warzone.GameIDReply{GameID: 1}, vector(t, "status_endless"))
			silent(c)
		}, lobbywire.ErrTooLarge, 0},
		{"a status that trickles", func(c *scriptedConn) {
			c.send(warzone.GameIDReply{GameID: 1}, raw{0, 0, 0, 200, 0, 1, 0, 0})
			for range 20 {
				time.Sleep(time.Second)
				c.send(raw("x"))
			}
		}, lobbywire.ErrTruncated, 15 * time.Second},
		{"a status with a text longer than its length", func(c *scriptedConn) {
			c.want(warzone.GameIDRequest{})
			c.send(warzone.GameIDReply{GameID: 1})
			c.want(warzone.AddGame{Game: named(game, 1, "One")})
			c.send(welcome, raw("!"))
			silent(c)
		}, lobbywire.ErrTruncated, 15 * time.Second},
		{"the lobby hangs up after a refusal", func(c *scriptedConn) {
			c.want(warzone.GameIDRequest{})
			c.send(warzone.GameIDReply{GameID: 1})
			c.want(warzone.AddGame{Game: named(game, 1, "One")})
			c.send(warzone.Status{Code: warzone.StatusForbidden})
		}, lobbywire.ErrRefused, 0},
		{"the lobby hangs up within a status", func(c *scriptedConn) {
			c.want(warzone.GameIDRequest{})
			c.send(warzone.GameIDReply{GameID: 1})
			c.want(warzone.AddGame{Game: named(game, 1, "One")})
			c.send(raw{0, 0, 0})
		}, lobbywire.ErrTruncated, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				lobby := newScriptedLobby(t)
				h := newHost(lobby, game)
				ended := make(chan error, 100)
				h.Changed = func(s lobbywire.RegistrationStatus) {
					if s.Err != nil {
						ended <- s.Err
					}
				}
				lobby.serve(tt.lobby)
				start := time.Now()
				gamestest.Run(t, h)
				err := <-ended
				synctest.Wait()
				if a := h.Answer(); !errors.Is(err, tt.err) || a.GameID != 0 {
					t.Errorf("%v, want %v, answer %+v", err, tt.err, a)
				}
				wantAfter(t, start, tt.took)
			})
		})
	}
}

// Only expected statuses call Changed; they may arrive in any pieces.
func TestHostIsToldWhatItAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lobby := newScriptedLobby(t)
		game := gamestest.Named("One")
		h := newHost(lobby, game)
		told := 0
		h.Changed = func(lobbywire.RegistrationStatus) { told++ }
		gamestest.Run(t, h)
		c := lobby.accept()
		c.want(warzone.GameIDRequest{})
		for _, b := range vector(t, "lobby_session")[:48] { // an id and a status
			c.send(raw{b})
		}
		c.want(warzone.AddGame{Game: named(game, testID, "One")})
		for range 1000 {
			c.send(welcome)
		}
		synctest.Wait()
		if told != 1 {
			t.Errorf("told %d times", told)
		}
		wantState(t, h, hostState{Standing: lobbywire.StandingListed, GameID: testID, Status: warzone.Status{
			Code: warzone.StatusOK, Text: "Welcome from the loopback test lobby",
		}})
	})
}

// A lobby that reads nothing gets no more than the network buffers.
func TestLobbyThatNeverReadsGetsNoMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lobby := newScriptedLobby(t)
		game := gamestest.Named("One")
		game.Version = warzone.Version3
		h := newHost(lobby, game)
		gamestest.Run(t, h)
		c := lobby.accept()
		c.send(warzone.GameIDReply{GameID: 1}, welcome)
		sent := 0
		for ; h.Status().Err == nil; sent++ {
			game.CurrentPlayers++
			set(t, h, game)
			time.Sleep(8 * time.Second)
		}
		if want := 64<<10/warzone.GameSize + 3; sent > want || h.Status().Err != lobbywire.ErrTimeout {
			t.Errorf("ended after %d updates, want %d at most; %v", sent, want, h.Status().Err)
		}
	})
}

func TestHostEndsWhileItConnects(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &Host{Addr: scriptedAddr.String(), Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}}
		set(t, h, gamestest.Named("One"))
		gamestest.Run(t, h)
		time.Sleep(14 * time.Second)
		wantState(t, h, hostState{})
		time.Sleep(time.Second)
		wantState(t, h, hostState{Standing: lobbywire.StandingSilent, Err: lobbywire.ErrTimeout})
		if diff := cmp.Diff(HostStats{Failures: 1}, h.Stats()); diff != "" {
			t.Error(diff)
		}
	})
}

func TestHostRefusesGames(t *testing.T) {
	h := new(Host)
	for _, tt := range []struct {
		game warzone.Game
		want string
	}{
		{warzone.Game{Name: strings.Repeat("x", 70)}, "name: limit exceeded: 70, at most 63"},
		{warzone.Game{Version: 5}, "version: unsupported"},
		{warzone.Game{Layout: warzone.Layout21, MapName: "none there"}, "mapName: "},
	} {
		err := h.Set(tt.game)
		if !errors.As(err, new(*lobbywire.Error)) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v, want %s", tt.game, err, tt.want)
		}
	}
	if game, _ := h.announcer.Current(); game != (warzone.Game{}) {
		t.Error("one was taken")
	}
}
