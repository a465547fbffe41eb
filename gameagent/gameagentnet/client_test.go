package gameagentnet_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// world is a network with a client.
type world struct {
	nettest.Network
	client gameagentnet.Client
}

func newWorld() *world {
	w := new(world)
	w.client.Dial, w.client.Listen = w.Dial, w.ListenAny
	return w
}

// unlimited returns the Respond of a server that answers all that a test requests.
func unlimited(t testing.TB, state gameagentnet.State) nettest.Respond {
	t.Helper()
	s, gamespy := both(t, state)
	s.Limits.PerSource, gamespy.Limits.PerSource = 1<<20, 1<<20
	return nettest.By(s)
}

var home = netip.MustParseAddrPort("192.0.2.9:25601")

// A closed port of this machine is reported at once, for a master too.
func TestClosedPortIsReportedAtOnce(t *testing.T) {
	const closed = "127.0.0.1:1" // only root can open it
	c := gameagentnet.Client{Timeout: time.Minute, Attempts: 1}
	_, err1 := c.Status(t.Context(), closed)
	if err1 == nil || errors.Is(err1, lobbywire.ErrTimeout) {
		t.Skipf("the system does not report closed ports: %v", err1)
	}
	if _, err2 := c.List(t.Context(), closed); err2 == nil || errors.Is(err2, lobbywire.ErrTimeout) {
		t.Errorf("list: %v", err2)
	}
}

// Packets of players may arrive in any order and more than once.
func TestPlayersAreJoinedInAnyOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for seed := range uint64(20) {
			w := newWorld()
			w.Serve(t, home, unlimited(t, crowd(100, 20)))
			r := rand.New(rand.NewPCG(seed, 0))
			var mu sync.Mutex
			w.Route = func(p nettest.Packet) []nettest.Packet {
				mu.Lock()
				defer mu.Unlock()
				p.Delay = time.Duration(r.IntN(150)) * time.Millisecond
				q := p
				q.Delay = time.Duration(r.IntN(150)) * time.Millisecond
				return []nettest.Packet{p, q}
			}
			a, err := w.client.Players(t.Context(), home.String())
			if err != nil || len(a.Message.Players) != 100 || a.Partial || a.Attempts != 1 {
				t.Errorf("%d players of %d, partial %v, %d attempts, %v", len(a.Message.Players), a.Message.Count,
					a.Partial, a.Attempts, err)
			}
		}
	})
}

// drop returns a route that drops packets from home for which which returns true.
func drop(which func(b []byte) bool) func(p nettest.Packet) []nettest.Packet {
	return func(p nettest.Packet) []nettest.Packet {
		if p.From == home && which(p.Data) {
			return nil
		}
		return []nettest.Packet{p}
	}
}

// An incomplete answer is returned, marked as partial.
func TestLostPacketsMakeAnswersPartial(t *testing.T) {
	for _, tt := range []struct {
		name string
		lose func(b []byte) bool
		took time.Duration
	}{
		{"the last is lost", func(b []byte) bool { return b[len(b)-1] == 4 }, 4 * time.Second},
		{"the first is lost", func(b []byte) bool { return b[0] == 1 }, 4 * time.Second},
		{"one from the middle is lost", func(b []byte) bool { return b[0] != 1 && b[len(b)-1] != 4 },
			250 * time.Millisecond},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld()
			w.Serve(t, home, unlimited(t, crowd(100, 20)))
			w.Route = drop(tt.lose)
			start := time.Now()
			a, err := w.client.Players(t.Context(), home.String())
			if n := len(a.Message.Players); err != nil || !a.Partial || n == 0 || n == 100 ||
				time.Since(start) != tt.took {
				t.Errorf("%s: %d players, partial %v, %v after %v", tt.name, n, a.Partial, err, time.Since(start))
			}
		})
	}
}

