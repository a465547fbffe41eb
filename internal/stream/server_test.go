package stream

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// echo answers each line with itself.
func echo(_ context.Context, c *Conn) {
	for {
		text, err := Next(c, line)
		if err != nil {
			return
		}
		if _, err := c.Write([]byte(text + "\n")); err != nil {
			return
		}
	}
}

// newServer returns a server for lines, with limits that only tests of limits reach.
func newServer(handler func(context.Context, *Conn)) *Server {
	return &Server{
		Handler: handler,
		Defaults: lobbywire.ConnLimits{
			First: limits.First, Frame: limits.Frame, Idle: limits.Idle, Write: limits.Write,
			MaxConns: 1000, MaxPerAddress: 1000, MaxPerPrefix: 1000, MaxBuffered: 1 << 20,
		},
		MaxFrame: limits.MaxFrame,
	}
}

// start serves on a network and returns it and its listener.
func start(t testing.TB, s *Server) (*nettest.Streams, *nettest.Listener) {
	t.Helper()
	network := new(nettest.Streams)
	l, err := network.Listen(serverAddr)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(l) }()
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if err := <-ended; err != lobbywire.ErrClosed {
			t.Errorf("Serve returned %v", err)
		}
	})
	return network, l
}

// connect returns a connection to the server from an address.
func connect(t testing.TB, network *nettest.Streams, from string) *Conn {
	t.Helper()
	c, err := Dial(t.Context(), network.DialFrom(netip.MustParseAddr(from)), serverAddr.String(), limits)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func isServed(t testing.TB, c *Conn) bool {
	t.Helper()
	if _, err := c.Write([]byte("hello\n")); err != nil {
		return false
	}
	text, err := Next(c, line)
	if err != nil && err != io.EOF {
		t.Fatal(err)
	}
	return text == "hello"
}

func TestServerLimitsConnections(t *testing.T) {
	for _, tt := range []struct {
		name             string
		all, address, in int // limits
		from             []string
		served           string // by connection, y or n
	}{
		{"in all", 2, 9, 9, []string{"192.0.2.1", "198.51.100.1", "203.0.113.1"}, "yyn"},
		{"of an address", 9, 1, 9, []string{"192.0.2.1", "192.0.2.2", "192.0.2.1", "::ffff:192.0.2.2"}, "yynn"},
		{"of an IPv6 /64", 9, 1, 9, []string{"2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"}, "yny"},
		{"of a /24", 9, 9, 2, []string{"192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.3.1"}, "yyny"},
		{"of an IPv6 /48", 9, 9, 1, []string{"2001:db8::1", "2001:db8:0:1::1", "2001:db8:1::1"}, "yny"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newServer(echo)
				s.Limits.MaxConns, s.Limits.MaxPerAddress, s.Limits.MaxPerPrefix = tt.all, tt.address, tt.in
				network, _ := start(t, s)
				for range 2 { // the second time, places are free again
					served := ""
					var conns []*Conn
					for _, from := range tt.from {
						c := connect(t, network, from)
						conns = append(conns, c)
						if isServed(t, c) {
							served += "y"
						} else {
							served += "n"
						}
					}
					if served != tt.served {
						t.Errorf("served: %s, want %s", served, tt.served)
					}
					if got, want := s.Stats().Open, strings.Count(served, "y"); got != want {
						t.Errorf("%d are open, want %d", got, want)
					}
					for _, c := range conns {
						c.Close()
					}
					synctest.Wait()
				}
				if s.Stats().Open != 0 {
					t.Errorf("left: %+v", s.Stats())
				}
				for _, from := range tt.from {
					if address, prefix := s.open.Counts(netip.MustParseAddr(from)); address+prefix != 0 {
						t.Errorf("left: %d of the address %s and %d of its prefix", address, from, prefix)
					}
				}
			})
		})
	}
}

// Long messages take memory from the budget that all connections share, and return it.
func TestServerLimitsMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(echo)
		s.Limits.MaxBuffered = 2 * int64(limits.MaxFrame-smallBuffer)
		network, _ := start(t, s)
		half := strings.Repeat("x", limits.MaxFrame-10)
		for range 3 {
			var conns []*Conn
			for range 3 {
				c := connect(t, network, "192.0.2.2")
				conns = append(conns, c)
				if _, err := c.Write([]byte(half)); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
			}
			if got := s.Stats(); got.Open != 2 {
				t.Errorf("%d are open, want 2", got.Open)
			}
			wantError(t, conns[2], io.EOF)
			for _, c := range conns[:2] {
				if _, err := c.Write([]byte("\n")); err != nil {
					t.Fatal(err)
				}
				want(t, c, half)
			}
			synctest.Wait()
			if got := s.buffered.Load(); got != 0 {
				t.Errorf("%d bytes are taken while all wait", got)
			}
			conns[0].Write([]byte(half))
			synctest.Wait()
			for _, c := range conns {
				c.Close()
			}
			synctest.Wait()
			if got := s.buffered.Load(); got != 0 {
				t.Errorf("%d bytes are taken after the end", got)
			}
		}
		if got := s.Stats(); got.TooLong != 3 || got.Accepted != 9 {
			t.Errorf("stats: %+v", got)
		}
	})
}

