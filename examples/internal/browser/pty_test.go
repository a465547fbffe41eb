//go:build unix

package browser

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/hinshun/vt10x"

	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// A terminal is an emulated terminal on which a Browser runs.
type terminal struct {
	t       *testing.T
	pty     *os.File
	screen  vt10x.Terminal
	changed chan struct{} // receives after the program has written
	ended   chan error
}

// start runs a Browser of entries in a terminal until the test ends.
func start(t *testing.T, width, height int, env ...string) *terminal {
	t.Helper()
	control, tty, err := pty.Open()
	if err != nil {
		suite.Missing(t, "no pseudo-terminal: %v", err)
	}
	if err := pty.Setsize(control, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)}); err != nil {
		t.Fatal(err)
	}
	favourites, err := LoadFavourites("")
	if err != nil {
		t.Fatal(err)
	}
	b := Browser{
		Sources: []Source{func(_ context.Context, found func(Entry)) []error {
			for _, e := range entries() {
				found(e)
			}
			return nil
		}},
		Every: time.Hour, Clean: clean, Favourites: favourites,
	}
	x := &terminal{
		t: t, pty: control, screen: vt10x.New(vt10x.WithSize(width, height)),
		changed: make(chan struct{}, 1), ended: make(chan error, 1),
	}
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := control.Read(buf)
			if err != nil {
				return
			}
			_, _ = x.screen.Write(buf[:n])
			select {
			case x.changed <- struct{}{}:
			default:
			}
		}
	}()
	ctx, cancel := context.WithCancel(context.Background())
	go func() { x.ended <- b.Run(ctx, tty, tty, append(env, "TERM=xterm-256color")) }()
	t.Cleanup(func() {
		cancel()
		tty.Close()
		control.Close()
	})
	return x
}

// wait waits until the screen shows all texts.
func (x *terminal) wait(texts ...string) {
	x.t.Helper()
	deadline := time.After(20 * time.Second)
	for {
		now := x.screen.String()
		missing := ""
		for _, text := range texts {
			if !strings.Contains(now, text) {
				missing = text
			}
		}
		if missing == "" {
			return
		}
		select {
		case <-x.changed:
		case <-deadline:
			x.t.Fatalf("%q is not on the screen:\n%s", missing, now)
		}
	}
}

// send sends keys.
func (x *terminal) send(keys string) {
	x.t.Helper()
	if _, err := x.pty.WriteString(keys); err != nil {
		x.t.Fatal(err)
	}
}

// The program works in terminals of several sizes: search, details and exit.
func TestInATerminal(t *testing.T) {
	for name, tt := range map[string]struct {
		width, height int
		env           []string
	}{
		"usual":   {80, 24, nil},
		"large":   {200, 50, nil},
		"narrow":  {40, 12, nil},
		"colours": {80, 24, []string{"NO_COLOR=1"}},
	} {
		t.Run(name, func(t *testing.T) {
			x := start(t, tt.width, tt.height, tt.env...)
			x.wait("4 of 4 servers", "> Reef")
			x.send("duel")
			x.wait("1 of 4 servers", "search: duel", "> Duel")
			x.send("\r")
			x.wait("join at    192.0.2.1:7777")
			x.send("\x1b")
			x.wait("> Duel")
			x.send("\x03")
			select {
			case err := <-x.ended:
				if err != nil {
					t.Error(err)
				}
			case <-time.After(20 * time.Second):
				t.Error("the program has not ended")
			}
		})
	}
}
