package registration

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

func addrsOf(texts ...string) (all []netip.Addr) {
	for _, text := range texts {
		all = append(all, netip.MustParseAddr(text))
	}
	return all
}

// An address stays as long as the name resolves to it, also among others, unless the master
// there is silent.
func TestAddressStaysWhileTheNameHasIt(t *testing.T) {
	const a, b, c = "192.0.2.1", "192.0.2.2", "192.0.2.3"
	for _, tt := range []struct {
		name    string
		found   []string
		current string // "" means none
		silent  bool
		want    string
	}{
		{"the first", []string{b, a, c}, "", false, b},
		{"the same in another order", []string{c, b, a}, a, false, a},
		{"another", []string{c, b}, a, false, c},
		{"another than a silent one", []string{c, b}, a, true, c},
		{"silent, and the only one", []string{a}, a, true, a},
		{"silent, and twice the only one", []string{a, a}, a, true, a},
		{"the next of a silent one", []string{c, b, a}, a, true, b},
		{"the next of a silent one in another order", []string{a, c, b}, a, true, b},
		{"the last is silent", []string{b, c, a}, c, true, a},
		{"this machine", []string{"127.0.0.1"}, a, false, "127.0.0.1"},
		{"IPv6 too", []string{"2001:db8::1", a, "::1"}, "", false, a},
		{"IPv6 only", []string{"2001:db8::1"}, "", false, ""},
		{"a blocked name", []string{"0.0.0.0"}, a, false, ""},
		{"no master's", []string{"255.255.255.255", "224.0.0.1", "0.0.0.0"}, a, true, ""},
		{"one of a master", []string{"0.0.0.0", "255.255.255.255", b}, a, true, b},
		{"none", nil, a, true, ""},
	} {
		n := name{host: "master.example", port: 27900}
		var current netip.AddrPort
		if tt.current != "" {
			current = netip.AddrPortFrom(netip.MustParseAddr(tt.current), 27900)
		}
		addrs, err := n.masters(found{addrs: addrsOf(tt.found...)})
		if tt.want == "" {
			if err == nil {
				t.Errorf("%s: %v", tt.name, addrs)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if got := n.choose(addrs, current, tt.silent); got.String() != tt.want+":27900" {
			t.Errorf("%s: %v, want %s", tt.name, got, tt.want)
		}
	}
}

// A zone has the addresses of a name.
type zone struct {
	mu      sync.Mutex
	addrs   []netip.Addr
	err     error
	hangs   bool // until the context is done
	lookups []time.Duration
	start   time.Time
}

func newZone(addrs ...string) *zone { return &zone{addrs: addrsOf(addrs...), start: time.Now()} }

func (z *zone) set(addrs []netip.Addr, err error, hangs bool) {
	z.mu.Lock()
	defer z.mu.Unlock()
	z.addrs, z.err, z.hangs = addrs, err, hangs
}

// lookup is a Lookup. Each answer has another order.
func (z *zone) lookup(ctx context.Context, _, host string) ([]netip.Addr, error) {
	z.mu.Lock()
	hangs := z.hangs
	z.lookups = append(z.lookups, time.Since(z.start))
	z.mu.Unlock()
	if hangs {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	z.mu.Lock()
	defer z.mu.Unlock()
	if len(z.addrs) > 1 {
		z.addrs = append(z.addrs[1:], z.addrs[0])
	}
	if z.err != nil {
		return nil, &net.DNSError{Name: host, Err: z.err.Error()}
	}
	return slices.Clone(z.addrs), nil
}

// times returns when names were looked up.
func (z *zone) times() []time.Duration {
	z.mu.Lock()
	defer z.mu.Unlock()
	return slices.Clone(z.lookups)
}

var (
	errNotFound = errors.New("no such host")
	errNoAnswer = fmt.Errorf("no answer: %w", lobbywire.ErrTimeout)
)

// A beacon is a Task that sends every 10 s, and counts as silent until an answer and again
// 30 s after the last one, unless it expects none.
type beacon struct {
	expectsNone bool

	begun    time.Time
	next     time.Time
	answered time.Time // zero if the master has not answered
}

func (b *beacon) Begin() { b.begun, b.next, b.answered = time.Now(), time.Time{}, time.Time{} }

func (b *beacon) Standing() (lobbywire.Standing, error) {
	standing, last := lobbywire.StandingStarting, b.begun
	if !b.answered.IsZero() {
		standing, last = lobbywire.StandingListed, b.answered
	}
	if !b.expectsNone && time.Since(last) >= 30*time.Second {
		return lobbywire.StandingSilent, errNoAnswer
	}
	return standing, nil
}

func (b *beacon) Send(now time.Time, dst []byte) []byte {
	if now.Before(b.next) {
		return dst
	}
	b.next = now.Add(10 * time.Second)
	return append(dst, "beat"...)
}

func (b *beacon) Due() time.Time { return b.next }

func (b *beacon) Goodbye(dst []byte) []byte { return append(dst, "bye"...) }

// A world has a running beacon and masters at some addresses.
type world struct {
	*zone
	runner Runner[*beacon]
	log    bytes.Buffer
	level  slog.Level
	server Server[*beacon]
	ended  chan error

	mu    sync.Mutex
	alive map[string]bool // masters that answer
	got   map[string]int  // "beat" and "bye" at addresses
}

// run runs a beacon for master.example.
func run(t *testing.T, z *zone, b *beacon, alive ...string) *world {
	return runAt(t, slog.LevelInfo, z, b, alive...)
}

// runAt is run with a level for the log.
func runAt(t *testing.T, level slog.Level, z *zone, b *beacon, alive ...string) *world {
	w := &world{zone: z, level: level, ended: make(chan error, 1), alive: map[string]bool{},
		got: map[string]int{}}
	for _, addr := range alive {
		w.alive[addr] = true
	}
	network := &nettest.Network{Route: func(p nettest.Packet) []nettest.Packet {
		w.mu.Lock()
		defer w.mu.Unlock()
		addr := p.To.Addr().String()
		w.got[addr+" "+string(p.Data)]++
		if w.alive[addr] {
			w.runner.Update(func() { w.runner.Heard, b.answered = time.Now(), time.Now() })
		}
		return nil
	}}
	pc, err := network.Listen(netip.MustParseAddrPort("198.51.100.1:6500"))
	if err != nil {
		t.Fatal(err)
	}
	w.server.Logger = slog.New(slog.NewTextHandler(&w.log, &slog.HandlerOptions{
		Level: w.level,
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey || a.Key == "master" {
				return slog.Attr{}
			}
			return a
		}}))
	w.runner.Start(func() {
		w.runner.Task, w.runner.Server, w.runner.Conn, w.runner.Lookup = b, &w.server, pc, z.lookup
		w.runner.Addr = "master.example:27900"
	})
	go func() { w.ended <- w.runner.Run(t.Context()) }()
	synctest.Wait()
	return w
}

// wait waits, and returns what the masters have received.
func (w *world) wait(d time.Duration) map[string]int {
	w.mu.Lock()
	clear(w.got)
	w.mu.Unlock()
	time.Sleep(d)
	synctest.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	got := map[string]int{}
	for what, n := range w.got {
		got[what] = n
	}
	return got
}

// setAlive sets which masters answer.
func (w *world) setAlive(addrs ...string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	clear(w.alive)
	for _, addr := range addrs {
		w.alive[addr] = true
	}
}

// close ends Run, which takes no time, and returns what was logged.
func (w *world) close(t *testing.T) string {
	t.Helper()
	start := time.Now()
	if err := w.runner.Close(); err != nil {
		t.Error(err)
	}
	if err := <-w.ended; !errors.Is(err, lobbywire.ErrClosed) {
		t.Errorf("Run returned %v", err)
	}
	if d := time.Since(start); d > 0 {
		t.Errorf("Close took %v", d)
	}
	return w.log.String()
}

const first, second = "192.0.2.1", "192.0.2.2"

// A server registers at the new address of its master, and leaves the old one, whether the
// master is silent, still answers, or never does.
func TestServerMovesWithItsMaster(t *testing.T) {
	for _, tt := range []struct {
		name   string
		beacon *beacon
		alive  []string // after the change
		within time.Duration
	}{
		{"silent", &beacon{}, []string{second}, 41 * time.Second},
		{"both answer", &beacon{}, []string{first, second}, lookupEvery},
		{"answers are not expected", &beacon{expectsNone: true}, nil, lookupEvery},
	} {
		synctest.Test(t, func(t *testing.T) {
			z, b := newZone(first), tt.beacon
			w := run(t, z, b, first)
			if got := w.wait(5 * time.Minute); got[first+" beat"] != 30 || len(got) != 1 {
				t.Errorf("%s: %v before the change", tt.name, got)
			}
			if n := len(z.times()); n != 3 {
				t.Errorf("%s: %d lookups in 5 minutes", tt.name, n)
			}
			z.set(addrsOf(second), nil, false)
			w.setAlive(tt.alive...)
			got := w.wait(tt.within)
			if got[first+" bye"] != 1 || got[second+" beat"] == 0 || len(got) > 3 {
				t.Errorf("%s: %v until %v after the change", tt.name, got, tt.within)
			}
			if got := w.wait(10 * time.Minute); got[second+" beat"] != 60 || len(got) != 1 {
				t.Errorf("%s: %v later", tt.name, got)
			}
			log := w.close(t)
			if strings.Count(log, "another address of the master is used") != 1 ||
				!strings.Contains(log, "level=INFO") || !strings.Contains(log, "from=192.0.2.1:27900 to=192.0.2.2:27900") {
				t.Errorf("%s: log %s", tt.name, log)
			}
		})
	}
}

// While lookups fail or hang, or find nothing useful, the last address stays. That is logged
// once.
func TestFailedLookupsKeepTheAddress(t *testing.T) {
	for _, tt := range []struct {
		name  string
		addrs []netip.Addr
		err   error
		hangs bool
	}{
		{"no such host", nil, errNotFound, false},
		{"no answer", nil, nil, true},
		{"no address", nil, nil, false},
		{"blocked", addrsOf("0.0.0.0"), nil, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			z := newZone(first)
			w := run(t, z, &beacon{}, first)
			z.set(tt.addrs, tt.err, tt.hangs)
			if got := w.wait(20 * time.Minute); got[first+" beat"] != 120 || len(got) != 1 {
				t.Errorf("%s: sent %v", tt.name, got)
			}
			if err := w.runner.Status.Get().Err; err != nil {
				t.Errorf("%s: the reason is %v", tt.name, err)
			}
			z.set(addrsOf(first), nil, false)
			w.wait(lookupEvery)
			log := w.close(t)
			if strings.Count(log, "level=WARN") != 1 || strings.Count(log, "is not found\"") != 1 ||
				strings.Count(log, "is found\"") != 1 {
				t.Errorf("%s: log %s", tt.name, log)
			}
		})
	}
}

// A name that is not found at first is looked up until it is.
func TestNameIsFoundLater(t *testing.T) {
	const s = time.Second
	for _, hangs := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			z := newZone()
			z.set(nil, errNotFound, hangs)
			w := run(t, z, &beacon{}, first)
			if got := w.wait(500 * s); len(got) > 0 {
				t.Errorf("sent %v", got)
			}
			want := []time.Duration{0, 3 * s, 9 * s, 21 * s}
			if hangs {
				want = []time.Duration{0, 15 * s, 30 * s, 45 * s, 69 * s}
			}
			last := 45 * s
			if hangs {
				last = 114 * s
			}
			for ; last < 500*s; last += 45 * s {
				want = append(want, last)
			}
			if got := z.times(); !slices.Equal(got, want) {
				t.Errorf("lookups at %v, want %v", got, want)
			}
			if w.runner.Status.Get().Err == nil {
				t.Error("no reason")
			}
			z.set(addrsOf(first), nil, false)
			if got := w.wait(lookupEvery); got[first+" beat"] == 0 || len(got) != 1 {
				t.Errorf("sent %v", got)
			}
			if err := w.runner.Status.Get().Err; err != nil {
				t.Error(err)
			}
			log := w.close(t)
			if strings.Count(log, "\n") != 2 || !strings.Contains(log, "WARN") || !strings.Contains(log, "is found\"") {
				t.Errorf("log %s", log)
			}
		})
	}
}

