package gamespy1net_test

import (
	"errors"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/internal/test/golden"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// world is a network with a client.
type world struct {
	nettest.Network
	client gamespy1net.Client
}

func newWorld() *world {
	w := new(world)
	w.client.Dial, w.client.Listen = w.Dial, w.ListenAny
	return w
}

var home = netip.MustParseAddrPort("192.0.2.9:7778")

// serving returns the Respond of a server that answers all that a test requests.
func serving(t testing.TB, status gamespy1.Status) nettest.Respond {
	t.Helper()
	s := newServer(t, status)
	s.Limits.PerSource = 1 << 20
	return nettest.By(s)
}

// Packets may arrive in any order and more than once.
func TestStatusIsJoinedInAnyOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for seed := range uint64(20) {
			w := newWorld()
			w.Serve(t, home, serving(t, crowd(100, 20)))
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
			a, err := w.client.Status(t.Context(), home.String())
			if err != nil || len(a.Message.Players) != 100 || a.Partial || a.Attempts != 1 {
				t.Errorf("%d players, partial %v, %d attempts, %v", len(a.Message.Players), a.Partial, a.Attempts, err)
			}
		}
	})
}

// An incomplete answer is returned, marked as partial. Packets are numbered, so none is
// missed, wherever it is lost.
func TestLostPacketsMakeAnswersPartial(t *testing.T) {
	isFirst := func(text string) bool { return strings.HasPrefix(text, `\gamename`) }
	isLast := func(text string) bool { return strings.Contains(text, `\final\`) }
	for name, lost := range map[string]func(text string) bool{
		"the last is lost":            isLast,
		"the first is lost":           isFirst,
		"one from the middle is lost": func(text string) bool { return !isFirst(text) && !isLast(text) },
	} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld()
			w.Serve(t, home, serving(t, crowd(100, 20)))
			w.Route = func(p nettest.Packet) []nettest.Packet {
				if p.From == home && lost(string(p.Data)) {
					return nil
				}
				return []nettest.Packet{p}
			}
			start := time.Now()
			a, err := w.client.Status(t.Context(), home.String())
			if n := len(a.Message.Players); err != nil || !a.Partial || n == 0 || n == 100 ||
				len(a.Message.Extra) > 0 || time.Since(start) != 4*time.Second {
				t.Errorf("%s: %d players, partial %v, %v after %v", name, n, a.Partial, err, time.Since(start))
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
			return [][]byte{[]byte(`\gamename\x\player_0\Sam`)}
		})
		a, err := w.client.Status(t.Context(), home.String())
		if err != nil || !a.Partial || a.Attempts != 4 || len(a.Message.Players) != 1 || a.Message.GameName != "x" {
			t.Errorf("%+v, %v", a, err)
		}
	})
}

// Descent 3 ends all packets of an answer as if each were the last one.
func TestPacketsThatAllEndAreJoined(t *testing.T) {
	const first = `\gamename\descent3\hostname\Pit\numplayers\3\player_0\a\player_1\b\final\queryid\3.1` + "\x00"
	const last = `\frags_1\3\player_2\c\final\queryid\3.2` + "\x00"
	for _, tt := range []struct {
		packets  []string
		players  int
		attempts int
	}{{[]string{first, last}, 3, 1}, {[]string{last, first}, 3, 1}, {[]string{first}, 2, 4}} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld()
			w.Serve(t, home, func(netip.AddrPort, []byte) (answers [][]byte) {
				for _, packet := range tt.packets {
					answers = append(answers, []byte(packet))
				}
				return answers
			})
			a, err := w.client.Status(t.Context(), home.String())
			if err != nil || a.Partial != (tt.players < 3) || a.Attempts != tt.attempts || len(a.Message.Players) != tt.players {
				t.Errorf("%q: %+v, %v", tt.packets, a, err)
			}
		})
	}
}

// A damaged answer does not hide a whole answer after it.
func TestDamagedAnswerHidesNoWholeOne(t *testing.T) {
	for _, cut := range []int{8, 40} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld()
			w.Serve(t, home, serving(t, crowd(2, 3)))
			w.Route = func(p nettest.Packet) []nettest.Packet {
				if p.From != home {
					return []nettest.Packet{p}
				}
				damaged := p
				damaged.Data = p.Data[:cut]
				p.Delay = 20 * time.Millisecond
				return []nettest.Packet{damaged, p}
			}
			a, err := w.client.Status(t.Context(), home.String())
			if err != nil || a.Partial || a.Attempts != 1 || len(a.Message.Players) != 2 {
				t.Errorf("cut at %d: %+v, %v", cut, a, err)
			}
		})
	}
}

// results queries the server at home, alone and in a scan.
func (w *world) results(t *testing.T) (all []gamespy1net.Result) {
	a, err := w.client.Status(t.Context(), home.String())
	all = append(all, gamespy1net.Result{Answer: a, Err: err})
	for _, r := range w.client.Scan(t.Context(), slices.Values([]netip.AddrPort{home})) {
		all = append(all, r)
	}
	return all
}

// If no attempt gets an answer that can be read, the error says what is wrong with it, not
// that the server is silent.
func TestQueryTellsWhatWasWrong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.Serve(t, home, func(netip.AddrPort, []byte) [][]byte { return [][]byte{[]byte("hello")} })
		start := time.Now()
		for _, r := range w.results(t) {
			var e *lobbywire.Error
			if !errors.Is(r.Err, lobbywire.ErrUnreadable) || errors.Is(r.Err, lobbywire.ErrTimeout) ||
				!errors.As(r.Err, &e) || e.Field != "separator" || r.Attempts != 4 {
				t.Errorf("%+v", r)
			}
		}
		if took := time.Since(start).Round(time.Millisecond); took != 8*time.Second {
			t.Errorf("took %v", took)
		}
	})
}

// An answer that can be read counts, also after one that cannot, perhaps from an attacker
// with the address of the server.
func TestQueryTakesTheReadableAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.Serve(t, home, func(netip.AddrPort, []byte) [][]byte {
			return [][]byte{[]byte("junk"), []byte(`\gamename\x\player_0\Sam\final\`), []byte("junk")}
		})
		for _, r := range w.results(t) {
			if r.Err != nil || r.Partial || len(r.Message.Players) != 1 || r.Attempts != 1 {
				t.Errorf("%+v", r)
			}
		}
	})
}

// A request that comes back, for example from an echo service or a loop in a router, is not an
// answer, and does not hide the answer after it.
func TestQueryThatComesBackIsNoAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		var answers [][]byte
		w.Serve(t, home, func(_ netip.AddrPort, req []byte) [][]byte {
			return append([][]byte{slices.Clone(req)}, answers...)
		})
		if a, err := w.client.Status(t.Context(), home.String()); !errors.Is(err, lobbywire.ErrUnreadable) {
			t.Errorf("%+v, %v", a, err)
		}
		answers = [][]byte{[]byte(`\hostname\X\numplayers\0\final\\queryid\1.1`)}
		a, err := w.client.Status(t.Context(), home.String())
		if err != nil || a.Partial || a.Attempts != 1 || a.Message.HostName != "X" {
			t.Errorf("%+v, %v", a, err)
		}
	})
}

// The keys and values of an answer that are no pairs leave what is known, and the mark
// that something is missing.
func TestBackslashInANameLeavesTheRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.Serve(t, home, func(netip.AddrPort, []byte) [][]byte {
			return [][]byte{[]byte(`\hostname\X\Y\numplayers\0\maxplayers\8\final\\queryid\1.1`)}
		})
		a, err := w.client.Status(t.Context(), home.String())
		if err != nil || !a.Partial || a.Attempts != 1 || a.Message.HostName != "X" || a.Message.MaxPlayers == nil ||
			*a.Message.MaxPlayers != 8 {
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
		w.Serve(t, home, func(netip.AddrPort, []byte) [][]byte { return [][]byte{[]byte(`\player_7\x`)} })
		start := time.Now()
		a, err := w.client.Status(t.Context(), home.String())
		if took := time.Since(start); err != nil || !a.Partial || len(a.Message.Players) != 1 || took != 4*time.Second {
			t.Errorf("%+v, %v after %v", a, err, took)
		}
	})
}

// Every vector of the codec, and noise, as the answer to a query.
func TestClientTakesAnyBytes(t *testing.T) {
	files, err := golden.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.client.Attempts = 1
		var answer []byte
		w.Serve(t, home, func(netip.AddrPort, []byte) [][]byte { return [][]byte{answer, answer} })
		try := func(b []byte) {
			answer = b
			w.client.Status(t.Context(), home.String())
		}
		for _, f := range files {
			try(f.Data)
		}
		r := rand.New(rand.NewPCG(3, 4))
		for range 100 {
			b := make([]byte, 1+r.IntN(64))
			for i := range b {
				b[i] = byte(r.Uint32())
			}
			b[0] = []byte(`0\p`)[r.IntN(3)]
			try(b)
		}
	})
}