// A message without end takes no more memory than the longest message, although the budget
// of all connections has more, and ends its connection.
func TestServerLimitsMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, size := range []int{smallBuffer, limits.MaxFrame, 5000} {
			s := newServer(echo)
			s.MaxFrame = size
			network, _ := start(t, s)
			c := connect(t, network, "192.0.2.2")
			accepted := 0
			for accepted < 1<<18 {
				n, err := c.Write(bytes.Repeat([]byte("x"), 100))
				accepted += n
				if err != nil {
					break
				}
				synctest.Wait()
				if got := s.buffered.Load(); got > int64(size-smallBuffer) {
					t.Fatalf("%d bytes are taken for a message of up to %d", got, size)
				}
			}
			if st := s.Stats(); accepted > size+100 || st.Open != 0 || st.TooLong != 1 {
				t.Errorf("%d bytes of a message of up to %d were accepted: %+v", accepted, size, st)
			}
		}
	})
}

// A connection that waits takes very little memory. The last SetIdle sets its idle time.
func TestWaitingConnectionsTakeLittleMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		size := 0
		network, _ := start(t, newServer(func(ctx context.Context, c *Conn) {
			for {
				if _, err := Next(c, line); err != nil {
					size = cap(c.buffer)
					return
				}
				c.SetIdle(2 * limits.Idle)
			}
		}))
		c := connect(t, network, "192.0.2.2")
		began := time.Now()
		if _, err := c.Write([]byte(strings.Repeat("x", 900) + "\n")); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadAll(c.conn); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took != 2*limits.Idle {
			t.Errorf("waited %v, want %v", took, 2*limits.Idle)
		}
		if size != firstBuffer {
			t.Errorf("waited with %d bytes, want %d", size, firstBuffer)
		}
	})
}

func TestServerCountsTimeouts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(echo)
		network, _ := start(t, s)
		c := connect(t, network, "192.0.2.2")
		time.Sleep(limits.First)
		synctest.Wait()
		wantError(t, c, io.EOF)
		if got := s.Stats(); got.TimedOut != 1 || got.Open != 0 {
			t.Errorf("stats: %+v", got)
		}
	})
}

func TestServerOutlivesFailuresToAccept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(echo)
		var log bytes.Buffer
		s.Logger = slog.New(slog.NewTextHandler(&log, nil))
		network, l := start(t, s)
		for range 20 {
			l.Fail(syscall.EMFILE)
		}
		began := time.Now()
		c := connect(t, network, "192.0.2.2")
		synctest.Wait()
		time.Sleep(15 * time.Second) // more than all pauses
		if !isServed(t, c) {
			t.Errorf("not served after %v", time.Since(began))
		}
		if got := log.String(); strings.Count(got, "accept failed") != 1 {
			t.Errorf("logged %s", got)
		}
	})
}

func TestServerEndsWithABrokenListener(t *testing.T) {
	broken := errors.New("broken")
	s := newServer(echo)
	if err := s.Serve(brokenListener{broken}); err != broken {
		t.Errorf("Serve returned %v", err)
	}
}

type brokenListener struct{ err error }

func (l brokenListener) Accept() (net.Conn, error) { return nil, l.err }
func (l brokenListener) Close() error              { return nil }
func (l brokenListener) Addr() net.Addr            { return nil }

