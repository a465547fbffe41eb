package laws

import (
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/hexfile"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// A Responder is a server over UDP.
type Responder interface {
	Respond(from netip.AddrPort, req []byte, dst [][]byte) (answers [][]byte, ok bool)
	Serve(pc net.PacketConn) error
	Shutdown(ctx context.Context) error
	Close() error
}

// A QueryServer is the server of a game.
type QueryServer interface {
	Responder
	Stats() lobbywire.ServerStats
}

// An Other answers datagrams of other protocols.
type Other = func(local netip.Addr, from netip.AddrPort, req []byte, dst [][]byte) (answers [][]byte, ok bool)

// A Server is the server of a protocol, to be tested by Test.
type Server[S QueryServer] struct {
	New   func(t testing.TB) S             // with a state
	Limit func(s S, perSource, global int) // sets the limits of answers
	Other func(s S, other Other)           // sets its field
	Query func(ctx context.Context, addr string) Answer

	// Request is a request that everybody may send, such as one for a challenge. Its
	// answer is one datagram.
	Request []byte

	// Requests returns all kinds of requests, with a challenge for from where they need
	// one.
	Requests func(t testing.TB, s S, from netip.AddrPort) [][]byte

	// Amplification is the maximum number of bytes that an unverified source receives for each
	// byte that it sends. 0 means that only rate limits bound it.
	Amplification float64
}

// Test runs the laws. The golden files of the codec are in ../testdata.
func (l Server[S]) Test(t *testing.T) {
	t.Run("sockets", l.answersOverSockets)
	t.Run("shutdown", l.shutsDown)
	t.Run("sources", l.limitsSources)
	t.Run("flood", l.survivesAFlood)
	t.Run("allocations", l.allocatesNothing)
	t.Run("memory", l.reusesMemory)
	t.Run("answers", l.doesNotAnswerAnswers)
	t.Run("protocol", l.knowsItsProtocol)
	t.Run("other", l.sharesTheSocket)
	t.Run("amplification", l.amplifiesLittle)
}

// unlimited is more answers than a test requests.
const unlimited = 1 << 30

// The loop of Serve, with sockets of both families.
func (l Server[S]) answersOverSockets(t *testing.T) {
	for _, addr := range []string{"127.0.0.1:0", "[::1]:0"} {
		t.Run(addr, func(t *testing.T) {
			pc, err := net.ListenPacket("udp", addr)
			if err != nil {
				t.Skip(err)
			}
			s := l.New(t)
			ended := make(chan error, 1)
			go func() { ended <- s.Serve(pc) }()
			if a := l.Query(t.Context(), pc.LocalAddr().String()); a.Err != nil || !a.True || a.Partial || a.RTT <= 0 {
				t.Errorf("got %+v", a)
			}
			if err := s.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
			if err := <-ended; !errors.Is(err, lobbywire.ErrClosed) {
				t.Errorf("Serve returned %v", err)
			}
		})
	}
}

// Shutdown answers what has arrived.
func (l Server[S]) shutsDown(t *testing.T) {
	bubble(t, func(t *testing.T, n *nettest.Network) {
		const requests = 50
		pc, err := n.Listen(home)
		if err != nil {
			t.Fatal(err)
		}
		s := l.New(t)
		l.Limit(s, unlimited, unlimited)
		ended := make(chan error)
		go func() { ended <- s.Serve(pc) }()
		client, err := n.Dial(t.Context(), "udp", home.String())
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		for range requests {
			if _, err := client.Write(l.Request); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		if err := s.Shutdown(t.Context()); err != nil {
			t.Errorf("Shutdown: %v", err)
		}
		if err := <-ended; !errors.Is(err, lobbywire.ErrClosed) {
			t.Errorf("Serve returned %v", err)
		}
		answers := 0
		client.SetReadDeadline(time.Now().Add(time.Second))
		for {
			if _, err := client.Read(make([]byte, 2048)); err != nil {
				break
			}
			answers++
		}
		st := s.Stats()
		if answers != requests || st.Received != requests || st.Sent != requests {
			t.Errorf("%d answers, stats have %d received and %d sent, want %d", answers, st.Received, st.Sent, requests)
		}
		if err := s.Serve(pc); !errors.Is(err, lobbywire.ErrClosed) {
			t.Errorf("Serve after Shutdown returned %v", err)
		}
	})
}

// Each source gets its share and no more. A source is an IPv4 address or an IPv6 /64.
func (l Server[S]) limitsSources(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := l.New(t)
		l.Limit(s, 10, unlimited)
		answered := func(from netip.AddrPort) (n int) {
			for range 20 {
				n += len(nettest.Answers(s.Respond(from, l.Request, nil)))
			}
			return n
		}
		for _, tt := range []struct {
			name string
			from netip.AddrPort
			want int
		}{
			{"first", asker, 10},
			{"same address, other port", netip.AddrPortFrom(asker.Addr(), 1), 0},
			{"same address in IPv6 form", netip.AddrPortFrom(netip.AddrFrom16(asker.Addr().As16()), 1), 0},
			{"other address", stranger, 10},
			{"IPv6", netip.MustParseAddrPort("[2001:db8::1]:1"), 10},
			{"same IPv6 /64", netip.MustParseAddrPort("[2001:db8::ffff:2]:1"), 0},
		} {
			if got := answered(tt.from); got != tt.want {
				t.Errorf("%s: %d answers, want %d", tt.name, got, tt.want)
			}
		}
		time.Sleep(500 * time.Millisecond)
		if got := answered(asker); got != 5 {
			t.Errorf("half a second later: %d answers, want 5", got)
		}
	})
}

