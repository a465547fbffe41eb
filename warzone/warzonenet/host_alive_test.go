package warzonenet

import (
	"errors"
	"io"
	"net"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
)

func TestRespondAliveAnswersWhileAnnounced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lobby := newScriptedLobby(t)
		h := newHost(lobby, gamestest.Named("One"))
		request := vector(t, "alive_request")
		if got := h.RespondAlive(request, nil); got != nil {
			t.Errorf("answered %x before there is an id", got)
		}
		gamestest.Run(t, h)
		c := lobby.accept()
		c.want(warzone.GameIDRequest{})
		c.send(warzone.GameIDReply{GameID: testID})
		synctest.Wait()
		// The lobby checks the game before it answers the announcement.
		if got, want := string(h.RespondAlive(request, []byte("x"))), "x"+string(vector(t,
			"alive_reply")); got != want {
			t.Errorf("answered %q, want %q", got, want)
		}
		for name, req := range map[string][]byte{
			"a player": vector(t, "alive_joiner"),
			"nothing":  nil,
			"too few":  request[:7],
			"too many": append(request, 0),
		} {
			if got := h.RespondAlive(req, nil); got != nil {
				t.Errorf("%s: answered %x", name, got)
			}
		}
		c.Close()
		synctest.Wait()
		if got := h.RespondAlive(request, nil); string(got) != string(vector(t, "alive_reply")) {
			t.Errorf("answered %x to a lobby that has restarted", got)
		}
		if err := h.Close(); err != nil {
			t.Error(err)
		}
		if got := h.RespondAlive(request, nil); got != nil {
			t.Errorf("answered %x without a lobby", got)
		}
	})
}

var gamePort = netip.MustParseAddrPort("192.0.2.10:2100")

// listening returns an announced Host that serves at gamePort, and the network.
func listening(t testing.TB) *nettest.Streams {
	t.Helper()
	lobby := newScriptedLobby(t)
	h := newHost(lobby, gamestest.Named("One"))
	gamestest.Run(t, h)
	lobby.announced(testID, gamestest.Named("One"), welcome)
	l, err := lobby.network.Listen(gamePort)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- h.ServeAlive(l) }()
	t.Cleanup(func() {
		h.Close()
		if err := <-ended; err != lobbywire.ErrClosed {
			t.Errorf("ServeAlive returned %v", err)
		}
	})
	synctest.Wait()
	return lobby.network
}

func TestServeAliveAnswersAndEnds(t *testing.T) {
	for _, tt := range []struct {
		name  string
		sends func(c *scriptedConn)
		gets  string
		took  time.Duration
	}{
		{"a lobby", func(c *scriptedConn) { c.send(vector(t, "alive_request")) }, string(vector(t, "alive_reply")), 0},
		{"a slow lobby", func(c *scriptedConn) {
			for _, b := range vector(t, "alive_request") {
				c.send(raw{b})
				time.Sleep(500 * time.Millisecond)
			}
		}, string(vector(t, "alive_reply")), 4 * time.Second},
		{"a player", func(c *scriptedConn) { c.send(vector(t, "alive_joiner")) }, "", 0},
		{"a browser of old", func(c *scriptedConn) { c.send(warzone.ListRequest{}, raw("more")) }, "", 0},
		{"a lobby of old, which says nothing", func(*scriptedConn) {}, "", 5 * time.Second},
		{"one who stops", func(c *scriptedConn) { c.send(raw{0}) }, "", 5 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				network := listening(t)
				conn, err := network.Dial(t.Context(), "tcp", gamePort.String())
				if err != nil {
					t.Fatal(err)
				}
				defer conn.Close()
				start := time.Now()
				tt.sends(&scriptedConn{t, conn})
				got, err := io.ReadAll(conn)
				if err != nil || string(got) != tt.gets {
					t.Errorf("got %q, %v; want %q", got, err, tt.gets)
				}
				wantAfter(t, start, tt.took)
			})
		})
	}
}

// Idle connections do not keep others out.
func TestServeAliveIsFlooded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := listening(t)
		for i := range 200 {
			from := netip.AddrFrom4([4]byte{198, 51, 100, byte(i % 4)})
			c, err := network.DialFrom(from)(t.Context(), "tcp", gamePort.String())
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			synctest.Wait()
		}
		conn, err := network.Dial(t.Context(), "tcp", gamePort.String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		c := &scriptedConn{t, conn}
		c.send(warzone.AliveRequest{})
		c.want(warzone.AliveReply{Version: warzone.AliveVersion, GameID: testID})
	})
}

func TestServeAliveEndsAfterClose(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	var h Host
	h.Close()
	if err := h.ServeAlive(l); !errors.Is(err, lobbywire.ErrClosed) {
		t.Errorf("ServeAlive returned %v", err)
	}
	if _, err := l.Accept(); err == nil {
		t.Error("the listener is open")
	}
}

func BenchmarkRespondAlive(b *testing.B) {
	h := new(Host)
	h.change(func(a *HostAnswer) { a.GameID = testID })
	request, answer := vector(b, "alive_request"), make([]byte, 0, 12)
	b.ReportAllocs()
	for b.Loop() {
		if got := h.RespondAlive(request, answer); len(got) != 12 {
			b.Fatal(got)
		}
	}
}
