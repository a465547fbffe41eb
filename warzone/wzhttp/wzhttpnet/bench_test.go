package wzhttpnet

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/internal/test/suite"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// fullLobby returns a lobby with n games and their ids.
func fullLobby(tb testing.TB, n int) (*Lobby, []warzonegames.Entry) {
	tb.Helper()
	g := &warzonegames.Games{Limits: warzonegames.Limits{MaxGames: n, MaxPerPrefix: n}, MaxListed: n}
	l := &Lobby{Games: g, MOTD: "Hello", NoRates: true}
	all := make([]warzonegames.Entry, n)
	for i := range all {
		all[i] = gamestest.Add(tb, g, httpGameAt(i))
	}
	return l, all
}

// BenchmarkList fetches a list over a socket, from a lobby and from a handler that has
// the same bytes in memory. In "changes", a game changes before each list.
func BenchmarkList(b *testing.B) {
	for _, n := range []int{200, 10_000} {
		l, all := fullLobby(b, n)
		defer l.Close()
		whole := make([]byte, 0, 4<<20)
		l.once.Do(l.init)
		whole = append(whole, l.motd.Load().line...)
		whole = append(whole, l.rows.List()...)
		changes := 0
		for _, tt := range []struct {
			name    string
			handler http.Handler
		}{
			{"lobby", l},
			{"changes", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				changes++
				l.games.Update(all[changes%n].ID,
					func(e *warzonegames.Entry) { e.Game.CurrentPlayers = uint32(changes % 8) })
				l.ServeHTTP(w, r)
			})},
			{"memory", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", wzhttp.AcceptList)
				w.Header().Set("Content-Length", strconv.Itoa(len(whole)))
				w.Write(whole)
			})},
		} {
			b.Run(fmt.Sprintf("games=%d/%s", n, tt.name), func(b *testing.B) {
				p := newHTTPPeer(b, l.Server(tt.handler))
				b.SetBytes(int64(len(whole)))
				b.ReportAllocs()
				for b.Loop() {
					if size := p.do("GET /api/v1/games", "", ""); size != len(whole) {
						b.Fatalf("%d bytes, want %d", size, len(whole))
					}
				}
			})
		}
	}
}

// The cost of a host's keep-alive and of a change, over a connection that stays.
func BenchmarkPatch(b *testing.B) {
	for _, tt := range []struct{ name, body string }{{"keep", "{}"}, {"change", `{"players":{"cur":%d,"max":4}}`}} {
		b.Run(tt.name, func(b *testing.B) {
			l, all := fullLobby(b, 5000)
			defer l.Close()
			p := newHTTPPeer(b, l.Server(nil))
			l.once.Do(l.init)
			l.rows.List()
			requests := make([][2]string, len(all))
			for i, e := range all {
				requests[i] = [2]string{"PATCH /api/v1/game/" + gameIDOf(e.ID),
					l.tokens.hostToken(e.ID, e.HTTP.Session, e.Opened)}
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				r := requests[i%len(requests)]
				body := tt.body
				if strings.Contains(body, "%d") {
					body = fmt.Sprintf(body, i%5000%7+i/5000%2)
				}
				p.do(r[0], r[1], body)
			}
		})
	}
}

// An httpPeer is a connection to a server, with little code of its own.
type httpPeer struct {
	tb   testing.TB
	conn net.Conn
	in   *bufio.Reader
}

func newHTTPPeer(tb testing.TB, s *http.Server) *httpPeer {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Skip(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(l) }()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		c.Close()
		s.Close()
		<-ended
	})
	return &httpPeer{tb, c, bufio.NewReaderSize(c, 256<<10)}
}

// do sends a request and returns the size of the body of the answer.
func (p *httpPeer) do(line, token, body string) (size int) {
	p.tb.Helper()
	fmt.Fprintf(p.conn, "%s HTTP/1.1\r\nHost: x\r\nAuthorization: HostToken %s\r\nContent-Length: %d\r\n\r\n%s", line,
		token, len(body), body)
	status, err := p.in.ReadString('\n')
	if err != nil || !strings.HasPrefix(status, "HTTP/1.1 200") {
		p.tb.Fatalf("%s %s: %q, %v", line, body, status, err)
	}
	for {
		header, err := p.in.ReadString('\n')
		if err != nil {
			p.tb.Fatal(err)
		}
		if header == "\r\n" {
			break
		}
		if value, ok := strings.CutPrefix(header, "Content-Length: "); ok {
			size, _ = strconv.Atoi(strings.TrimSpace(value))
		}
	}
	if n, err := p.in.Discard(size); err != nil {
		p.tb.Fatalf("%d bytes of %d: %v", n, size, err)
	}
	return size
}

// A game takes the memory that the documentation states, with its records for clients
// before 4.7.
func TestGameTakesDocumentedMemory(t *testing.T) {
	const n, limit = 4000, 5 << 10
	before := suite.Heap()
	l, _ := fullLobby(t, n)
	l.once.Do(l.init)
	fixed := suite.Heap()
	list := l.rows.List()
	after := suite.Heap()
	t.Logf("%d bytes a game, of these %d for its line of %d", (after-before)/n, (after-fixed)/n, len(list)/n)
	if got := (after - before) / n; got > limit {
		t.Errorf("a game takes %d bytes, want %d", got, limit)
	}
	runtime.KeepAlive(list)
	l.Close()
}
