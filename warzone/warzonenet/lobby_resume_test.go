package warzonenet

import (
	"errors"
	"io"
	"net"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// A handover is a Store that has the games of an earlier process.
type handover []warzonegames.Entry

func (h handover) Put(warzonegames.Entry) {}
func (h handover) Remove(uint32)          {}
func (handover) Expire(uint32)            {}
func (h handover) Watch(put func(warzonegames.Entry), _ func(uint32)) (stop func()) {
	for _, e := range h {
		e.Expires = time.Now().Add(time.Minute)
		put(e)
	}
	return func() {}
}

// A relay is two lobbies. The second takes over from the first.
type relay struct {
	t      *testing.T
	first  *Lobby
	second *Lobby
	addr   string
	limits lobbywire.ConnLimits // of the second
	copies chan net.Conn        // of connections that the first lobby has listed
	ids    chan uint32
}

func newRelay(t *testing.T) *relay {
	t.Helper()
	r := &relay{t: t, copies: make(chan net.Conn, 4), ids: make(chan uint32, 4)}
	r.first = &Lobby{NoVerify: true, Games: new(warzonegames.Games), Listed: func(c net.Conn, id uint32) {
		f, err := c.(*net.TCPConn).File()
		if err != nil {
			t.Error(err)
			return
		}
		defer f.Close()
		other, err := net.FileConn(f)
		if err != nil {
			t.Error(err)
			return
		}
		r.copies <- other
		r.ids <- id
	}}
	r.addr = r.serve(r.first)
	return r
}

func (r *relay) serve(l *Lobby) string {
	r.t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		r.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- l.Serve(listener) }()
	r.t.Cleanup(func() {
		l.Close()
		<-ended
	})
	return listener.Addr().String()
}

// host adds a game to the first lobby.
func (r *relay) host(game warzone.Game) *lobbyPeer {
	r.t.Helper()
	c, err := net.Dial("tcp", r.addr)
	if err != nil {
		r.t.Fatal(err)
	}
	c.SetDeadline(time.Now().Add(20 * time.Second))
	r.t.Cleanup(func() { c.Close() })
	h := &lobbyPeer{r.t, c}
	h.send(warzone.AddGame{Game: game})
	if game.Version != 0 {
		h.wantStatus(warzone.StatusOK)
	}
	return h
}

// pass ends the first lobby and passes a connection to the second one.
func (r *relay) pass() error {
	r.t.Helper()
	c, id := <-r.copies, <-r.ids
	var saved handover
	for e := range r.first.Games.All() {
		saved = append(saved, e)
	}
	if err := r.first.Close(); err != nil {
		r.t.Error(err)
	}
	r.second = &Lobby{NoVerify: true, Games: &warzonegames.Games{Store: saved}, Limits: r.limits}
	r.t.Cleanup(r.second.Games.ForLobbies().Share())
	return r.second.Resume(c, id)
}

func (r *relay) names() (names []string) {
	for e := range r.second.Games.All() {
		names = append(names, e.Game.Name)
	}
	return names
}

// wantNone waits until the second lobby lists no game.
func (r *relay) wantNone() {
	r.t.Helper()
	for until := time.Now().Add(20 * time.Second); len(r.names()) > 0; {
		if time.Now().After(until) {
			r.t.Fatalf("listed %q", r.names())
		}
	}
}

