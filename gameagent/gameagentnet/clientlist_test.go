package gameagentnet_test

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
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// lister runs a master at masterHost with some servers, and counts requests.
func (w *world) lister(t *testing.T, servers []netip.AddrPort) *int {
	t.Helper()
	packets, err := gameagent.ServerList{Servers: servers}.Packets()
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	w.Serve(t, masterHost, func(_ netip.AddrPort, req []byte) [][]byte {
		if string(req) != "e" {
			return nil
		}
		asked++
		return packets
	})
	return &asked
}

func TestList(t *testing.T) {
	for _, n := range []int{0, 1, 170, 171, 2000} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld()
			w.lister(t, addresses(n))
			w.Route = func(p nettest.Packet) []nettest.Packet {
				p.Delay = 20 * time.Millisecond
				return []nettest.Packet{p, p}
			}
			start := time.Now()
			l, err := w.client.List(t.Context(), masterHost.String())
			if err != nil || len(l.Servers) != n || l.Partial || l.Attempts != 1 || l.RTT != 40*time.Millisecond {
				t.Errorf("%d: %d servers, partial %v, %d attempts, %v, %v", n, len(l.Servers), l.Partial, l.Attempts,
					l.RTT, err)
			}
			if took := time.Since(start); took != 290*time.Millisecond {
				t.Errorf("%d: took %v", n, took)
			}
		})
	}
}

// A list that is incomplete at the timeout is marked as partial.
func TestListThatComesSlowly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.lister(t, addresses(2000))
		var mu sync.Mutex
		late := time.Duration(0)
		w.Route = func(p nettest.Packet) []nettest.Packet {
			mu.Lock()
			defer mu.Unlock()
			if p.From == masterHost {
				late += 150 * time.Millisecond
				p.Delay = late
			}
			return []nettest.Packet{p}
		}
		start := time.Now()
		l, err := w.client.List(t.Context(), masterHost.String())
		if err != nil || !l.Partial || len(l.Servers) != 6*170 || l.MasterIP != masterHost.Addr() ||
			time.Since(start) != time.Second {
			t.Errorf("%d servers, partial %v, %v after %v", len(l.Servers), l.Partial, err, time.Since(start))
		}
	})
}

func TestListHasABound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		var packets [][]byte
		for i := range 400 {
			b := []byte{'s'}
			for j := range 170 {
				b = append(b, 10, byte(i>>8), byte(i), byte(j), 0, 0x64)
			}
			packets = append(packets, b)
		}
		w.Serve(t, masterHost, func(netip.AddrPort, []byte) [][]byte { return packets })
		l, err := w.client.List(t.Context(), masterHost.String())
		if err != nil || !l.Partial || len(l.Servers) > gameagent.MaxServers ||
			len(l.Servers) < gameagent.MaxServers-170 {
			t.Errorf("%d servers, partial %v, %v", len(l.Servers), l.Partial, err)
		}
	})
}

// A master gets at most one request every ListEvery, whatever the number of callers.
func TestListSparesTheMaster(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		asked := w.lister(t, addresses(3))
		list := func() {
			l, err := w.client.List(t.Context(), masterHost.String())
			if err != nil || len(l.Servers) != 3 {
				t.Errorf("%+v, %v", l, err)
			}
			clear(l.Servers)
		}
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(list)
		}
		wg.Wait()
		list()
		if *asked != 1 {
			t.Errorf("asked %d times", *asked)
		}
		time.Sleep(2 * time.Second)
		list()
		if *asked != 2 {
			t.Errorf("asked %d times, 2 s later", *asked)
		}
	})
}

// A failure is not repeated at once either. A caller that gives up is not a failure
// of the master, but the next caller waits for the interval to pass.
func TestListSparesASilentMaster(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		start := time.Now()
		short, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if _, err := w.client.List(short, masterHost.String()); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("impatient: %v", err)
		}
		for range 10 {
			if _, err := w.client.List(t.Context(), masterHost.String()); !errors.Is(err, lobbywire.ErrTimeout) {
				t.Errorf("%v", err)
			}
		}
		if took := time.Since(start); took != 6*time.Second {
			t.Errorf("took %v", took)
		}
		time.Sleep(2500 * time.Millisecond)
		for range 10 {
			w.client.List(t.Context(), masterHost.String())
		}
		if took := time.Since(start); took != 12500*time.Millisecond {
			t.Errorf("took %v with another fetch", took)
		}
	})
}

