package warzonenet

import (
	"errors"
	"io"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
)

// serveLists gives each connection to f after the request.
func (l *scriptedLobby) serveLists(f func(c *scriptedConn)) {
	l.serve(func(c *scriptedConn) {
		c.want(warzone.ListRequest{})
		f(c)
	})
}

// silent keeps the connection open until the client leaves.
func silent(c *scriptedConn) { io.Copy(io.Discard, c) }

// answering sends b and closes the connection.
func answering(b []byte) func(c *scriptedConn) {
	return func(c *scriptedConn) { c.send(raw(b)) }
}

// keeping sends b and keeps the connection open.
func keeping(b []byte) func(c *scriptedConn) {
	return func(c *scriptedConn) {
		c.send(raw(b))
		silent(c)
	}
}

func TestClientListsHoweverTheLobbySends(t *testing.T) {
	whole, wholeBytes := replyOf(t, 30)
	none := make(raw, 4)
	greeting, err := warzone.Status{Code: warzone.StatusOK, Text: "Hello"}.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	_, overlong := replyOf(t, 2)
	overlong[4+2*warzone.GameSize+7] = byte(len("Wel")) // of "Welcome", so that parameters are "come"
	seconds := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	for _, tt := range []struct {
		name    string
		lobby   func(c *scriptedConn)
		games   int
		text    string // of the status, none if empty
		legacy  bool
		partial bool
		took    time.Duration
	}{
		{"all at once", keeping(wholeBytes), 30, "Welcome", false, false, 0},
		{"more than all", keeping(append(slices.Clone(wholeBytes), "more"...)), 30, "Welcome", false, true, 0},
		{"zeros after all", keeping(append(slices.Clone(wholeBytes), 0, 0, 0)), 30, "Welcome", false, false, 0},
		{"more games than the count", keeping(slices.Concat(wholeBytes, wholeBytes[4:4+warzone.GameSize])), 30, "Welcome",
			false, true, 0},
		{"a text that is longer than its length", keeping(overlong), 0, "Wel", false, true, 0},
		{"byte by byte", func(c *scriptedConn) {
			for _, b := range wholeBytes {
				c.send(raw{b})
			}
			silent(c)
		}, 30, "Welcome", false, false, 0},
		{"slowly", func(c *scriptedConn) {
			for part := range slices.Chunk(wholeBytes, len(wholeBytes)/12) {
				time.Sleep(3 * time.Second)
				c.send(raw(part))
			}
			silent(c)
		}, 30, "Welcome", false, false, 39 * time.Second},
		{"no games", answering(none), 0, "", true, false, 0},
		{"no games and no end", keeping(none), 0, "", true, false, seconds(2.5)},
		{"a status after a while", func(c *scriptedConn) {
			c.send(none)
			time.Sleep(2 * time.Second)
			c.send(raw(greeting))
			silent(c)
		}, 0, "Hello", true, false, seconds(4.5)},
		{"a status that is cut", answering(append(slices.Clone(none), greeting[:9]...)), 0, "", true, true, 0},
		{"without a status", answering(vector(t, "list_no_status")), 1, "", true, false, 0},
		{"of a lobby of 2012", answering(vector(t, "list_legacy")), 3,
			"Привет: lobby MOTD line 1\nline 2", true, false, 0},
		{"of a PHP lobby, which falls silent", keeping(vector(t, "php_list")), 1,
			"Welcome to EuPhobos test lobby server", true, false, seconds(2.5)},
		{"of a lobby of 2009", answering(vector(t, "record_list")), 1, "", true, false, 0},
		{"continued", keeping(vector(t, "list_continued")), 3, "OK", false, false, 0},
		{"replaced", keeping(vector(t, "list_replaced")), 2, "OK", false, false, 0},
		{"which hangs up within the first batch", answering(wholeBytes[:2000]), 2, "", true, true, 0},
		{"which falls silent within the first batch", keeping(wholeBytes[:2000]), 2, "", true, true, seconds(5)},
		{"which falls silent within the second batch", keeping(wholeBytes[:len(wholeBytes)-1]), 29, "Welcome", false, true,
			seconds(5)},
		{"of 4 billion games, but three arrive", keeping(slices.Concat(raw{255, 255, 255, 255},
			wholeBytes[4:4+3*814])), 3, "", true, true, seconds(5)},
		{"a zero word in place of the second batch", keeping(vector(t, "list_zero_word")), 1, "OK",
			true, false, seconds(2.5)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				lobby := newScriptedLobby(t)
				lobby.serveLists(tt.lobby)
				c := Client{Dial: lobby.network.Dial}
				start := time.Now()
				l, err := c.List(t.Context(), scriptedAddr.String())
				if err != nil {
					t.Fatal(err)
				}
				if got := time.Since(start); got != tt.took {
					t.Errorf("took %v, want %v", got, tt.took)
				}
				text := ""
				if l.Status != nil {
					text = l.Status.Text
				}
				if len(l.Games) != tt.games || text != tt.text || l.Legacy != tt.legacy || l.Partial != tt.partial {
					t.Errorf("%d games, %q, legacy %v, partial %v", len(l.Games), text, l.Legacy, l.Partial)
				}
				if tt.games == 30 {
					if diff := cmp.Diff(whole.Games, l.Games); diff != "" {
						t.Error(diff)
					}
				}
			})
		})
	}
}