// The packets of one attempt count even if later attempts fail.
func TestPartialAnswerCountsBeforeSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		n := 0
		w.Serve(t, home, func(netip.AddrPort, []byte) [][]byte {
			n++
			if n > 1 {
				return nil
			}
			return [][]byte{[]byte("\x01players\x022\x03player_0\x02Sam\x03")}
		})
		a, err := w.client.Players(t.Context(), home.String())
		if err != nil || !a.Partial || a.Attempts != 4 || len(a.Message.Players) != 1 || a.Message.Count != 2 {
			t.Errorf("%+v, %v", a, err)
		}
	})
}

// The engine leaves out players. Nothing is to be waited for if the answer is one
// datagram, but it is not whole.
func TestPlayersWithGapsAreNotWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.Serve(t, home, func(netip.AddrPort, []byte) [][]byte {
			return [][]byte{[]byte("\x01players\x023\x03player_0\x02^oSam^r\x03frags_0\x021\x03ping_0\x0220\x03\x04")}
		})
		start := time.Now()
		a, err := w.client.Players(t.Context(), home.String())
		if err != nil || !a.Partial || a.Message.Count != 3 || len(a.Message.Players) != 1 || time.Since(start) != 0 {
			t.Errorf("%+v, %v after %v", a, err, time.Since(start))
		}
	})
}

// A damaged answer does not hide a whole answer after it.
func TestDamagedAnswerHidesNoWholeOne(t *testing.T) {
	for _, cut := range []int{8, 40} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld()
			w.Serve(t, home, unlimited(t, crowd(2, 3)))
			w.Route = func(p nettest.Packet) []nettest.Packet {
				if p.From != home {
					return []nettest.Packet{p}
				}
				damaged := p
				damaged.Data = p.Data[:min(cut, len(p.Data)-1)]
				p.Delay = 20 * time.Millisecond
				return []nettest.Packet{damaged, p}
			}
			s, err := w.client.Status(t.Context(), home.String())
			if err != nil || s.Attempts != 1 {
				t.Errorf("status, cut at %d: %+v, %v", cut, s, err)
			}
			a, err := w.client.Players(t.Context(), home.String())
			if err != nil || a.Partial || a.Attempts != 1 || len(a.Message.Players) != 2 {
				t.Errorf("players, cut at %d: %+v, %v", cut, a, err)
			}
		})
	}
}

// If no attempt gets an answer that can be read, the error says what is wrong with it, not
// that the server is silent.
func TestQueryTellsWhatWasWrong(t *testing.T) {
	for name, tt := range map[string]struct {
		answer, field string
		query         func(ctx context.Context, c *gameagentnet.Client) error
	}{
		"ping": {"\x04many", "players", func(ctx context.Context, c *gameagentnet.Client) error {
			_, err := c.Ping(ctx, home.String())
			return err
		}},
		"status": {"\x00\x00", "type", func(ctx context.Context, c *gameagentnet.Client) error {
			_, err := c.Status(ctx, home.String())
			return err
		}},
		"players": {"\x01plaxers", "key", func(ctx context.Context, c *gameagentnet.Client) error {
			_, err := c.Players(ctx, home.String())
			return err
		}},
		"full status": {"?", "type", func(ctx context.Context, c *gameagentnet.Client) error {
			_, err := c.FullStatus(ctx, home.String())
			return err
		}},
		"list": {"t", "type", func(ctx context.Context, c *gameagentnet.Client) error {
			_, err := c.List(ctx, home.String())
			return err
		}},
		"scan": {"hello", "type", func(ctx context.Context, c *gameagentnet.Client) (err error) {
			for _, r := range c.Scan(ctx, slices.Values([]netip.AddrPort{home})) {
				err = r.Err
			}
			return err
		}},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld()
			asked := 0
			w.Serve(t, home, func(netip.AddrPort, []byte) [][]byte {
				asked++
				return [][]byte{[]byte(tt.answer)}
			})
			start := time.Now()
			err := tt.query(t.Context(), &w.client)
			var e *lobbywire.Error
			if !errors.Is(err, lobbywire.ErrUnreadable) || errors.Is(err, lobbywire.ErrTimeout) ||
				!errors.As(err, &e) || e.Field != tt.field || asked != 4 {
				t.Errorf("%s: got %v after %d requests", name, err, asked)
			}
			if took := time.Since(start).Round(time.Millisecond); took != 4*time.Second {
				t.Errorf("%s: took %v", name, took)
			}
		})
	}
}