func TestListRefusesWhatIsNoList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.Serve(t, masterHost, func(netip.AddrPort, []byte) [][]byte { return [][]byte{[]byte("no list")} })
		_, err := w.client.List(t.Context(), masterHost.String())
		if !errors.Is(err, lobbywire.ErrUnreadable) || !errors.Is(err, lobbywire.ErrInvalid) {
			t.Errorf("got %v", err)
		}
	})
}

// browse scans the servers on the list of masterHost, and returns their errors.
func (w *world) browse(t *testing.T) (got map[netip.AddrPort]error, left lobbywire.LeftOut) {
	t.Helper()
	l, err := w.client.List(t.Context(), masterHost.String())
	if err != nil {
		t.Fatal(err)
	}
	targets, left := l.Targets(t.Context())
	got = map[netip.AddrPort]error{}
	for target, r := range w.client.Scan(t.Context(), targets) {
		got[gameagent.GameAddr(target)] = r.Err
	}
	return got, left
}

// The servers on a list are scanned at their query ports.
func TestListIsScanned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		games := addresses(20)
		w.lister(t, games)
		for i, game := range games {
			if i > 0 {
				w.Serve(t, netip.AddrPortFrom(game.Addr(), game.Port()+1), unlimited(t, duel()))
			}
		}
		got, left := w.browse(t)
		for i, game := range games {
			err, ok := got[game]
			if !ok || (i == 0) != (err != nil) {
				t.Errorf("%v: result %v, %v", game, ok, err)
			}
		}
		if len(got) != len(games) || left.Total() > 0 {
			t.Errorf("%d results, left out: %+v", len(got), left)
		}
	})
}

// Ports without a possible query port are no targets, and other servers are left out.
func TestListWithOddAddresses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.Serve(t, masterHost, func(netip.AddrPort, []byte) [][]byte {
			return [][]byte{[]byte("s\x0a\x00\x00\x01\xff\xff\x0a\x00\x00\x01\x00\x64\xcb\x00\x71\x01\x00\x00")}
		})
		got, left := w.browse(t)
		if len(got) != 0 || left != (lobbywire.LeftOut{Private: 1, Service: 1}) {
			t.Errorf("got %v, left out %+v", got, left)
		}
	})
}

// legacyMaster runs a master for the legacy list. It sends answer to a valid request,
// and then closes the connection unless hold is set.
func legacyMaster(t *testing.T, answer string, hold bool) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
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
	return l.Addr().String()
}

