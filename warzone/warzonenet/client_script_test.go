package warzonenet

import (
	"encoding"
	"io"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/internal/hexfile"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
)

var scriptedAddr = netip.MustParseAddrPort("192.0.2.53:9990")

// A scriptedLobby is a lobby whose behavior the test decides.
type scriptedLobby struct {
	t        testing.TB
	network  *nettest.Streams
	listener *nettest.Listener
}

func newScriptedLobby(t testing.TB) *scriptedLobby {
	l := &scriptedLobby{t: t, network: new(nettest.Streams)}
	l.open(scriptedAddr)
	t.Cleanup(func() { l.listener.Close() })
	return l
}

// open lets the lobby accept connections at addr, also after its listener was
// closed.
func (l *scriptedLobby) open(addr netip.AddrPort) {
	l.t.Helper()
	var err error
	l.listener, err = l.network.Listen(addr)
	if err != nil {
		l.t.Fatal(err)
	}
}

// accept returns the next connection.
func (l *scriptedLobby) accept() *scriptedConn {
	l.t.Helper()
	c, err := l.listener.Accept()
	if err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() { c.Close() })
	return &scriptedConn{l.t, c}
}

// serve gives each connection to f until the test ends.
func (l *scriptedLobby) serve(f func(c *scriptedConn)) {
	listener, done := l.listener, make(chan struct{})
	l.t.Cleanup(func() {
		listener.Close()
		<-done
	})
	go func() {
		defer close(done)
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			f(&scriptedConn{l.t, c})
			c.Close()
		}
	}()
}

// A scriptedConn is the lobby's side of a connection.
type scriptedConn struct {
	t testing.TB
	net.Conn
}

// send writes messages; the peer may have closed the connection.
func (c *scriptedConn) send(messages ...encoding.BinaryAppender) {
	c.t.Helper()
	for _, m := range messages {
		b, err := m.AppendBinary(nil)
		if err != nil {
			c.t.Error(err)
		}
		c.Write(b)
	}
}

// want reads as many bytes as the messages have and compares them.
func (c *scriptedConn) want(messages ...encoding.BinaryAppender) {
	c.t.Helper()
	for _, m := range messages {
		want, err := m.AppendBinary(nil)
		if err != nil {
			c.t.Fatal(err)
		}
		got := make([]byte, len(want))
		if n, err := io.ReadFull(c, got); err != nil {
			c.t.Fatalf("%T: %d bytes, %v", m, n, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			c.t.Fatalf("%T (-want +got):\n%s", m, diff)
		}
	}
}

// wantEnd reads the end of the connection.
func (c *scriptedConn) wantEnd() {
	c.t.Helper()
	if b, err := io.ReadAll(c); err != nil || len(b) > 0 {
		c.t.Fatalf("got %q, %v", b, err)
	}
}

// wantSilence fails if a byte arrives within d.
func (c *scriptedConn) wantSilence(d time.Duration) {
	c.t.Helper()
	c.SetReadDeadline(time.Now().Add(d))
	if n, err := c.Read(make([]byte, 1)); err == nil || err == io.EOF {
		c.t.Fatalf("%d bytes came, %v", n, err)
	}
	c.SetReadDeadline(time.Time{})
}

// raw is a message in its wire form.
type raw []byte

func (m raw) AppendBinary(b []byte) ([]byte, error) { return append(b, m...), nil }

// vector returns the bytes of one of the codec's golden files.
func vector(t testing.TB, name string) raw {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../testdata/golden", name+".hex"))
	if err != nil {
		t.Fatal(err)
	}
	_, b, err := hexfile.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// replyOf returns a complete reply with n games, and its bytes.
func replyOf(t testing.TB, n int) (warzone.ListReply, raw) {
	t.Helper()
	all := make([]warzone.Game, n)
	for i := range all {
		all[i] = gamestest.Named("Game")
		all[i].Host = "198.51.100.7"
		all[i].GameID = uint32(i + 1)
	}
	m := replyForAll(all, warzone.Status{Code: warzone.StatusOK, Text: "Welcome"})
	b, err := m.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return m, b
}

// replyForAll returns a reply in two batches, for clients of all versions.
func replyForAll(games []warzone.Game, status warzone.Status) warzone.ListReply {
	return warzone.ListReply{
		Games:   games,
		Status:  &status,
		Batches: &warzone.Batches{Parameters: warzone.IgnoreFirstBatch, First: min(len(games), warzone.MaxFirstBatch)},
	}
}

func fatalIf(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
