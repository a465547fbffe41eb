package stream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

var (
	serverAddr = netip.MustParseAddrPort("192.0.2.1:9990")
	errEnded   = errors.New("ended")
)

var limits = Limits{
	First:    5 * time.Second,
	Frame:    3 * time.Second,
	Idle:     time.Minute,
	Write:    10 * time.Second,
	MaxFrame: 4 << 10,
}

// line cuts off text up to a newline, and skips newlines before it.
func line(b []byte) (string, []byte, error) {
	b = bytes.TrimLeft(b, "\n")
	text, rest, found := bytes.Cut(b, []byte("\n"))
	if !found {
		return "", b, lobbywire.ErrTruncated
	}
	if string(text) == "bad" {
		return "", rest, lobbywire.ErrInvalid
	}
	return string(text), rest, nil
}

// pair returns a Conn and the other end of it.
func pair(t testing.TB, limits Limits) (*Conn, net.Conn) {
	t.Helper()
	network := new(nettest.Streams)
	l, err := network.Listen(serverAddr)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Dial(t.Context(), network.Dial, serverAddr.String(), limits)
	if err != nil {
		t.Fatal(err)
	}
	peer, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Close()
		peer.Close()
		l.Close()
	})
	return c, peer
}

func send(t testing.TB, c net.Conn, text string) {
	t.Helper()
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
}

// want checks the next line.
func want(t testing.TB, c *Conn, text string) {
	t.Helper()
	if got, err := Next(c, line); got != text || err != nil {
		t.Fatalf("got %.40q, %v, want %.40q", got, err, text)
	}
}

// wantError checks that there is no line but an error.
func wantError(t testing.TB, c *Conn, err error) {
	t.Helper()
	if got, e := Next(c, line); !errors.Is(e, err) {
		t.Fatalf("got %.40q, %v, want %v", got, e, err)
	}
}

func TestNextCutsHoweverItComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, peer := pair(t, limits)
		long := strings.Repeat("x", limits.MaxFrame-1)
		go func() {
			send(t, peer, "one\ntwo\nthr")
			send(t, peer, "ee\nbad\n"+long+"\n")
			for _, b := range []byte("\n\nslow\n" + long + "\n") {
				send(t, peer, string(b))
			}
			peer.Close()
		}()
		for _, text := range []string{"one", "two", "three"} {
			want(t, c, text)
		}
		wantError(t, c, lobbywire.ErrInvalid)
		for _, text := range []string{long, "slow", long} {
			want(t, c, text)
		}
		wantError(t, c, io.EOF)
	})
}

func TestNextEndsWithinAMessage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, peer := pair(t, limits)
		send(t, peer, "one\ntw")
		peer.Close()
		want(t, c, "one")
		wantError(t, c, io.ErrUnexpectedEOF)
		if got := string(c.Rest()); got != "tw" {
			t.Errorf("rest is %q", got)
		}
	})
}

func TestNextRefusesWhatIsTooLong(t *testing.T) {
	for _, size := range []int{100, smallBuffer, 5000, 1 << 20} {
		synctest.Test(t, func(t *testing.T) {
			limits := limits
			limits.MaxFrame = size
			c, peer := pair(t, limits)
			go func() {
				for {
					if _, err := peer.Write(bytes.Repeat([]byte("x"), 700)); err != nil {
						return
					}
				}
			}()
			wantError(t, c, ErrTooLong)
			if got := len(c.Rest()); got > max(size, smallBuffer) {
				t.Errorf("%d bytes were kept, want up to %d", got, size)
			}
			c.Close()
		})
	}
}

// Each deadline runs from its start, and input in between does not extend it.
func TestDeadlinesIgnoreTrickle(t *testing.T) {
	for _, tt := range []struct {
		name  string
		sends func(t *testing.T, peer net.Conn) // before what must be in time
		after time.Duration
	}{
		{"nothing comes", func(*testing.T, net.Conn) {}, limits.First},
		{"nothing comes after a message", func(t *testing.T, peer net.Conn) {
			time.Sleep(4 * time.Second)
			send(t, peer, "one\n")
		}, 4*time.Second + limits.Idle},
		{"a message trickles", func(t *testing.T, peer net.Conn) {
			time.Sleep(4 * time.Second)
			for range 10 {
				send(t, peer, "x")
				time.Sleep(time.Second)
			}
		}, 4*time.Second + limits.Frame},
		{"the next message trickles", func(t *testing.T, peer net.Conn) {
			send(t, peer, "one\nt")
			for range 10 {
				time.Sleep(time.Second)
				send(t, peer, "x")
			}
		}, limits.Frame},
		{"what means nothing trickles", func(t *testing.T, peer net.Conn) {
			for range 100 {
				send(t, peer, "\n")
				time.Sleep(time.Second)
			}
		}, limits.Idle},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, peer := pair(t, limits)
				start := time.Now()
				sent := make(chan struct{})
				go func() {
					tt.sends(t, peer)
					close(sent)
				}()
				var err error
				for err == nil {
					_, err = Next(c, line)
				}
				if got := time.Since(start); !errors.Is(err, os.ErrDeadlineExceeded) || got != tt.after {
					t.Errorf("%v after %v, want it after %v", err, got, tt.after)
				}
				<-sent
			})
		})
	}
}