func TestClientListEndsInTime(t *testing.T) {
	_, wholeBytes := replyOf(t, 30)
	for _, tt := range []struct {
		name  string
		lobby func(c *scriptedConn)
		want  error
		took  time.Duration
	}{
		{"nothing comes", silent, lobbywire.ErrTimeout, 5 * time.Second},
		{"the lobby hangs up", answering(nil), io.ErrUnexpectedEOF, 0},
		{"the lobby hangs up within the first game", answering(wholeBytes[:800]), io.ErrUnexpectedEOF, 0},
		{"the lobby falls silent within the first game", keeping(wholeBytes[:800]),
			lobbywire.ErrTruncated, 5 * time.Second},
		{"the second batch, which counts, is missing", answering(vector(t, "list_replaced")[:832]),
			io.ErrUnexpectedEOF, 0},
		{"bytes come one a second", func(c *scriptedConn) {
			for _, b := range wholeBytes {
				time.Sleep(time.Second)
				if _, err := c.Write([]byte{b}); err != nil {
					return
				}
			}
		}, lobbywire.ErrTruncated, 50 * time.Second},
		{"4 billion games", keeping(vector(t, "list_endless")), lobbywire.ErrTruncated, 5 * time.Second},
		{"a web server", answering(raw("HTTP/1.1 400 Bad Request\r\n\r\n" + strings.Repeat("<p>Sorry</p>", 300))),
			lobbywire.ErrUnreadable, 0},
		{"a TLS server", keeping(raw("\x15\x03\x01\x00\x02\x02\x46")), lobbywire.ErrTruncated, 5 * time.Second},
		{"an SSH server", keeping(raw("SSH-2.0-OpenSSH_9.6\r\n")), lobbywire.ErrTooLarge, 0},
		{"a status of 4 GiB", keeping(append(make(raw, 4), vector(t, "status_endless")...)), lobbywire.ErrTooLarge, 0},
		{"games of no known version", keeping(slices.Concat(raw{0, 0, 0, 1}, vector(t, "game_version5"),
			make(raw, 900))), lobbywire.ErrUnsupported, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				lobby := newScriptedLobby(t)
				lobby.serveLists(tt.lobby)
				c := Client{Dial: lobby.network.Dial}
				start := time.Now()
				l, err := c.List(t.Context(), scriptedAddr.String())
				if !errors.Is(err, tt.want) || len(l.Games) > 0 {
					t.Errorf("%d games, %v; want %v", len(l.Games), err, tt.want)
				}
				if got := time.Since(start); got != tt.took {
					t.Errorf("took %v, want %v", got, tt.took)
				}
			})
		})
	}
}

// A game of an unknown version hides no other one, and is counted.
func TestClientListLeavesOutGamesOfUnknownVersions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		known, other := raw(vector(t, "game_46")), raw(vector(t, "game_version5"))
		list := slices.Concat(raw{0, 0, 0, 3}, other, known, other)
		lobby := newScriptedLobby(t)
		lobby.serveLists(answering(list))
		c := Client{Dial: lobby.network.Dial}
		r := c.ListViews(t.Context(), scriptedAddr.String())
		if len(r.Servers) != 1 || r.Skipped != 2 || r.Partial || r.Err != nil {
			t.Errorf("%d games, %d skipped, partial %v, %v", len(r.Servers), r.Skipped, r.Partial, r.Err)
		}
	})
}