// A host does not notice that another process has taken over its connection, and is unlisted
// when it leaves.
func TestHostSurvivesResume(t *testing.T) {
	for _, tt := range []struct {
		name   string
		game   warzone.Game
		silent bool
	}{
		{"version 4", gamestest.OfVersion(warzone.Version4, "One"), false},
		{"version 3", gamestest.OfVersion(warzone.Version3, "One"), false},
		{"2.1", gamestest.Record(warzone.Layout21, "One"), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRelay(t)
			h := r.host(tt.game)
			if err := r.pass(); err != nil {
				t.Fatal(err)
			}
			e := slices.Collect(r.second.Games.All())
			if len(e) != 1 || !e[0].Expires.IsZero() {
				t.Fatalf("%+v, want one game that lasts as long as its connection", e)
			}
			tt.game.Name = "Two"
			if !tt.silent {
				h.send(warzone.Keep{})
			}
			h.send(warzone.Update{Game: tt.game})
			if !tt.silent {
				h.wantStatus(warzone.StatusOK)
			}
			for until := time.Now().Add(20 * time.Second); !slices.Equal(r.names(), []string{"Two"}); {
				if time.Now().After(until) {
					t.Fatalf("listed %q", r.names())
				}
			}
			h.Close()
			r.wantNone()
		})
	}
}

// A connection that cannot be continued ends without a trace.
func TestResumeFailsWithoutATrace(t *testing.T) {
	t.Run("closed meanwhile", func(t *testing.T) {
		r := newRelay(t)
		r.host(gamestest.OfVersion(warzone.Version4, "One")).Close()
		if err := r.pass(); err != nil && !errors.Is(err, warzonegames.ErrGone) {
			t.Error(err)
		}
		r.wantNone()
	})
	t.Run("within a message", func(t *testing.T) {
		game := gamestest.OfVersion(warzone.Version4, "One")
		update, err := warzone.Update{Game: game}.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		r := newRelay(t)
		r.limits.Frame = 100 * time.Millisecond
		h := r.host(game)
		if err := r.pass(); err != nil {
			t.Fatal(err)
		}
		h.Write(update[100:])
		if _, err := io.Copy(io.Discard, h); err != nil && !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("the connection ended with %v", err)
		}
		r.wantNone()
	})
	t.Run("of another game", func(t *testing.T) {
		r := newRelay(t)
		h := r.host(gamestest.OfVersion(warzone.Version4, "One"))
		r.ids <- <-r.ids + 1
		if err := r.pass(); !errors.Is(err, warzonegames.ErrGone) {
			t.Errorf("%v, want %v", err, warzonegames.ErrGone)
		}
		h.wantEnd()
	})
	t.Run("beyond the limits", func(t *testing.T) {
		r := newRelay(t)
		h := r.host(gamestest.OfVersion(warzone.Version4, "One"))
		c, id := <-r.copies, <-r.ids
		r.second = &Lobby{Games: r.first.Games, Limits: lobbywire.ConnLimits{MaxConns: -1}}
		if err := r.second.Resume(c, id); !errors.Is(err, net.ErrClosed) {
			t.Errorf("%v, want %v", err, net.ErrClosed)
		}
		r.wantNone()
		h.Close()
	})
}

// Listed and Closing get each connection with a game once.
func TestListedAndClosingGetEachConnectionOnce(t *testing.T) {
	type event struct {
		what string
		conn net.Conn
		id   uint32
	}
	events := make(chan event, 8)
	games := new(warzonegames.Games)
	l := &Lobby{NoVerify: true, Games: games,
		Listed:  func(c net.Conn, id uint32) { events <- event{"listed", c, id} },
		Closing: func(c net.Conn) { events <- event{"closing", c, 0} },
	}
	r := &relay{t: t}
	r.addr = r.serve(l)
	h := r.host(gamestest.OfVersion(warzone.Version4, "One"))
	h.send(warzone.AddGame{Game: gamestest.OfVersion(warzone.Version4, "Two")})
	h.wantStatus(warzone.StatusOK)
	e := slices.Collect(games.All())
	h.Close()
	listed, closing := <-events, <-events
	if listed.what != "listed" || closing.what != "closing" || listed.conn != closing.conn || listed.id != e[0].ID {
		t.Errorf("%+v, %+v", listed, closing)
	}
	if err := l.Close(); err != nil || len(events) > 0 {
		t.Errorf("%v, %d more events", err, len(events))
	}
}
