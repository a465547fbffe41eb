package bombermannet_test

import (
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// answerWith accepts connections and calls answer with each, until the test ends.
func answerWith(t *testing.T, answer func(l *line)) *nettest.Streams {
	t.Helper()
	network := new(nettest.Streams)
	l, err := network.Listen(managementAddr)
	if err != nil {
		t.Fatal(err)
	}
	var answering sync.WaitGroup
	answering.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			answering.Go(func() {
				defer c.Close()
				answer(&line{Conn: c, t: t})
			})
		}
	})
	t.Cleanup(func() {
		l.Close()
		answering.Wait()
	})
	return network
}

func TestClientListsGames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m bombermannet.ManagementServer
		network := start(t, &m)
		server := connect(t, network)
		server.send(register("Bömber", 1), update(1, 4, true, 1))
		server.list()
		c := bombermannet.Client{Dial: network.Dial}
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() {
				l, err := c.List(t.Context(), managementAddr.String())
				if err != nil {
					t.Error(err)
				}
				if diff := cmp.Diff([]bomberman.Server{listed("Bömber", 1, 1, 4, true, 1)}, l.Servers); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				l.Servers[0].Name = "" // is its own
			})
		}
		wg.Wait()
		time.Sleep(1999 * time.Millisecond)
		if l, err := c.List(t.Context(), managementAddr.String()); err != nil || l.Servers[0].Name != "Bömber" {
			t.Errorf("a cached list: got %v, %v", l, err)
		}
		if got := m.Stats(); got.Accepted != 2 || got.Answered != 2 {
			t.Errorf("lists sent: got %+v", got)
		}
		time.Sleep(time.Millisecond)
		server.send(unregister)
		synctest.Wait()
		if l, err := c.List(t.Context(), managementAddr.String()); err != nil || len(l.Servers) != 0 {
			t.Errorf("after 2 s: got %v, %v", l, err)
		}
	})
}

// The list may follow other messages, arrive in parts, contain odd entries and be far
// longer than the specification allows.
func TestClientTakesWhatServersSend(t *testing.T) {
	odd := `{"command":"msRQueryGameServers","content":{"servers":[{"name":"","address":"?","port":51963,` +
		`"players":{"current":"22","max":99},"isLobbyOpen":false,"gameplayMode":7}]}}`
	entry := strings.TrimSuffix(strings.SplitAfterN(odd, "[", 2)[1], "]}}")
	long := strings.Replace(odd, entry, strings.Repeat(entry+",", 8000)+entry, 1)
	for _, tt := range []struct {
		name, sent string
		servers    int
	}{
		{"odd entries", frame(odd), 1},
		{"in the example of the specification", string(goldens(t)["ms_08_msRQueryGameServers_compact"]), 1},
		{"after other messages", string(goldens(t)["java_ms_on_connect"]) + frame(`{"command":"xxheartbeat"}`) +
			frame("???") + frame(odd), 1},
		{"lengths of Java", unitsFrame(strings.Replace(odd, "?", "ö😀", 1)), 1},
		{"long", frame(long), 8001},
	} {
		synctest.Test(t, func(t *testing.T) {
			network := answerWith(t, func(l *line) {
				for b := range strings.Lines(tt.sent) {
					l.raw(b[:1])
					l.raw(b[1:])
				}
				io.Copy(io.Discard, l)
			})
			c := bombermannet.Client{Dial: network.Dial}
			if l, err := c.List(t.Context(), managementAddr.String()); err != nil || len(l.Servers) != tt.servers {
				t.Errorf("%s: got %d servers, %v", tt.name, len(l.Servers), err)
			}
		})
	}
}

// An entry that cannot be read hides no other one, and is counted.
func TestClientLeavesOutUnreadableEntries(t *testing.T) {
	only := frame(`{"command":"msRQueryGameServers","content":{"servers":[null,{"name":"a"}]}}`)
	for _, tt := range []struct {
		name, sent       string
		servers, skipped int
		err              error
	}{
		{"one of six can be read", string(goldens(t)["list_skipped"]), 1, 5, nil},
		{"none can be read", only, 0, 2, lobbywire.ErrUnreadable},
		{"null", string(goldens(t)["list_null"]), 0, 0, nil},
		{"no content", string(goldens(t)["list_bare"]), 0, 0, nil},
		{"as long as a list may be", frame(longList(580)), 580, 0, nil},
		{"longer", frame(longList(700)), 700, 0, nil},
	} {
		synctest.Test(t, func(t *testing.T) {
			network := answerWith(t, func(l *line) {
				l.raw(tt.sent)
				io.Copy(io.Discard, l)
			})
			c := bombermannet.Client{Dial: network.Dial}
			r := c.ListViews(t.Context(), managementAddr.String())
			full := tt.servers == 580 // more may not have fit
			if len(r.Servers) != tt.servers || r.Skipped != tt.skipped || r.Partial != full || !errors.Is(r.Err, tt.err) {
				t.Errorf("%s: %d servers, %d skipped, partial %v, %v", tt.name, len(r.Servers), r.Skipped, r.Partial, r.Err)
			}
		})
	}
}