// Close does not wait for a lookup.
func TestLookupDoesNotDelayTheEnd(t *testing.T) {
	for _, known := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			z := newZone(first)
			z.set(z.addrs, nil, !known)
			w := run(t, z, &beacon{}, first)
			z.set(z.addrs, nil, true)
			w.wait(lookupEvery + time.Second) // a lookup runs
			w.wait(0)
			w.close(t)
			w.mu.Lock()
			defer w.mu.Unlock()
			if got := w.got[first+" bye"]; (got == 1) != known {
				t.Errorf("known %v: left %d times", known, got)
			}
		})
	}
}

// A name with several addresses in changing order does not move a server whose master
// answers or is not expected to answer.
func TestRoundRobinDoesNotMoveTheServer(t *testing.T) {
	for _, b := range []*beacon{{}, {expectsNone: true}} {
		synctest.Test(t, func(t *testing.T) {
			z := newZone(first, second, "192.0.2.3")
			w := run(t, z, b, first, second, "192.0.2.3")
			if got := w.wait(time.Hour); len(got) != 1 {
				t.Errorf("%v", got)
			}
			if log := w.close(t); log != "" {
				t.Errorf("log %s", log)
			}
		})
	}
}

// Neither datagrams nor repeated reasons are logged.
func TestReasonIsNotLoggedForEachDatagram(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := runAt(t, slog.LevelDebug, newZone(first), &beacon{})
		for range 10_000 {
			w.runner.Wake.Send()
			w.wait(100 * time.Millisecond)
		}
		if got := strings.Count(w.close(t), "\n"); got != 1 {
			t.Errorf("%d lines in the log", got)
		}
	})
}