// Any number of sources takes no memory.
func (l Server[S]) survivesAFlood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const sources, global = 250_000, 1000
		s := l.New(t)
		l.Limit(s, global, global)
		dst, _ := s.Respond(stranger, l.Request, nil)
		before := suite.Heap()
		served := 0
		for i := range uint32(sources) {
			var a [4]byte
			binary.BigEndian.PutUint32(a[:], 0x0a000000+i)
			dst, _ = s.Respond(netip.AddrPortFrom(netip.AddrFrom4(a), 5000), l.Request, dst[:0])
			served += len(dst)
		}
		if grown := suite.Heap() - before; grown > 64<<10 {
			t.Errorf("%d sources took %d bytes", sources, grown)
		}
		if served == 0 || served > global {
			t.Errorf("%d of %d were answered at once, want at most %d", served, sources, global)
		}
		runtime.KeepAlive(s)
	})
}

func (l Server[S]) allocatesNothing(t *testing.T) {
	s := l.New(t)
	l.Limit(s, unlimited, unlimited)
	var dst [][]byte
	for _, req := range l.Requests(t, s, asker) {
		dst, _ = s.Respond(asker, req, dst[:0])
		if len(dst) == 0 {
			t.Errorf("%q is not answered", req)
		}
		if got := testing.AllocsPerRun(100, func() { dst, _ = s.Respond(asker, req, dst[:0]) }); got != 0 {
			t.Errorf("%q: %v allocations", req, got)
		}
	}
}

// The slices of an answer are reused for the next one, and earlier elements stay.
func (l Server[S]) reusesMemory(t *testing.T) {
	s := l.New(t)
	l.Limit(s, unlimited, unlimited)
	for _, req := range l.Requests(t, s, asker) {
		dst, _ := s.Respond(asker, req, [][]byte{[]byte("first")})
		want := clone(dst)
		dst, _ = s.Respond(asker, l.Request, dst[:1])
		if len(dst) != 2 || string(dst[0]) != "first" {
			t.Errorf("%q: got %q", req, dst)
		}
		if got, _ := s.Respond(asker, req, dst[:1]); !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("%q: got %q, then %q", req, want, got)
		}
	}
}

func clone(all [][]byte) (clones [][]byte) {
	for _, b := range all {
		clones = append(clones, slices.Clone(b))
	}
	return clones
}

// No server answers an answer, so two of them cannot be made to exchange datagrams.
func (l Server[S]) doesNotAnswerAnswers(t *testing.T) {
	s, other := l.New(t), l.New(t)
	l.Limit(s, unlimited, unlimited)
	l.Limit(other, unlimited, unlimited)
	for _, req := range append(l.Requests(t, s, asker), l.Request) {
		for _, b := range nettest.Answers(s.Respond(asker, req, nil)) {
			if got, _ := other.Respond(home, b, nil); len(got) > 0 {
				t.Errorf("%q is answered", b)
			}
			if got, _ := s.Respond(asker, b, nil); len(got) > 0 {
				t.Errorf("its own %q is answered", b)
			}
		}
	}
}

// For any input, the size of the answers is bounded by the size of the input, and the
// server does not panic.
func (l Server[S]) amplifiesLittle(t *testing.T) {
	s := l.New(t)
	l.Limit(s, unlimited, unlimited)
	var dst [][]byte
	check := func(b []byte) {
		sent := 0
		dst, _ = s.Respond(stranger, b, dst[:0])
		for _, answer := range dst {
			sent += len(answer)
		}
		if l.Amplification > 0 && float64(sent) > l.Amplification*float64(len(b)) {
			t.Errorf("%d bytes for %d: %x", sent, len(b), b)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	seeds := append(goldenFiles(t, ".."), l.Request)
	buf := make([]byte, 64)
	for i := range suite.Pick(10_000, 100_000) {
		b := buf[:r.IntN(len(buf)+1)]
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		if i%2 == 0 {
			seed := seeds[r.IntN(len(seeds))]
			copy(b, seed[:r.IntN(len(seed)+1)])
		}
		check(b)
	}
	for _, b := range seeds {
		for n := range len(b) + 1 {
			check(b[:n])
		}
	}
}

// goldenFiles returns the messages of the golden files in the folders of codecs.
func goldenFiles(t *testing.T, codecs ...string) (all [][]byte) {
	t.Helper()
	var paths []string
	for _, dir := range codecs {
		found, err := filepath.Glob(filepath.Join(dir, "testdata/golden/*.hex"))
		if err != nil || len(found) == 0 {
			t.Fatalf("no golden files in %s: %v", dir, err)
		}
		paths = append(paths, found...)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		_, b, err := hexfile.Parse(string(text))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b)
	}
	return all
}
