package gamespy1net_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// listMaster runs a master in a network of its own, in a bubble, and returns a client for it. The
// master sends answer to a valid request, and then closes the connection unless hold is set.
func listMaster(t *testing.T, answer string, hold bool) (c *gamespy1net.Client, addr string) {
	t.Helper()
	var tcp nettest.Streams
	l, err := tcp.Listen(netip.MustParseAddrPort("192.0.2.9:28900"))
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			conn.SetDeadline(time.Now().Add(time.Minute))
			io.WriteString(conn, `\basic\\sec`)
			io.WriteString(conn, `ure\ABCDEF`)
			buf := make([]byte, 4096)
			n, _ := conn.Read(buf)
			m, err := gamespy1.ParseListRequest(buf[:n])
			if err == nil && m.Validate == "zbGgINC8" && m.ListName == "serioussamse" {
				io.WriteString(conn, answer)
				if hold {
					conn.Read(buf)
				}
			}
			conn.Close()
		}
	}()
	t.Cleanup(func() {
		l.Close()
		<-done
	})
	return &gamespy1net.Client{Dial: tcp.Dial}, l.Addr().String()
}

// A master that has sent a part of its greeting is not silent.
func TestHalfAGreetingIsNotSilence(t *testing.T) {
	for greeting, want := range map[string]error{"": lobbywire.ErrTimeout, `\basic\`: lobbywire.ErrTruncated} {
		synctest.Test(t, func(t *testing.T) {
			c := gamespy1net.Client{Dial: func(context.Context, string, string) (net.Conn, error) {
				here, there := net.Pipe()
				go io.WriteString(there, greeting)
				t.Cleanup(func() { there.Close() })
				return here, nil
			}}
			_, err := c.List(t.Context(), "192.0.2.1:28900")
			if !errors.Is(err, want) || (err == lobbywire.ErrTimeout) != (greeting == "") {
				t.Errorf("%q: %v, want %v", greeting, err, want)
			}
		})
	}
}

func TestListGetsTheServersOfTheMaster(t *testing.T) {
	const servers = "\x0a\x00\x00\x01\x64\x01\x0a\x00\x00\x02\x64\x01"
	for _, tt := range []struct {
		name    string
		answer  string
		hold    bool
		n       int
		partial bool
		err     error
	}{
		{"whole", servers + `\final\`, false, 2, false, nil},
		{"whole, and the line is held", servers + `\final\`, true, 2, false, nil},
		{"twice the same", servers + servers + `\final\`, false, 2, false, nil},
		{"none", `\final\`, false, 0, false, nil},
		{"bytes behind the end", servers + `\final\junk`, false, 2, false, nil},
		{"without an end", servers + "\x0a\x00", false, 2, true, nil},
		{"without an end, and the line is held", servers, true, 2, true, nil},
		{"nothing", "", false, 0, false, io.ErrUnexpectedEOF},
		{"silence after the greeting", "", true, 0, false, lobbywire.ErrTruncated},
		{"part of a server, and silence", "\x0a\x00", true, 0, false, lobbywire.ErrTruncated},
		{"a reason", `\error\Unknown game`, false, 0, false, &gamespy1net.MasterError{Text: "Unknown game"}},
		{"a reason, an end mark, and the line is held", `\fatal\1\error\x\final\`, true, 0, false,
			&gamespy1net.MasterError{Text: "x"}},
		{"as text", `\ip\10.0.0.1:25601\ip\10.0.0.2:25601\final\`, false, 2, false, nil},
		{"as text, and the line is held", `\ip\10.0.0.1:25601\ip\10.0.0.2:25602\final\`, true, 2, false, nil},
		{"as text, cut in an address", `\ip\10.0.0.1:25601\ip\10.0.0.2:25`, false, 1, true, nil},
		{"as text, cut in the end", `\ip\10.0.0.1:25601\ip\10.0.0.2:25601\fin`, false, 1, true, nil},
		{"as text, after a pair that is no address", `\gamename\ut\ip\10.0.0.1:25601\final\`, false, 1, true, nil},
		{"as text, with a name", `\ip\10.0.0.1:25601\ip\example.org:25601\ip\\final\`, false, 1, false, nil},
		{"as text, only a name", `\ip\example.org:25601\final\`, false, 0, false, lobbywire.ErrUnreadable},
		{"as text, too long", strings.Repeat(`\ip\10.0.0.1:25601`, 70_000) + `\final\`, false, 1, true, nil},
		{"a reason with the key echo", `\echo\You failed to authenticate.\final\`, false, 0, false,
			&gamespy1net.MasterError{Text: "You failed to authenticate."}},
		{"a reason with the key echo, and the line is held", `\echo\No such game.\final\`, true, 0, false,
			&gamespy1net.MasterError{Text: "No such game."}},
		{"a web server", "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n", false, 0, false, lobbywire.ErrUnreadable},
		{"too long", strings.Repeat(servers, 40_000), false, 2, true, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, addr := listMaster(t, tt.answer, tt.hold)
				l, err := c.List(t.Context(), addr)
				if want := (*gamespy1net.MasterError)(nil); errors.As(tt.err, &want) {
					if got := (*gamespy1net.MasterError)(nil); !errors.As(err, &got) || got.Text != want.Text {
						t.Errorf("%v, want %v", err, want)
					}
				} else if !errors.Is(err, tt.err) {
					t.Errorf("%v, want %v", err, tt.err)
				}
				if says := strings.Contains(fmt.Sprint(err), `know the game "serioussamse"`); says != (tt.name == "nothing") {
					t.Errorf("%v", err)
				}
				if err == nil && l.MasterIP != netip.MustParseAddr("192.0.2.9") {
					t.Errorf("from %v", l.MasterIP)
				}
				if len(l.Queries) != tt.n || l.Partial != tt.partial {
					t.Errorf("%d servers, partial %v", len(l.Queries), l.Partial)
				}
				if want := strings.Count(tt.answer, "example.org") * 2; err == nil && l.Skipped != want {
					t.Errorf("%d skipped, want %d", l.Skipped, want)
				}
				if tt.n > 0 && l.Queries[0] != netip.MustParseAddrPort("10.0.0.1:25601") {
					t.Errorf("first is %v", l.Queries[0])
				}
			})
		})
	}
}

// A compact list may start as a list as text does.
func TestCompactListMayLookLikeText(t *testing.T) {
	for answer, want := range map[string]int{`\ip\10\final\`: 1, `\ip\10` + "\x0a\x00\x00\x01\x64\x01" + `\final\`: 2} {
		synctest.Test(t, func(t *testing.T) {
			c, addr := listMaster(t, answer, true)
			l, err := c.List(t.Context(), addr)
			if err != nil || len(l.Queries) != want || l.Queries[0] != netip.MustParseAddrPort("92.105.112.92:12592") {
				t.Errorf("%q: %v, %v", answer, l.Queries, err)
			}
		})
	}
}

// A greeting with an end mark may arrive in two pieces, the second one even after the
// request. Its end mark does not end the list.
func TestGreetingMayArriveInPieces(t *testing.T) {
	const greeting, challenge = `\basic\\secure\ABCDEF\final\`, len(`\basic\\secure\ABCDEF`)
	at := netip.MustParseAddrPort("192.0.2.9:28900")
	for list, want := range map[string]int{`\final\`: 0, "\x0a\x00\x00\x01\x64\x01\\final\\": 1} {
		for cut := 1; cut <= len(greeting); cut++ {
			for _, late := range []bool{false, true} {
				if late && (cut < challenge || cut == len(greeting)) {
					continue // there is no request yet, or no second piece
				}
				synctest.Test(t, func(t *testing.T) {
					var tcp nettest.Streams
					l, err := tcp.Listen(at)
					if err != nil {
						t.Fatal(err)
					}
					var master sync.WaitGroup
					defer master.Wait()
					master.Go(func() {
						defer l.Close()
						conn, err := l.Accept()
						if err != nil {
							t.Error(err)
							return
						}
						defer conn.Close()
						send := func(text string) {
							io.WriteString(conn, text)
							time.Sleep(time.Millisecond)
						}
						send(greeting[:cut])
						if !late {
							send(greeting[cut:])
						}
						conn.Read(make([]byte, 4096))
						if late {
							send(greeting[cut:])
						}
						send(list)
					})
					c := gamespy1net.Client{Dial: tcp.Dial}
					got, err := c.List(t.Context(), at.String())
					if err != nil || got.Partial || len(got.Queries) != want || got.RTT > 10*time.Millisecond {
						t.Errorf("cut at %d, late %v: %+v, %v, want %d servers", cut, late, got, err, want)
					}
				})
			}
		}
	}
}

func TestListEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const limit = 50 * time.Millisecond
		c, addr := listMaster(t, "", true)
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		defer cancel()
		start := time.Now()
		if _, err := c.List(ctx, addr); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != limit {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
	if _, err := new(gamespy1net.Client).List(t.Context(), nettest.ClosedTCP(t)); err == nil ||
		errors.Is(err, lobbywire.ErrTimeout) {
		t.Errorf("closed port: %v", err)
	}
}