// longList returns a list of game servers. 580 of them have nearly bomberman.MaxPayload bytes.
func longList(n int) string {
	const entry = `{"name":"a","address":"192.0.2.1","port":1,"players":{"current":0,"max":4},"isLobbyOpen":true,` +
		`"gameplayMode":1}`
	return `{"command":"msRQueryGameServers","content":{"servers":[` + strings.Repeat(entry+",", n-1) + entry + `]}}`
}

func TestClientErrorsNameTheirReason(t *testing.T) {
	for _, tt := range []struct {
		name   string
		answer func(l *line)
		want   error
	}{
		{"silent", func(l *line) { io.Copy(io.Discard, l) }, lobbywire.ErrTimeout},
		{"chatting", func(l *line) {
			for {
				if _, err := io.WriteString(l, frame(`{"command":"xxHeartbeat"}`)); err != nil {
					return
				}
				time.Sleep(time.Second)
			}
		}, lobbywire.ErrTimeout},
		{"another program", func(l *line) {
			l.raw(string(goldens(t)["java_ms_on_connect"]))
			io.Copy(io.Discard, l)
		}, lobbywire.ErrUnreadable},
		{"another command", func(l *line) {
			l.raw(frame(`{"command":"msrQueryGameServers","content":{"servers":[]}}`))
			io.Copy(io.Discard, l)
		}, lobbywire.ErrUnreadable},
		{"with a byte order mark, closing", func(l *line) {
			l.payload()
			l.raw(frame("\ufeff" + `{"command":"msRQueryGameServers","content":{"servers":[]}}`))
		}, lobbywire.ErrInvalid},
		{"slow", func(l *line) {
			io.WriteString(l, "60000{")
			for {
				if _, err := io.WriteString(l, " "); err != nil {
					return
				}
				time.Sleep(time.Second)
			}
		}, lobbywire.ErrTruncated},
		{"closing", func(l *line) { l.payload() }, io.ErrUnexpectedEOF},
		{"closing within the answer", func(l *line) {
			l.payload()
			io.WriteString(l, "100{")
		}, io.ErrUnexpectedEOF},
		{"out of step", func(l *line) {
			l.payload()
			io.WriteString(l, "HTTP/1.1 400 Bad Request\r\n")
		}, lobbywire.ErrInvalid},
		{"huge", func(l *line) {
			l.payload()
			io.WriteString(l, "4294967296{")
		}, lobbywire.ErrTooLarge},
		{"invalid", func(l *line) {
			io.WriteString(l, frame(`{"command":"msRQueryGameServers","content":{"servers":[{}]}}`))
			io.Copy(io.Discard, l)
		}, lobbywire.ErrInvalid},
	} {
		synctest.Test(t, func(t *testing.T) {
			network := answerWith(t, tt.answer)
			c := bombermannet.Client{Dial: network.Dial}
			begin := time.Now()
			l, err := c.List(t.Context(), managementAddr.String())
			if !errors.Is(err, tt.want) || len(l.Servers) != 0 {
				t.Errorf("%s: got %v, %v", tt.name, l, err)
			}
			want := time.Duration(0)
			switch tt.want {
			case lobbywire.ErrTimeout, lobbywire.ErrTruncated, lobbywire.ErrUnreadable:
				want = 5 * time.Second
			}
			if got := time.Since(begin); got != want {
				t.Errorf("%s: after %v, want %v", tt.name, got, want)
			}
		})
	}
}

// Callers share no memory of a listing, unknown members included.
func TestClientSharesNoMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sent := frame(`{"command":"msRQueryGameServers","content":{"servers":[{"name":"a","address":"a.example",` +
			`"port":7777,` +
			`"players":{"current":1,"max":4,"y":[2]},"isLobbyOpen":true,"gameplayMode":1,"x":[1]}]}}`)
		network := answerWith(t, func(l *line) {
			l.raw(sent)
			time.Sleep(time.Second)
		})
		c := bombermannet.Client{Dial: network.Dial}
		for range 3 {
			l, err := c.List(t.Context(), managementAddr.String())
			if err != nil {
				t.Fatal(err)
			}
			s := &l.Servers[0]
			if string(s.Extra["x"]) != "[1]" || string(s.Players.Extra["y"]) != "[2]" {
				t.Fatalf("got %+v", s)
			}
			s.Extra["x"][1], s.Players.Extra["y"][1] = '9', '9'
			clear(s.Extra)
			clear(s.Players.Extra)
			*s = bomberman.Server{}
		}
	})
}