// A peer has a deadline for each 64 KiB of output. The deadline of the next starts when
// it has read them.
func TestEachPartOfTheOutputHasADeadline(t *testing.T) {
	page := make([]byte, 52<<10)
	for _, tt := range []struct {
		name  string
		write func(c *Conn) (int64, error)
		read  int // bytes every 9 seconds

		size int64
		wait time.Duration
		err  error
	}{
		{"never", writeOf(100 << 10), 0, 64 << 10, 10 * time.Second, os.ErrDeadlineExceeded},
		{"never, and much", writeOf(8 << 20), 0, 64 << 10, 10 * time.Second, os.ErrDeadlineExceeded},
		{"never, and a list", buffersOf(page, 100), 0, 64 << 10, 10 * time.Second, os.ErrDeadlineExceeded},
		{"too slowly", writeOf(1 << 20), 32 << 10, 96 << 10, 10 * time.Second, os.ErrDeadlineExceeded},
		{"in time", writeOf(1 << 20), 64 << 10, 1 << 20, 15 * 9 * time.Second, nil},
		{"a list in time", buffersOf(page, 20), 64 << 10, 20 * 52 << 10, 16 * 9 * time.Second, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, peer := pair(t, limits)
				ended := make(chan struct{})
				go func() {
					defer close(ended)
					for tt.read > 0 {
						time.Sleep(9 * time.Second)
						if _, err := io.ReadFull(peer, make([]byte, tt.read)); err != nil {
							return
						}
					}
				}()
				start := time.Now()
				n, err := tt.write(c)
				if got := time.Since(start); n != tt.size || !errors.Is(err, tt.err) || got != tt.wait {
					t.Errorf("%d bytes, %v after %v, want %d, %v after %v", n, err, got, tt.size, tt.err, tt.wait)
				}
				c.Close()
				<-ended
			})
		})
	}
}

// Over sockets, the system gets all remaining output at once, and again after a deadline
// if the peer has read enough.
func TestOutputOverSocketsHasItsDeadline(t *testing.T) {
	page := make([]byte, 52<<10)
	for _, tt := range []struct {
		name  string
		write func(c *Conn) (int64, error)
		size  int64
	}{
		{"bytes", writeOf(16 << 20), 16 << 20},
		{"buffers", buffersOf(page, 300), 300 * 52 << 10},
	} {
		for _, reads := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, reads %v", tt.name, reads), func(t *testing.T) {
				t.Parallel()
				var err error
				for _, limit := range []time.Duration{time.Second / 2, 5 * time.Second} { // the second one for slow machines
					if err = writesInTime(t, tt.write, tt.size, reads, limit); err == nil {
						return
					}
				}
				t.Error(err)
			})
		}
	}
}

// writesInTime writes to a peer, which reads for longer than limit if it reads at all. The Conn
// gives it this time for 64 KiB.
func writesInTime(t *testing.T, write func(c *Conn) (int64, error), size int64, reads bool, limit time.Duration) error {
	t.Helper()
	c, peer := sockets(t, limit)
	read := make(chan struct{})
	go func() {
		defer close(read)
		if !reads {
			return
		}
		tick := time.NewTicker(limit / 10)
		defer tick.Stop()
		for n := int64(0); n < size; {
			<-tick.C
			more, err := io.CopyN(io.Discard, peer, min(1<<20, size-n))
			n += more
			if err != nil {
				return
			}
		}
	}()
	defer func() {
		c.Close()
		<-read
	}()
	start := time.Now()
	n, err := write(c)
	took := time.Since(start)
	switch {
	case reads && (n != size || err != nil):
		return fmt.Errorf("%d bytes, %v, want %d", n, err, size)
	case !reads && (!errors.Is(err, os.ErrDeadlineExceeded) || took > 20*limit):
		return fmt.Errorf("%d bytes, %v after %v", n, err, took)
	}
	return nil
}

