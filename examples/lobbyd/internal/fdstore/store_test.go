//go:build linux

package fdstore

import (
	"context"
	"log/slog"
	"math"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A game that is listed while lobbyd stops is kept, too: systemd has a copy of the connection
// before Hold returns and the connection is closed. Release no longer ends it.
func TestHoldAfterFreezeKeepsConnections(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notify")
	systemd, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer systemd.Close()
	t.Setenv("NOTIFY_SOCKET", path)
	t.Setenv("FDSTORE", "2")
	s, err := Open(slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.Run(ctx)
	}()
	ours, theirs := connected(t), connected(t)

	s.Hold("warzone", ours, 7)
	s.Freeze(t.Context())
	for _, c := range []net.Conn{theirs, connected(t)} { // there is room for one
		s.Hold("warzone", c, 7) // as the connection of its other address family
		s.Release(c)
		c.Close()
	}
	for _, want := range []string{nameOf("warzone", 7), nameOf("warzone", 7) + again} {
		systemd.SetReadDeadline(time.Now().Add(time.Minute))
		b, oob := make([]byte, 256), make([]byte, unix.CmsgSpace(4))
		n, rights, _, _, err := systemd.ReadMsgUnix(b, oob)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(b[:n]); !strings.HasPrefix(got, "FDSTORE=1\n") || !strings.HasSuffix(got, "="+want) || rights == 0 {
			t.Errorf("%q with %d bytes of rights, want %s", got, rights, want)
		}
	}
	if got, want := s.Stats(), (Stats{Kept: 2, Unkept: 1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	stop()
	<-ended
}

// If the store has become smaller than its content from an earlier process, a connection that ends
// makes no room for another one.
func TestSmallerStoreKeepsNoMore(t *testing.T) {
	s := openStore(t, "1")
	first, second, third := connected(t), connected(t), connected(t)
	s.Restore(first, nameOf("warzone", 1))
	s.Restore(second, nameOf("warzone", 2))
	s.Hold("warzone", third, 3)
	for i, c := range []net.Conn{first, second} {
		s.Release(c)
		for h, removes, ok := s.next(); ok; h, removes, ok = s.next() {
			s.tell(h, removes)
		}
		if got, want := s.Stats(), (Stats{Kept: 1, Unkept: 1 - i}); got != want {
			t.Errorf("after %d have ended: %+v, want %+v", i+1, got, want)
		}
	}
}

// A Store keeps a bounded number of connections, whatever the limit of systemd: the names of more
// would not fit in the environment of the next process.
func TestStoreIsBounded(t *testing.T) {
	s := openStore(t, "1000000")
	names := 0
	for i := range 2 * most {
		c, _ := net.Pipe()
		s.Hold("layout21", c, math.MaxUint32-uint32(i))
	}
	for h, removes, ok := s.next(); ok; h, removes, ok = s.next() {
		names += len(h.name) + len(":")
		if removes {
			t.Errorf("%s is removed", h.name)
		}
	}
	const environment = 128 << 10
	if got := s.Stats(); got.Kept != most || got.Unkept != most || names > environment/2 {
		t.Errorf("%+v, with %d bytes of names", got, names)
	}
}

// openStore opens a Store that systemd allows a number of connections.
func openStore(t *testing.T, allowed string) *Store {
	t.Helper()
	path := filepath.Join(t.TempDir(), "notify")
	systemd, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("NOTIFY_SOCKET", path)
	t.Setenv("FDSTORE", allowed)
	s, err := Open(slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.notify.Close()
		systemd.Close()
	})
	return s
}

// connected returns a connection to a peer that reads nothing.
func connected(t *testing.T) net.Conn {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}
