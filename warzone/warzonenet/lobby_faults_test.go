package warzonenet

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/internal/serving"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// announce adds a game of version 4 that answers the lobby, and returns its
// connection.
func (n *lobbyNet) announce(from, name string) *lobbyPeer {
	n.t.Helper()
	h := n.connect(from)
	id := h.id()
	n.listen(from+":2101", alive(&id))
	h.send(warzone.AddGame{Game: gamestest.OfVersion(warzone.Version4, name)})
	h.wantStatus(warzone.StatusOK)
	return h
}

// Clients get the list and the end of the connection, whether they close first or
// not.
func TestLobbyEndsAfterEachList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startLobby(t, new(Lobby))
		_, want := n.list()
		for _, req := range []string{"list\x00", "list\n", "list", "LIST\n\r", "\r\nlist\x00", "list\x00and more"} {
			c := n.connect("203.0.113.9")
			c.Write([]byte(req))
			if got := c.rest(); !bytes.Equal(got, want) {
				t.Errorf("%q: %d bytes, want %d", req, len(got), len(want))
			}
		}
	})
}

// Input that is not a request ends the connection and lists nothing.
func TestLobbyRefusesGarbage(t *testing.T) {
	add, err := warzone.AddGame{Game: gamestest.OfVersion(warzone.Version4, "Game")}.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, bytes string
		code        warzone.StatusCode // 0: nothing is answered
	}{
		{"text", "GET / HTTP/1.1\r\n\r\n", 0},
		{"digits", strings.Repeat("9", 5000), 0},
		{"length of 4 GiB", "\xff\xff\xff\xff\xff\xff\xff\xff", 0},
		{"update before a game", string(add[5:]), 0},
		{"join", "join\x00", 0},
		{"version 5", "\x00\x00\x00\x05" + string(add[9:]), warzone.StatusNotAcceptable},
		{"game of version 5", "addg\x00\x00\x00\x00\x05", warzone.StatusNotAcceptable},
		{"calls of 2011", "version\x00\x00\x00\x00\x04", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := &Lobby{NoVerify: true}
				n := startLobby(t, l)
				c := n.connect(hostAddr)
				go c.Write([]byte(tt.bytes))
				if tt.code != 0 {
					c.wantStatus(tt.code)
				}
				c.wantEnd()
				if s := l.Stats(); s.Malformed != 1 || s.Added != 0 {
					t.Errorf("%+v", s)
				}
			})
		})
	}
}

// A listed host that sends garbage is removed.
func TestLobbyUnlistsWhoSendsGarbage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startLobby(t, new(Lobby))
		h := n.announce(hostAddr, "Game")
		h.Write([]byte("garbage"))
		h.wantEnd()
		if names := n.names(); len(names) > 0 {
			t.Errorf("listed %q", names)
		}
	})
}

// A peer with endless requests gets a burst of answers, and then one at each interval.
func TestLobbyPacesEndlessRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startLobby(t, new(Lobby))
		c := n.connect(hostAddr)
		go func() {
			for {
				if _, err := c.Write([]byte("gaId\x00")); err != nil {
					return
				}
			}
		}()
		start := time.Now()
		c.read(4 * (serving.Burst + 50))
		if took := time.Since(start); took != 50*serving.Every {
			t.Errorf("took %v", took)
		}
		c.Close()
	})
}

func TestLobbyRefusesGamesBeyondMaxGames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startLobby(t, &Lobby{Games: &warzonegames.Games{Limits: warzonegames.Limits{MaxGames: 8}}, NoVerify: true})
		codes := map[warzone.StatusCode]int{}
		for i := range 10 {
			h := n.connect(fmt.Sprintf("198.51.%d.1", i))
			h.send(warzone.AddGame{Game: gamestest.OfVersion(warzone.Version4, "Game")})
			head := h.read(4)
			codes[warzone.StatusCode(head[2])<<8|warzone.StatusCode(head[3])]++
		}
		if codes[warzone.StatusOK] != 8 || codes[warzone.StatusForbidden] != 2 {
			t.Errorf("status codes: %v", codes)
		}
	})
}

// A connection that ends does not remove the game of a later one. If it stays open, its
// updates get a status.
func TestLobbyHostComesAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startLobby(t, &Lobby{NoVerify: true})
		before, after := n.connect(hostAddr), n.connect(hostAddr)
		game := gamestest.OfVersion(warzone.Version4, "Before")
		before.send(warzone.AddGame{Game: game})
		before.wantStatus(warzone.StatusOK)
		game.Name = "After"
		after.send(warzone.AddGame{Game: game})
		after.wantStatus(warzone.StatusOK)
		before.send(warzone.Update{Game: game})
		before.wantStatus(warzone.StatusNotAcceptable)
		before.Close()
		synctest.Wait()
		if names := n.names(); !slices.Equal(names, []string{"After"}) {
			t.Errorf("listed %q", names)
		}
	})
}

// A game that moves to another port is verified there.
func TestLobbyHostChangesItsPort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startLobby(t, new(Lobby))
		h := n.announce(hostAddr, "Game")
		game := gamestest.OfVersion(warzone.Version4, "Game")
		game.HostPort = 2102
		h.send(warzone.Update{Game: game})
		h.wantStatus(warzone.StatusUnreachable)
		if names := n.names(); len(names) > 0 {
			t.Errorf("listed %q", names)
		}
		game.HostPort = 2101
		h.send(warzone.Update{Game: game})
		h.wantStatus(warzone.StatusUnreachable) // not checked again so soon
		time.Sleep(tryEvery)
		h.send(warzone.Update{Game: game})
		h.wantStatus(warzone.StatusOK)
		if names := n.names(); len(names) != 1 {
			t.Errorf("listed %q", names)
		}
	})
}