// sockets returns the two ends of a TCP connection. The Conn gives its peer a time for 64 KiB.
func sockets(t *testing.T, write time.Duration) (*Conn, net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	peer, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { peer.Close() })
	conn, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	limited := limits
	limited.Write = write
	return NewConn(conn, limited), peer
}

func writeOf(size int) func(c *Conn) (int64, error) {
	return func(c *Conn) (int64, error) {
		n, err := c.Write(make([]byte, size))
		return int64(n), err
	}
}

func buffersOf(page []byte, n int) func(c *Conn) (int64, error) {
	return func(c *Conn) (int64, error) { return c.WriteBuffers(slices.Repeat(net.Buffers{page}, n)) }
}

func TestEndWithEndsTheConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := pair(t, limits)
		ctx, cancel := context.WithCancelCause(t.Context())
		defer c.EndWith(ctx)()
		time.AfterFunc(time.Second, func() { cancel(errEnded) })
		start := time.Now()
		wantError(t, c, errEnded)
		synctest.Wait()
		if _, err := c.Write([]byte("x")); !errors.Is(err, errEnded) {
			t.Errorf("Write returned %v", err)
		}
		if got := time.Since(start); got != time.Second {
			t.Errorf("ended after %v", got)
		}
		wantError(t, c, errEnded)
	})
}

// Output arrives even if the peer sends input that is not read.
func TestOutputArrivesDespiteUnreadInput(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	answer := bytes.Repeat([]byte("answer"), 100<<10)
	go func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		c := NewConn(conn, limits)
		Next(c, line)
		c.Write(answer)
		c.Finish()
	}()
	peer, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer peer.Close()
	peer.SetDeadline(time.Now().Add(10 * time.Second))
	send(t, peer, "ask\nand more that nobody reads")
	got, err := io.ReadAll(peer)
	if err != nil || !bytes.Equal(got, answer) {
		t.Errorf("%d bytes of %d, %v", len(got), len(answer), err)
	}
}

func TestFinishDoesNotWaitLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, peer := pair(t, limits)
		start := time.Now()
		if err := c.Finish(); err != nil {
			t.Error(err)
		}
		if got := time.Since(start); got != linger {
			t.Errorf("finished after %v", got)
		}
		if n, err := peer.Read(make([]byte, 1)); n != 0 || err != io.EOF {
			t.Errorf("the peer read %d, %v", n, err)
		}
	})
}

// A peer that continues to send after the last message occupies the server for a few
// bytes only, not for as long as it sends.
func TestFinishReadsFewBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const endless = 1 << 24
		c, peer := pair(t, limits)
		sent := make(chan int, 1)
		go func() {
			n, _ := peer.Write(make([]byte, endless))
			sent <- n
		}()
		start := time.Now()
		if err := c.Finish(); err != nil {
			t.Error(err)
		}
		if n := <-sent; n > 4*maxLeft || time.Since(start) != 0 {
			t.Errorf("took %d bytes and %v", n, time.Since(start))
		}
	})
}

func TestBackoffDoublesUpToMax(t *testing.T) {
	b := Backoff{Min: time.Second, Max: 10 * time.Second}
	for range 2 {
		for _, d := range []time.Duration{1, 2, 4, 8, 10, 10} {
			d *= time.Second
			if got := b.pause(); got < d/2 || got >= d*3/2 {
				t.Errorf("got %v, want about %v", got, d)
			}
		}
		b.next = 0
	}
}

// BenchmarkNext reads short messages, many in a segment. The floor cuts them from buffers of
// the same size without a Conn.
func BenchmarkNext(b *testing.B) {
	segment := []byte(strings.Repeat("a message of some length\n", 40))
	b.Run("ours", func(b *testing.B) {
		c := NewConn(&repeater{segment: segment}, limits)
		b.ReportAllocs()
		for b.Loop() {
			if m, err := Next(c, line); err != nil || len(m) != 24 {
				b.Fatal(m, err)
			}
		}
	})
	b.Run("floor", func(b *testing.B) {
		r := &repeater{segment: segment}
		buffer := make([]byte, smallBuffer)
		var rest []byte
		b.ReportAllocs()
		for b.Loop() {
			if len(rest) == 0 {
				n, _ := r.Read(buffer)
				rest = buffer[:n]
			}
			m, r, err := line(rest)
			if err != nil || len(m) != 24 {
				b.Fatal(m, err)
			}
			rest = r
		}
	})
}

// A repeater is a peer that sends the same bytes repeatedly.
type repeater struct {
	net.Conn
	segment []byte
}

func (r *repeater) Read(b []byte) (int, error)      { return copy(b, r.segment), nil }
func (r *repeater) SetReadDeadline(time.Time) error { return nil }
func (r *repeater) RemoteAddr() net.Addr            { return nil }
