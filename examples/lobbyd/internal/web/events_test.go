package web_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/web"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// A stage is a Server on an in-memory network, with the fake clock of the test.
type stage struct {
	shown
	network nettest.Streams
	t       *testing.T
}

var at = netip.MustParseAddrPort("192.0.2.1:80")

func onStage(t *testing.T, change func(*web.Server), play func(*testing.T, *stage)) {
	synctest.Test(t, func(t *testing.T) {
		s := &stage{t: t}
		s.now = time.Now()
		s.web = &web.Server{Catalogue: &s.all}
		if change != nil {
			change(s.web)
		}
		l, err := s.network.Listen(at)
		if err != nil {
			t.Fatal(err)
		}
		server := &http.Server{Handler: s.web, ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second}
		ended := make(chan error, 1)
		server.RegisterOnShutdown(func() { ended <- s.web.Shutdown(context.Background()) })
		go server.Serve(l)
		play(t, s)
		if err := server.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// A viewer is a client that reads the stream of events.
type viewer struct {
	t      *testing.T
	status int
	lines  *bufio.Scanner
	body   io.Closer
}

func (s *stage) watch(from, query, last string) *viewer {
	s.t.Helper()
	client := &http.Client{Transport: &http.Transport{
		DialContext:       s.network.DialFrom(netip.MustParseAddr(from)),
		DisableKeepAlives: true,
	}}
	r, err := http.NewRequest(http.MethodGet, "http://192.0.2.1:80/api/events"+query, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	answer, err := client.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	v := &viewer{t: s.t, status: answer.StatusCode, lines: bufio.NewScanner(answer.Body), body: answer.Body}
	v.lines.Buffer(nil, 8<<20)
	return v
}

// next returns the next event, or "" at the end. It skips comments and retry fields.
func (v *viewer) next() (name, id, data string) {
	for v.lines.Scan() {
		field, value, _ := strings.Cut(v.lines.Text(), ": ")
		switch field {
		case "event":
			name = value
		case "id":
			id = value
		case "data":
			data = value
		case "":
			if name != "" {
				return name, id, data
			}
		}
	}
	return "", "", ""
}

// brief returns the next n events: their names, and the IDs of the servers in them.
func (v *viewer) brief(n int) (all []string) {
	v.t.Helper()
	for range n {
		name, _, data := v.next()
		var d struct {
			Servers, Put []struct{ ID string }
			Gone         []string
			CutOff       string
		}
		if err := json.Unmarshal([]byte(data), &d); name != "" && err != nil {
			v.t.Fatalf("%s: %v", data, err)
		}
		for _, s := range append(d.Servers, d.Put...) {
			name += " " + s.ID
		}
		for _, id := range d.Gone {
			name += " -" + id
		}
		if d.CutOff != "" {
			name += " " + d.CutOff
		}
		all = append(all, name)
	}
	return all
}

func (v *viewer) expect(want ...string) {
	v.t.Helper()
	if diff := cmp.Diff(want, v.brief(len(want))); diff != "" {
		v.t.Errorf("events:\n%s", diff)
	}
}

func TestEventsFollowTheCatalogue(t *testing.T) {
	var cutOff atomic.Pointer[time.Time]
	cutOff.Store(new(time.Time))
	state := func() web.State { return web.State{Node: "oslo", CutOff: *cutOff.Load()} }
	onStage(t, func(s *web.Server) { s.State = state }, func(t *testing.T, s *stage) {
		gun, rush, bomb := three()
		s.set(gun, rush)
		v := s.watch("192.0.2.7", "", "")
		v.expect("snapshot gameagent-1 warzone-2", "state")
		s.set(gun, bomb)
		v.expect("change -warzone-2", "change bomberman-3")
		now := time.Now()
		cutOff.Store(&now)
		v.expect("state 2000-01-01T00:00:00Z")

		gun.Players++
		s.set(gun, bomb)
		_, id, _ := v.next()
		gun.Players++
		s.set(gun, bomb)
		s.set(gun)
		v.expect("change gameagent-1", "change -bomberman-3")
		for _, again := range []*viewer{s.watch("192.0.2.7", "?after="+id, ""),
			s.watch("192.0.2.7", "?after=old", id)} {
			again.expect("state 2000-01-01T00:00:00Z", "change gameagent-1", "change -bomberman-3")
			again.body.Close()
		}
		for _, unknown := range []string{"old-1", id[:9] + "x", "-", "0"} {
			again := s.watch("192.0.2.7", "", unknown)
			again.expect("snapshot gameagent-1", "state 2000-01-01T00:00:00Z")
			again.body.Close()
		}
		v.body.Close()
	})
}

// A viewer that reconnects too late gets a new snapshot.
func TestLateViewersGetASnapshot(t *testing.T) {
	onStage(t, nil, func(t *testing.T, s *stage) {
		gun, _, _ := three()
		s.set(gun)
		v := s.watch("192.0.2.7", "", "")
		_, id, _ := v.next()
		v.next()
		for i := range 300 {
			gun.Players = i
			s.set(gun)
			if name, _, _ := v.next(); name != "change" {
				t.Fatalf("%d: got %q", i, name)
			}
		}
		v.body.Close()
		v = s.watch("192.0.2.7", "", id)
		v.expect("snapshot gameagent-1", "state")
		v.body.Close()
	})
}

// A viewer that does not read is disconnected, so that it can reconnect, and does not
// delay the others.
func TestSlowViewerIsDisconnected(t *testing.T) {
	onStage(t, nil, func(t *testing.T, s *stage) {
		all := evening(suite.Pick(300, 1000))
		s.set(all...)
		slow, quick := s.watch("192.0.2.7", "", ""), s.watch("192.0.2.8", "", "")
		quick.brief(2)
		for i := range 100 {
			all[7].Players = i
			s.set(all...)
			quick.expect("change " + all[7].ID)
		}
		time.Sleep(time.Minute) // of fake time: the deadline of the slow viewer passes
		all[7].Players = 1
		s.set(all...)
		quick.expect("change " + all[7].ID)
		for name := "?"; name != ""; name, _, _ = slow.next() {
		}
		if err := slow.lines.Err(); err == nil {
			t.Error("the slow one got everything")
		}
		slow.body.Close()
		quick.body.Close()
	})
}

// Viewers that do not read share one copy of the list, whatever their number.
func TestSlowViewersShareAList(t *testing.T) {
	for _, path := range []string{"/api/events", "/api/servers", "/api/servers?q=."} {
		t.Run(path, func(t *testing.T) {
			onStage(t, nil, func(t *testing.T, s *stage) {
				s.set(evening(3000)...)
				list := s.ask(http.MethodGet, "/api/servers?quarantined=1").Body.Len()
				before := suite.Heap()
				const viewers = 30 // the limit is 32 for a source
				for range viewers {
					conn, err := s.network.Dial(t.Context(), "tcp", at.String())
					if err != nil {
						t.Fatal(err)
					}
					defer conn.Close()
					fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: a\r\n\r\n", path)
				}
				synctest.Wait()
				if grown := suite.Heap() - before; grown > viewers*list/3 {
					t.Errorf("%d bytes for %d viewers of %d", grown, viewers, list)
				}
			})
		})
	}
}

func TestStreamsAreLimited(t *testing.T) {
	limits := func(s *web.Server) { s.MaxStreams, s.MaxStreamsPerSource = 8, 2 }
	onStage(t, limits, func(t *testing.T, s *stage) {
		var all []*viewer
		for _, step := range []struct {
			from   string
			status int
		}{
			{"192.0.2.7", 200}, {"192.0.2.7", 200}, {"192.0.2.7", 429},
			{"2001:db8::1", 200}, {"2001:db8::2", 200}, {"2001:db8::3", 429},
			{"127.0.0.1", 200}, {"127.0.0.1", 200}, {"127.0.0.1", 429},
			{"::1", 200}, {"::1", 200}, {"2001:db8:1::", 429},
		} {
			v := s.watch(step.from, "", "")
			if v.status != step.status {
				t.Errorf("%s: got %d, want %d", step.from, v.status, step.status)
			}
			all = append(all, v)
		}
		all[0].body.Close()
		synctest.Wait()
		all = append(all, s.watch("192.0.2.7", "", ""))
		if last := all[len(all)-1]; last.status != 200 {
			t.Errorf("one has left and another gets %d", last.status)
		}
		for _, v := range all {
			v.body.Close()
		}
	})
}

// All clients of a prefix together have at most the streams of four clients.
func TestStreamsOfAPrefixAreLimited(t *testing.T) {
	limits := func(s *web.Server) { s.MaxStreams, s.MaxStreamsPerSource = 100, 2 }
	onStage(t, limits, func(t *testing.T, s *stage) {
		var all []*viewer
		opened := 0
		for i := range 30 {
			v := s.watch(fmt.Sprintf("192.0.2.%d", i+1), "", "")
			if v.status == 200 {
				opened++
			}
			all = append(all, v)
		}
		if opened != 8 {
			t.Errorf("%d streams of a prefix", opened)
		}
		other := s.watch("198.51.100.1", "", "")
		if other.status != 200 {
			t.Errorf("another prefix gets %d", other.status)
		}
		for _, v := range append(all, other) {
			v.body.Close()
		}
	})
}

// Quiet streams send comments, and all streams end with the server.
func TestQuietStreamsSendComments(t *testing.T) {
	onStage(t, nil, func(t *testing.T, s *stage) {
		conn, err := s.network.Dial(t.Context(), "tcp", at.String())
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(conn, "GET /api/events HTTP/1.1\r\nHost: a\r\n\r\n")
		seen := make(chan string)
		go func() { b, _ := io.ReadAll(conn); seen <- string(b) }()
		time.Sleep(40 * time.Second) // of the test
		if err := s.web.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		conn.(interface{ CloseWrite() error }).CloseWrite()
		got := <-seen
		if n := strings.Count(got, "\r\n:\n\n"); n != 2 {
			t.Errorf("%d comments in\n%s", n, got)
		}
		conn.Close()
		v := s.watch("127.0.0.1", "", "")
		if v.status != 503 {
			t.Errorf("after the end: %d", v.status)
		}
		v.body.Close()
	})
}
