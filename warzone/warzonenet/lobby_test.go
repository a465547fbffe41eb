package warzonenet

import (
	"fmt"
	"io"
	"net"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

const hostAddr = "198.51.100.7"

// accepts is the game port of a host before version 4.
func accepts(net.Conn) {}

// The conversation of 4.3.3, in its times.
func TestLobbyServesAHostOfVersion4(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startLobby(t, &Lobby{MOTD: "Welcome"})
		var id uint32
		n.listen(hostAddr+":2101", alive(&id))
		h := n.connect(hostAddr)
		id = h.id()
		if again := h.id(); id == 0 || id > 1<<31-1 || again != id {
			t.Errorf("ids %d and %d", id, again)
		}
		game := gamestest.OfVersion(warzone.Version4, "One")
		game.GameID = id
		h.send(warzone.AddGame{Game: game})
		h.wantStatus(warzone.StatusOK)

		want := game
		want.Host = hostAddr
		if got, _ := n.list(); !cmp.Equal(got.Games, []warzone.Game{want}) {
			t.Errorf("listed %+v", got.Games)
		}
		h.wantSilence(20 * time.Second)
		game.CurrentPlayers = 2
		h.send(warzone.Update{Game: game})
		h.wantStatus(warzone.StatusOK)
		if got, _ := n.list(); got.Games[0].CurrentPlayers != 2 {
			t.Errorf("%d players", got.Games[0].CurrentPlayers)
		}
		for range 10 {
			h.wantSilence(25 * time.Second)
			h.send(warzone.Keep{})
		}
		if len(n.names()) != 1 {
			t.Error("a host that sends Keep is not listed")
		}
		h.Close()
		synctest.Wait()
		if names := n.names(); len(names) > 0 {
			t.Errorf("%q listed after their connection", names)
		}
	})
}

// Hosts before version 4 send no Keep, those before 2.2 expect no status, and
// all before 2011 connect again to change something.
func TestLobbyServesHostsOfEarlierVersions(t *testing.T) {
	for _, tt := range []struct {
		name   string
		port   string
		game   warzone.Game
		status bool
	}{
		{"2.0", "9999", gamestest.Record(warzone.Layout20, "Game"), false},
		{"2.1", "9999", gamestest.Record(warzone.Layout21, "Game"), false},
		{"2.2", "2100", gamestest.OfVersion(warzone.Version2, "Game"), true},
		{"2.3", "2100", gamestest.OfVersion(warzone.Version3, "Game"), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := startLobby(t, new(Lobby))
				n.listen(hostAddr+":"+tt.port, accepts)
				status := func(h *lobbyPeer) {
					t.Helper()
					if tt.status {
						h.wantStatus(warzone.StatusOK)
					} else {
						h.wantSilence(time.Second)
					}
				}
				h := n.connect(hostAddr)
				h.send(warzone.AddGame{Game: tt.game})
				status(h)
				h.wantSilence(5 * time.Hour)
				tt.game.Name = "Updated"
				h.send(warzone.Update{Game: tt.game})
				status(h)
				if names := n.names(); !cmp.Equal(names, []string{"Updated"}) {
					t.Errorf("listed %q", names)
				}

				again := n.connect(hostAddr)
				tt.game.Name = "Again"
				again.send(warzone.AddGame{Game: tt.game})
				status(again)
				h.Close()
				synctest.Wait()
				m, _ := n.list()
				if len(m.Games) != 1 || m.Games[0].Name != "Again" || m.Games[0].Host != hostAddr {
					t.Fatalf("listed %+v", m.Games)
				}
				if port := fmt.Sprint(m.Games[0].JoinPort()); port != tt.port {
					t.Errorf("port %s, want %s", port, tt.port)
				}
			})
		})
	}
}