// An answer that can be read counts, also after one that cannot, perhaps from an attacker
// with the address of the server.
func TestQueryTakesTheReadableAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.Serve(t, home, func(_ netip.AddrPort, req []byte) [][]byte {
			good := []byte("\x045")
			if req[0] != 4 {
				good = []byte("0;players;1;maxplayers;8")
			}
			return [][]byte{[]byte("junk"), good, []byte("junk")}
		})
		if a, err := w.client.Ping(t.Context(), home.String()); err != nil || a.Message.Players != 5 || a.Attempts != 1 {
			t.Errorf("%+v, %v", a, err)
		}
		for _, r := range w.client.Scan(t.Context(), slices.Values([]netip.AddrPort{home})) {
			if r.Err != nil || r.Partial || *r.Message.Players != 1 || r.Attempts != 1 {
				t.Errorf("scan: %+v", r)
			}
		}
	})
}

// A request that comes back, for example from an echo service or a loop in a router, is not an
// answer.
func TestQueryThatComesBackIsNoAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.Serve(t, home, func(_ netip.AddrPort, req []byte) [][]byte { return [][]byte{slices.Clone(req)} })
		if a, err := w.client.Status(t.Context(), home.String()); !errors.Is(err, lobbywire.ErrUnreadable) {
			t.Errorf("%+v, %v", a, err)
		}
	})
}

// A server that never stops answering does not delay a query.
func TestEndlessAnswersEndAQueryInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.Route = func(p nettest.Packet) []nettest.Packet {
			if p.From != home {
				return []nettest.Packet{p}
			}
			var all []nettest.Packet
			for i := range 1000 {
				p.Delay = time.Duration(i) * 10 * time.Millisecond
				all = append(all, p)
			}
			return all
		}
		w.Serve(t, home, func(_ netip.AddrPort, req []byte) [][]byte {
			if req[0] == 'e' {
				return [][]byte{[]byte("s\x0a\x00\x00\x01\x00\x64")}
			}
			return [][]byte{[]byte("player_7\x02x\x03")}
		})
		start := time.Now()
		if a, err := w.client.Players(t.Context(), home.String()); err != nil || !a.Partial ||
			len(a.Message.Players) != 1 {
			t.Errorf("players: %+v, %v", a, err)
		}
		if l, err := w.client.List(t.Context(), home.String()); err != nil || !l.Partial || len(l.Queries) != 1 {
			t.Errorf("list: %+v, %v", l, err)
		}
		if took := time.Since(start); took != 5*time.Second {
			t.Errorf("took %v", took)
		}
	})
}

// Every vector of the codec, and noise, as the answer to every query.
func TestClientTakesAnyBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.client.Attempts, w.client.ListEvery = 1, -1
		var answer []byte
		w.Serve(t, home, func(netip.AddrPort, []byte) [][]byte { return [][]byte{answer, answer} })
		try := func(b []byte) {
			answer = b
			w.client.Status(t.Context(), home.String())
			w.client.Players(t.Context(), home.String())
			w.client.Ping(t.Context(), home.String())
			w.client.List(t.Context(), home.String())
		}
		for _, all := range corpus(t) {
			for _, b := range all {
				try(b)
			}
		}
		r := rand.New(rand.NewPCG(3, 4))
		for range 100 {
			b := make([]byte, 1+r.IntN(64))
			for i := range b {
				b[i] = byte(r.Uint32())
			}
			b[0] = []byte("0s\x01\x04\\p")[r.IntN(6)]
			try(b)
		}
	})
}

// addresses returns n targets.
func addresses(n int) []netip.AddrPort {
	var all []netip.AddrPort
	for i := range n {
		all = append(all, netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 0, 2, byte(i >> 8)}), uint16(7000+i&0xff)))
	}
	return all
}