// A server whose master is silent registers at another address of the name. If all are
// silent, lookups and changes become rare.
func TestSilentMasterWithOtherAddresses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		z := newZone(first, second, "192.0.2.3")
		w := run(t, z, &beacon{}, "192.0.2.3")
		if got := w.wait(20 * time.Second); got["192.0.2.3 beat"] == 0 || got["192.0.2.3 bye"] > 0 {
			t.Errorf("one master answers: %v", got)
		}
		w.wait(3 * time.Minute)
		w.setAlive()
		before := len(z.times())
		got := w.wait(time.Hour)
		if n := len(z.times()) - before; n > 3600/45+8 {
			t.Errorf("%d lookups in an hour", n)
		}
		for _, addr := range []string{first, second, "192.0.2.3"} {
			if got[addr+" beat"] == 0 || got[addr+" bye"] > 10 {
				t.Errorf("no master answers: %v", got)
			}
		}
		w.setAlive(second)
		w.wait(10 * time.Minute)
		if got := w.wait(time.Hour); got[second+" beat"] != 360 || len(got) != 1 {
			t.Errorf("%v once a master answers", got)
		}
		log := w.close(t)
		if strings.Count(log, "level=WARN") != 1 || strings.Count(log, "level=INFO") != 1 {
			t.Errorf("log %s", log)
		}
	})
}