// What the lobby sends is what the codec writes.
func TestLobbyListsWhatTheCodecWrites(t *testing.T) {
	for _, count := range []int{0, 1, 3, 11, 12, 16, 17, 30, 1024, 1100} {
		t.Run(fmt.Sprint(count), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				list := &warzonegames.Games{Limits: warzonegames.Limits{MaxPerPrefix: 2000}}
				n := startLobby(t, &Lobby{MOTD: "Grüße", Games: list})
				var games []warzone.Game
				for i := range count {
					e, err := n.games.Add(gamestest.At(i))
					if err != nil {
						t.Fatal(err)
					}
					e.Game.HostPort = e.Key.Port()
					games = append(games, e.Game)
				}
				games = games[:min(count, warzone.MaxGames)]
				want, err := replyForAll(games, warzone.Status{Code: warzone.StatusOK, Text: "Grüße"}).AppendBinary(nil)
				if err != nil {
					t.Fatal(err)
				}
				got, b := n.list()
				if string(b) != string(want) {
					t.Errorf("%d bytes differ from the codec's %d", len(b), len(want))
				}
				if len(got.Games) != len(games) {
					t.Errorf("%d games", len(got.Games))
				}
			})
		})
	}
}

// Clients before 2020 read the first batch, and can join no games of later ones.
func TestLobbyListsEarlierVersionsFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startLobby(t, new(Lobby))
		for i := range 20 {
			e := gamestest.At(i)
			if i == 12 || i == 17 {
				e.Game = gamestest.OfVersion(warzone.Version3, "Earlier")
			}
			if _, err := n.games.Add(e); err != nil {
				t.Fatal(err)
			}
		}
		m, _ := n.list()
		if len(m.Games) != 20 || m.Games[0].Name != "Earlier" || m.Games[1].Name != "Earlier" || m.Batches.First != 11 {
			t.Errorf("listed %q", n.names())
		}
	})
}

// A lobby for clients before 2.2 lists what they can join, in 112 bytes and
// without a status.
func TestLobbyListsRecordsToOldClients(t *testing.T) {
	for _, layout := range []warzone.Layout{warzone.Layout20, warzone.Layout21} {
		t.Run(layout.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := startLobby(t, &Lobby{Layout: layout})
				for i := range 13 {
					from := fmt.Sprintf("198.51.100.%d", i)
					n.listen(from+":9999", accepts)
					n.connect(from).send(warzone.AddGame{Game: gamestest.Record(warzone.Layout21, from)})
				}
				n.listen("198.51.100.200:2100", accepts)
				n.connect("198.51.100.200").send(warzone.AddGame{Game: gamestest.OfVersion(warzone.Version3,
					"Not this")})
				synctest.Wait()
				m, b := n.list()
				if len(m.Games) != warzone.MaxFirstBatch || len(b) != 4+warzone.MaxFirstBatch*warzone.RecordSize {
					t.Fatalf("%d games in %d bytes", len(m.Games), len(b))
				}
				for _, g := range m.Games {
					want := gamestest.Record(layout, g.Host)
					want.Host = g.Host
					if g != want {
						t.Errorf("listed %+v, want %+v", g, want)
					}
				}
			})
		})
	}
}