// Shutdown ends every connection once the messages read from it are answered.
func TestShutdownAnswersWhatWasRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := func(ctx context.Context, c *Conn) {
			for {
				text, err := Next(c, line)
				if err != nil {
					return
				}
				time.Sleep(2 * time.Second)
				c.Write([]byte(text + "\n"))
			}
		}
		s := newServer(slow)
		network, _ := start(t, s)
		var conns []*Conn
		for range 50 {
			c := connect(t, network, "192.0.2.2")
			conns = append(conns, c)
			if _, err := c.Write([]byte("one\n")); err != nil {
				t.Fatal(err)
			}
		}
		idle := connect(t, network, "192.0.2.2")
		synctest.Wait()
		began := time.Now()
		if err := s.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		if got := time.Since(began); got != 2*time.Second {
			t.Errorf("shut down after %v", got)
		}
		for _, c := range conns {
			want(t, c, "one")
			wantError(t, c, io.EOF)
		}
		wantError(t, idle, io.EOF)
		if _, err := Dial(t.Context(), network.Dial, serverAddr.String(), limits); !errors.Is(err,
			syscall.ECONNREFUSED) {
			t.Errorf("a new connection: %v", err)
		}
		if err := s.Serve(brokenListener{}); !errors.Is(err, lobbywire.ErrClosed) {
			t.Errorf("Serve after Shutdown returned %v", err)
		}
	})
}

// Shutdown gives peers a short time to finish messages that they have begun: a process
// that takes over the connection does not get the part that was read.
func TestShutdownLetsPeersFinishAMessage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(echo)
		network, _ := start(t, s)
		write := func(c *Conn, text string) {
			if _, err := c.Write([]byte(text)); err != nil {
				t.Error(err)
			}
		}
		finishes, stops := connect(t, network, "192.0.2.2"), connect(t, network, "192.0.2.2")
		write(finishes, "fini")
		write(stops, "sto")
		synctest.Wait()
		began, ended := time.Now(), make(chan error, 1)
		go func() { ended <- s.Shutdown(t.Context()) }()
		time.Sleep(lastWithin / 2)
		write(finishes, "shes")
		time.Sleep(lastWithin / 4)
		write(finishes, "\n")
		want(t, finishes, "finishes")
		wantError(t, finishes, io.EOF)
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if got := time.Since(began); got != lastWithin {
			t.Errorf("shut down after %v", got)
		}
		wantError(t, stops, io.EOF)
	})
}

// Shutdown closes the connection of a handler that does not return in time.
func TestShutdownEndsSlowHandlers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ended atomic.Bool
		s := newServer(func(ctx context.Context, c *Conn) {
			c.Write(make([]byte, 1<<20)) // nobody reads
			<-ctx.Done()
			ended.Store(true)
		})
		s.Limits.Write = time.Hour
		network, _ := start(t, s)
		connect(t, network, "192.0.2.2")
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		if err := s.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Shutdown returned %v", err)
		}
		if got := time.Since(began); got != time.Second || !ended.Load() {
			t.Errorf("shut down after %v, handler ended: %v", got, ended.Load())
		}
	})
}

// A server serves real sockets for IPv4 and IPv6.
func TestServerServesRealSockets(t *testing.T) {
	for _, addr := range []string{"127.0.0.1:0", "[::1]:0"} {
		t.Run(addr, func(t *testing.T) {
			l, err := net.Listen("tcp", addr)
			if err != nil {
				t.Skip(err)
			}
			s := newServer(echo)
			ended := make(chan error, 1)
			go func() { ended <- s.Serve(l) }()
			c, err := Dial(t.Context(), nil, l.Addr().String(), limits)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if !isServed(t, c) {
				t.Error("not served")
			}
			if got := netip.MustParseAddrPort(l.Addr().String()); c.Remote() != got {
				t.Errorf("remote is %v, want %v", c.Remote(), got)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if err := <-ended; err != lobbywire.ErrClosed {
				t.Errorf("Serve returned %v", err)
			}
		})
	}
}

// Stats may be called before Serve and while Serve starts.
func TestStatsWorkBeforeServe(t *testing.T) {
	s := newServer(echo)
	asked := make(chan lobbywire.ConnStats)
	go func() { asked <- s.Stats() }()
	network, _ := start(t, s)
	c := connect(t, network, "192.0.2.1")
	if got := <-asked; !isServed(t, c) || got.Refused != 0 {
		t.Errorf("not served, or got %+v", got)
	}
}

// Limits may change while a Server serves. Open connections stay open.
func TestSetLimitsKeepsOpenConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(echo)
		s.Limits.MaxConns = 1
		network, _ := start(t, s)
		for _, step := range []struct {
			most  int
			serve bool
		}{{1, true}, {1, false}, {2, true}, {1, false}, {0, true}} {
			s.SetLimits(lobbywire.ConnLimits{MaxConns: step.most})
			if c := connect(t, network, "192.0.2.1"); isServed(t, c) != step.serve {
				t.Errorf("with a limit of %d, served is not %v", step.most, step.serve)
			}
		}
	})
}