// A master that has sent a part of its greeting is not silent.
func TestLegacyListWithHalfAGreeting(t *testing.T) {
	for greeting, want := range map[string]error{"": lobbywire.ErrTimeout, `\basic\`: lobbywire.ErrTruncated} {
		synctest.Test(t, func(t *testing.T) {
			c := gameagentnet.Client{Dial: func(context.Context, string, string) (net.Conn, error) {
				here, there := net.Pipe()
				go io.WriteString(there, greeting)
				t.Cleanup(func() { there.Close() })
				return here, nil
			}}
			_, err := c.LegacyList(t.Context(), "192.0.2.1:28900", "serioussamse")
			if !errors.Is(err, want) || (err == lobbywire.ErrTimeout) != (greeting == "") {
				t.Errorf("%q: %v, want %v", greeting, err, want)
			}
		})
	}
}

func TestLegacyList(t *testing.T) {
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
		{"a reason", `\error\Unknown game`, false, 0, false, &gameagentnet.MasterError{Text: "Unknown game"}},
		{"a reason, an end mark, and the line is held", `\fatal\1\error\x\final\`, true, 0, false,
			&gameagentnet.MasterError{Text: "x"}},
		{"as text", `\ip\10.0.0.1:25601\ip\10.0.0.2:25601\final\`, false, 2, false, nil},
		{"as text, and the line is held", `\ip\10.0.0.1:25601\ip\10.0.0.2:25602\final\`, true, 2, false, nil},
		{"as text, cut in an address", `\ip\10.0.0.1:25601\ip\10.0.0.2:25`, false, 1, true, nil},
		{"as text, cut in the end", `\ip\10.0.0.1:25601\ip\10.0.0.2:25601\fin`, false, 1, true, nil},
		{"as text, after a pair that is no address", `\gamename\ut\ip\10.0.0.1:25601\final\`, false, 1, true, nil},
		{"as text, with a name", `\ip\10.0.0.1:25601\ip\example.org:25601\ip\\final\`, false, 1, false, nil},
		{"as text, only a name", `\ip\example.org:25601\final\`, false, 0, false, lobbywire.ErrUnreadable},
		{"as text, too long", strings.Repeat(`\ip\10.0.0.1:25601`, 70_000) + `\final\`, false, 1, true, nil},
		{"a reason with the key echo", `\echo\You failed to authenticate.\final\`, false, 0, false,
			&gameagentnet.MasterError{Text: "You failed to authenticate."}},
		{"a reason with the key echo, and the line is held", `\echo\No such game.\final\`, true, 0, false,
			&gameagentnet.MasterError{Text: "No such game."}},
		{"a web server", "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n", false, 0, false, lobbywire.ErrUnreadable},
		{"too long", strings.Repeat(servers, 40_000), false, 2, true, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := gameagentnet.Client{Timeout: 500 * time.Millisecond}
			l, err := c.LegacyList(t.Context(), legacyMaster(t, tt.answer, tt.hold), "serioussamse")
			if want := (*gameagentnet.MasterError)(nil); errors.As(tt.err, &want) {
				if got := (*gameagentnet.MasterError)(nil); !errors.As(err, &got) || got.Text != want.Text {
					t.Errorf("%v, want %v", err, want)
				}
			} else if !errors.Is(err, tt.err) {
				t.Errorf("%v, want %v", err, tt.err)
			}
			if says := strings.Contains(fmt.Sprint(err), `know the game "serioussamse"`); says != (tt.name == "nothing") {
				t.Errorf("%v", err)
			}
			if err == nil && l.MasterIP != netip.MustParseAddr("127.0.0.1") {
				t.Errorf("from %v", l.MasterIP)
			}
			if len(l.Servers) != tt.n || l.Partial != tt.partial {
				t.Errorf("%d servers, partial %v", len(l.Servers), l.Partial)
			}
			if want := strings.Count(tt.answer, "example.org") * 2; err == nil && l.Skipped != want {
				t.Errorf("%d skipped, want %d", l.Skipped, want)
			}
			if tt.n > 0 && l.Servers[0] != netip.MustParseAddrPort("10.0.0.1:25600") {
				t.Errorf("first is %v", l.Servers[0])
			}
		})
	}
}

// A compact list may start as a list as text does.
func TestLegacyListWithAnAddressLikeText(t *testing.T) {
	for answer, want := range map[string]int{`\ip\10\final\`: 1, `\ip\10` + "\x0a\x00\x00\x01\x64\x01" + `\final\`: 2} {
		l, err := new(gameagentnet.Client).LegacyList(t.Context(), legacyMaster(t, answer, true), "serioussamse")
		if err != nil || len(l.Servers) != want || l.Servers[0] != netip.MustParseAddrPort("92.105.112.92:12591") {
			t.Errorf("%q: %v, %v", answer, l.Servers, err)
		}
	}
}

// A greeting with an end mark may arrive in two pieces, the second one even after the
// request. Its end mark does not end the list.
func TestLegacyListAfterAGreetingInPieces(t *testing.T) {
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
					c := gameagentnet.Client{Dial: tcp.Dial}
					got, err := c.LegacyList(t.Context(), at.String(), "serioussamse")
					if err != nil || got.Partial || len(got.Servers) != want || got.RTT > 10*time.Millisecond {
						t.Errorf("cut at %d, late %v: %+v, %v, want %d servers", cut, late, got, err, want)
					}
				})
			}
		}
	}
}

func TestLegacyListEndsWithItsContext(t *testing.T) {
	addr := legacyMaster(t, "", true)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	c := gameagentnet.Client{Timeout: time.Hour}
	if _, err := c.LegacyList(ctx, addr, "serioussamse"); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if _, err := c.LegacyList(t.Context(), nettest.ClosedTCP(t), "serioussamse"); err == nil ||
		errors.Is(err, lobbywire.ErrTimeout) {
		t.Errorf("closed port: %v", err)
	}
}
