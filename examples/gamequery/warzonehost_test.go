package main

import (
	"net"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone"
)

// A host of each release announces its game in the form of that release.
func TestServeWarzoneAnnouncesEachRelease(t *testing.T) {
	for _, r := range []struct {
		name   string
		layout warzone.Layout
		word   uint32
	}{
		{"2.0", warzone.Layout20, 0},
		{"2.1", warzone.Layout21, 0},
		{"2.2", warzone.LayoutVersioned, warzone.Version2},
		{"2.3", warzone.Layout23, warzone.Version3},
		{"3.0", warzone.LayoutVersioned, warzone.Version3},
		{"4.0", warzone.LayoutVersioned, warzone.Version4},
	} {
		t.Run(r.name, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Skip(err)
			}
			defer l.Close()
			_, stop := background(t, "serve", "warzone", "127.0.0.1:0", "-register", l.Addr().String(),
				"-release", r.name, "-name", "Duel", "-max", "4")
			c, err := l.Accept()
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			c.SetDeadline(time.Now().Add(time.Minute))
			g := announcedOn(t, c)
			if g.Layout == warzone.LayoutVersioned && r.layout == warzone.Layout23 {
				r.layout = warzone.LayoutVersioned // the layout is not in the bytes
			}
			if g.Name != "Duel" || g.MaxPlayers != 4 || g.Layout != r.layout || g.Version != r.word {
				t.Errorf("announced %+v", g)
			}
			if code, output := stop(); code != exitOK || !strings.Contains(output, "sent 1 announcements") ||
				r.word != warzone.Version4 && !strings.Contains(output, "lobbies look for games of "+r.name) {
				t.Errorf("exit code %d, %s", code, output)
			}
		})
	}
}

// announcedOn reads from a host until it has added its game, and answers the request
// for an ID.
func announcedOn(t *testing.T, c net.Conn) warzone.Game {
	t.Helper()
	var s warzone.HostStream
	var b []byte
	for {
		m, rest, err := s.NextRequest(b)
		b = rest
		if err == lobbywire.ErrTruncated {
			more := make([]byte, 1<<10)
			n, err := c.Read(more)
			if err != nil {
				t.Fatal(err)
			}
			b = append(b, more[:n]...)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		switch m := m.(type) {
		case warzone.GameIDRequest:
			if _, err := c.Write([]byte{0, 0, 0, 7}); err != nil {
				t.Fatal(err)
			}
		case warzone.AddGame:
			return m.Game
		}
	}
}

func TestServeWarzoneRefusesUnknownReleases(t *testing.T) {
	for _, args := range [][]string{
		{"serve", "warzone", ":0", "-register", "127.0.0.1:1", "-release", "4.7"},
		{"serve", "sqp", ":0", "-release", "4.0"},
	} {
		if code, _, stderr := gamequery(nil, args...); code != exitUsage || !strings.Contains(stderr, "-release") {
			t.Errorf("%q: exit code %d, %s", args, code, stderr)
		}
	}
}