func TestClientListReadsUTF8(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lobby := newScriptedLobby(t)
		lobby.serveLists(answering(vector(t, "php_list")))
		c := Client{Dial: lobby.network.Dial}
		l, err := c.List(t.Context(), scriptedAddr.String())
		if err != nil {
			t.Fatal(err)
		}
		if g := l.Games[0]; g.Name != "Grüße from Go" || g.MapName != "Sk-Rush" || g.Host != "127.0.0.1" ||
			g.JoinPort() != warzone.GamePort {
			t.Errorf("got %+v", g)
		}
	})
}

// A game without a host gets the address of its lobby.
func TestClientListFillsHosts(t *testing.T) {
	for addr, host := range map[string]string{
		"192.0.2.53:9990":          "192.0.2.53",
		"[2001:db8::53]:9990":      "2001:db8::53",
		"[::ffff:192.0.2.53]:9990": "192.0.2.53",
	} {
		synctest.Test(t, func(t *testing.T) {
			lobby := newScriptedLobby(t)
			lobby.listener.Close()
			lobby.open(netip.MustParseAddrPort(addr))
			other := gamestest.Named("Other")
			other.Host = "198.51.100.7"
			lobby.serveLists(func(c *scriptedConn) {
				c.send(replyForAll([]warzone.Game{gamestest.Named("Mine"), other}, warzone.Status{}))
			})
			c := Client{Dial: lobby.network.Dial}
			l, err := c.List(t.Context(), addr)
			if err != nil {
				t.Fatal(err)
			}
			if l.Games[0].Host != host || l.Games[1].Host != "198.51.100.7" {
				t.Errorf("hosts are %q and %q", l.Games[0].Host, l.Games[1].Host)
			}
		})
	}
}

// Options can raise and lower the number of games that a Client accepts. A longer list is cut.
func TestOptionsLimitTheList(t *testing.T) {
	_, b := replyOf(t, 30)
	synctest.Test(t, func(t *testing.T) {
		lobby := newScriptedLobby(t)
		lobby.serveLists(keeping(b))
		for _, limit := range []int{5, 11, 29, 30, 31} {
			c := Client{Dial: lobby.network.Dial, Options: warzone.Options{MaxGames: limit}}
			l, err := c.List(t.Context(), scriptedAddr.String())
			if err != nil || len(l.Games) != min(limit, 30) || l.Partial != (limit < 30) {
				t.Errorf("at limit %d games: %d, partial %v, %v", limit, len(l.Games), l.Partial, err)
			}
		}
	})
}

// A lobby gets few requests, however often and concurrently List is called.
func TestClientListIsShared(t *testing.T) {
	_, b := replyOf(t, 3)
	synctest.Test(t, func(t *testing.T) {
		lobby := newScriptedLobby(t)
		var asked atomic.Int32
		lobby.serveLists(func(c *scriptedConn) {
			asked.Add(1)
			time.Sleep(300 * time.Millisecond)
			c.send(b)
		})
		c := Client{Dial: lobby.network.Dial}
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() {
				l, err := c.List(t.Context(), scriptedAddr.String())
				if err != nil || len(l.Games) != 3 || l.RTT != 300*time.Millisecond {
					t.Errorf("%d games after %v, %v", len(l.Games), l.RTT, err)
					return
				}
				l.Games[0].Name, l.Status.Text = "changed", "changed" // by one caller
			})
		}
		all.Wait()
		l, err := c.List(t.Context(), scriptedAddr.String())
		if err != nil || l.Games[0].Name != "Game" || l.Status.Text != "Welcome" {
			t.Errorf("got %+v, %v", l, err)
		}
		if got := asked.Load(); got != 1 {
			t.Errorf("asked %d times", got)
		}
		time.Sleep(2 * time.Second)
		if _, err := c.List(t.Context(), scriptedAddr.String()); err != nil || asked.Load() != 2 {
			t.Errorf("asked %d times in all, %v", asked.Load(), err)
		}
	})
}