func TestLobbyListsGamesThatAnswer(t *testing.T) {
	id, other := uint32(0), uint32(7)
	for _, tt := range []struct {
		name    string
		version uint32
		answer  func(c net.Conn) // nil: nobody listens
		want    warzone.StatusCode
		within  time.Duration
		why     lobbywire.Reason // 0 if the game is listed
	}{
		{"right id", 4, alive(&id), warzone.StatusOK, 0, 0},
		{"byte by byte", 4, func(c net.Conn) { alive(&id)(slowConn{c}) }, warzone.StatusOK, 0, 0},
		{"other id", 4, alive(&other), warzone.StatusNotAcceptable, 0, lobbywire.ReasonOther},
		{"nobody there", 4, nil, warzone.StatusUnreachable, 0, lobbywire.ReasonUnreachable},
		{"closes", 4, accepts, warzone.StatusUnreachable, 0, lobbywire.ReasonUnreachable},
		{"is no game", 4, func(c net.Conn) {
			io.WriteString(c, "SSH-2.0-OpenSSH\r\n")
			io.Copy(io.Discard, c)
		},
			warzone.StatusUnreachable, 0, lobbywire.ReasonOther},
		{"cut short", 4, func(c net.Conn) {
			io.CopyN(io.Discard, c, warzone.AliveSize) // writing the request must not fail
			io.WriteString(c, "WZLR\x00")
		},
			warzone.StatusUnreachable, 0, lobbywire.ReasonOther},
		{"hangs", 4, func(c net.Conn) { io.Copy(io.Discard, c) },
			warzone.StatusUnreachable, 6 * time.Second, lobbywire.ReasonUnreachable},
		{"version 3", 3, accepts, warzone.StatusOK, 0, 0},
		{"version 2", 2, accepts, warzone.StatusOK, 0, 0},
		{"version 3, nobody there", 3, nil, warzone.StatusUnreachable, 0, lobbywire.ReasonUnreachable},
		{"version 2, nobody there", 2, nil, warzone.StatusUnreachable, 0, lobbywire.ReasonUnreachable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				refused := make(chan lobbywire.Refusal, 1)
				pending := 0
				n := startLobby(t, &Lobby{Refused: func(r lobbywire.Refusal) {
					if r.Reason == lobbywire.ReasonQuery {
						pending++
						return
					}
					refused <- r
				}})
				game := gamestest.OfVersion(tt.version, "Game")
				at := fmt.Sprintf("%s:%d", hostAddr, game.JoinPort())
				if tt.answer != nil {
					n.listen(at, tt.answer)
				}
				h := n.connect(hostAddr)
				id = h.id()
				start := time.Now()
				h.send(warzone.AddGame{Game: game})
				h.wantStatus(tt.want)
				if tt.want != warzone.StatusOK {
					r := <-refused
					if r.Reason != tt.why || r.From.String() != at || r.Err == nil {
						t.Errorf("reported as %v, from %v", r, r.From)
					}
					if pending != 1 {
						t.Errorf("reported as pending %d times", pending)
					}
				}
				if took := time.Since(start); took != tt.within {
					t.Errorf("took %v, want %v", took, tt.within)
				}
				if listed := len(n.names()) == 1; listed != (tt.want == warzone.StatusOK) {
					t.Errorf("listed: %v", listed)
				}
				// The connection stays, and every update has a status.
				h.send(warzone.Update{Game: game})
				h.wantStatus(tt.want)
			})
		})
	}
}

// What arrives at the port and is no request of a host is reported with its protocol.
func TestLobbyReportsOtherProtocols(t *testing.T) {
	for _, tt := range []struct{ sent, want string }{
		{"GET / HTTP/1.1\r\nHost: lobby\r\n\r\n", "the request is of another protocol, or for another path: HTTP"},
		{"POST /api/v1/game HTTP/1.1\r\n", "the request is of another protocol, or for another path: HTTP"},
		{"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "the request is of another protocol, or for another path: TLS"},
		{"nice to meet you", "the request is invalid: unknown, or not after the requests before it"},
	} {
		synctest.Test(t, func(t *testing.T) {
			var refused []string
			n := startLobby(t, &Lobby{Refused: func(r lobbywire.Refusal) { refused = append(refused, r.String()) }})
			io.WriteString(n.connect(hostAddr), tt.sent)
			synctest.Wait()
			if !slices.Equal(refused, []string{tt.want}) {
				t.Errorf("%q is reported as %q, want %q", tt.sent, refused, tt.want)
			}
		})
	}
}

// A slowConn sends one byte at a time.
type slowConn struct{ net.Conn }

func (c slowConn) Write(b []byte) (n int, err error) {
	for i := range b {
		if _, err := c.Conn.Write(b[i : i+1]); err != nil {
			return i, err
		}
		synctest.Wait() // until it is read
	}
	return len(b), nil
}