// If an address of the master's name is dead, the next one is used within 10 s, whether the
// Status says that the master is silent or not.
func TestDeadAddressIsLeftWithinTenSeconds(t *testing.T) {
	for _, b := range []*beacon{{}, {expectsNone: true}} {
		for _, dead := range []int{1, 2} {
			synctest.Test(t, func(t *testing.T) {
				all := []string{first, second, "192.0.2.3"}[:dead+1]
				z := newZone(all...)
				alive := all[0] // the order of a lookup begins with the second: the next ones are after it
				w := run(t, z, b, alive)
				if got := w.wait(time.Duration(dead) * 10 * time.Second); got[alive+" beat"] == 0 || got[alive+" bye"] > 0 {
					t.Errorf("%d dead: %v", dead, got)
				}
				if got := w.wait(time.Hour); len(got) != 1 || got[alive+" beat"] == 0 {
					t.Errorf("%d dead: %v later", dead, got)
				}
				w.close(t)
			})
		}
	}
}

// A master that never sends anything, as some do, keeps the server: all addresses of its name are
// tried once.
func TestMasterThatIsNeverHeardKeepsTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := run(t, newZone(first, second, "192.0.2.3"), &beacon{expectsNone: true})
		got := w.wait(25 * time.Second)
		for _, addr := range []string{first, second, "192.0.2.3"} {
			if got[addr+" beat"] == 0 || got[addr+" bye"] > 1 {
				t.Errorf("%v", got)
			}
		}
		if got := w.wait(time.Hour); len(got) != 1 || got[second+" beat"] != 360 {
			t.Errorf("%v later", got)
		}
		w.close(t)
	})
}

// A name that moves is found within 60 s after the master was last heard, also if no answers are
// expected.
func TestMovedNameIsFoundWithinAMinute(t *testing.T) {
	for _, b := range []*beacon{{}, {expectsNone: true}} {
		for after := range 16 { // in all phases of the lookups
			synctest.Test(t, func(t *testing.T) {
				z := newZone(first)
				w := run(t, z, b, first)
				w.wait(5*time.Minute + time.Duration(after)*10*time.Second)
				z.set(addrsOf(second), nil, false)
				w.setAlive(second)
				if got := w.wait(time.Minute); got[second+" beat"] == 0 {
					t.Errorf("after %d: %v", after, got)
				}
				w.close(t)
			})
		}
	}
}

// It is also found if the name moves long after the master has died.
func TestNameThatMovesLateIsFoundWithinAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		z := newZone(first)
		w := run(t, z, &beacon{}, first)
		w.setAlive()
		w.wait(time.Hour)
		z.set(addrsOf(second), nil, false)
		w.setAlive(second)
		if got := w.wait(time.Minute); got[second+" beat"] == 0 {
			t.Errorf("%v", got)
		}
		w.close(t)
	})
}