// Hosts of 2.3 add a game over both families.
func TestLobbyLinksAddresses(t *testing.T) {
	for _, tt := range []struct {
		name   string
		second string
		change func(g *warzone.Game)
		after  time.Duration
		linked bool
	}{
		{"both families", "2001:db8::7", func(*warzone.Game) {}, 0, true},
		{"same family", "198.51.100.8", func(*warzone.Game) {}, 0, false},
		{"other game", "2001:db8::7", func(g *warzone.Game) { g.MapName = "Other" }, 0, false},
		{"other id", "2001:db8::7", func(g *warzone.Game) { g.GameID++ }, 0, false},
		{"too late", "2001:db8::7", func(*warzone.Game) {}, linkWithin, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := startLobby(t, &Lobby{NoVerify: true})
				first := n.connect(hostAddr)
				game := gamestest.OfVersion(warzone.Version3, "Game")
				game.GameID = first.id()
				first.send(warzone.AddGame{Game: game})
				first.wantStatus(warzone.StatusOK)
				time.Sleep(tt.after)
				tt.change(&game)
				second := n.connect(tt.second)
				second.send(warzone.AddGame{Game: game})
				second.wantStatus(warzone.StatusOK)
				m, _ := n.list()
				if !tt.linked {
					if len(m.Games) != 2 || m.Games[0].SecondaryHosts[0] != "" {
						t.Errorf("listed %+v", m.Games)
					}
					return
				}
				if len(m.Games) != 1 || m.Games[0].SecondaryHosts[0] != tt.second {
					t.Fatalf("listed %+v", m.Games)
				}
				first.send(warzone.Update{Game: game})
				first.wantStatus(warzone.StatusOK)
				second.send(warzone.Update{Game: game})
				second.wantStatus(warzone.StatusOK)
				m, _ = n.list()
				if len(m.Games) != 1 || m.Games[0].SecondaryHosts[0] != tt.second {
					t.Errorf("after updates: %+v", m.Games)
				}
				second.Close()
				synctest.Wait()
				m, _ = n.list()
				if len(m.Games) != 1 || m.Games[0].SecondaryHosts[0] != "" {
					t.Errorf("after its end: %+v", m.Games)
				}
			})
		})
	}
}

func TestLobbyGreetsBetas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startLobby(t, &Lobby{MOTD: strings.Repeat("ü", 200), NoVerify: true})
		h := n.connect(hostAddr)
		h.send(warzone.MOTDRequest{}, warzone.AddGame{Game: gamestest.OfVersion(warzone.Version2, "Game")})
		if got := string(h.read(254)); got != strings.Repeat("ü", 127) {
			t.Errorf("%q", got)
		}
		h.read(8 + 400)
		if len(n.names()) != 1 {
			t.Error("not listed")
		}
	})
	synctest.Test(t, func(t *testing.T) {
		h := startLobby(t, new(Lobby)).connect(hostAddr)
		h.send(warzone.MOTDRequest{})
		if got := string(h.read(2)); got != "OK" {
			t.Errorf("without a message of the day: %q", got)
		}
	})
}

// A peer over its rate limit does not hold up Shutdown.
func TestLobbyShutdownDoesNotKeepPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &Lobby{NoVerify: true}
		n := startLobby(t, l)
		c := n.connect(hostAddr)
		c.Write(bytes.Repeat([]byte("keep\x00"), 200))
		synctest.Wait()
		start := time.Now()
		if err := l.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took > 0 {
			t.Errorf("took %v", took)
		}
	})
}

// Hosts of version 4 wait 10 seconds for the status of a game and 2.5 for the status of
// an update, and then leave. The lobby answers in time, so unreachable hosts stay.
func TestLobbyVerifiesUpdatesInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startLobby(t, new(Lobby))
		n.listen(hostAddr+":2101", func(c net.Conn) { io.Copy(io.Discard, c) })
		h := n.connect(hostAddr)
		game := gamestest.OfVersion(warzone.Version4, "Game")
		game.GameID = h.id()
		start := time.Now()
		h.send(warzone.AddGame{Game: game})
		h.wantStatus(warzone.StatusUnreachable)
		if took := time.Since(start); took != 6*time.Second {
			t.Errorf("the game is answered after %v", took)
		}
		time.Sleep(10 * time.Second)
		start = time.Now()
		h.send(warzone.Update{Game: game})
		h.wantStatus(warzone.StatusUnreachable)
		if took := time.Since(start); took != 2*time.Second {
			t.Errorf("an update is answered after %v", took)
		}
	})
}

// Close does not wait for a verification.
func TestLobbyCloseWhileItVerifies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := new(Lobby)
		n := startLobby(t, l)
		n.listen(hostAddr+":2101", func(c net.Conn) { c.Read(make([]byte, 100)); c.Read(make([]byte, 100)) })
		h := n.connect(hostAddr)
		h.send(warzone.AddGame{Game: gamestest.OfVersion(warzone.Version4, "Game")})
		synctest.Wait()
		start := time.Now()
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took > 0 {
			t.Errorf("took %v", took)
		}
	})
}

func TestLobbyRefusesALongMOTD(t *testing.T) {
	l := &Lobby{MOTD: strings.Repeat("x", warzone.MaxStatusText+1)}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Serve(listener); err == nil || errors.Is(err, lobbywire.ErrClosed) {
		t.Errorf("Serve returned %v", err)
	}
	if c, err := listener.Accept(); err == nil {
		c.Close()
		t.Error("the listener is open")
	}
}
