package registry

import (
	"encoding/binary"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/internal/source"
)

var start = time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)

// addr returns address i of many, each in a prefix with 255 others.
func addr(i int) netip.AddrPort {
	var ip [4]byte
	binary.BigEndian.PutUint32(ip[:], 0x0a000000+uint32(i))
	return netip.AddrPortFrom(netip.AddrFrom4(ip), 25601)
}

// expire returns the addresses that expire.
func expire[V any](t *Table[netip.AddrPort, V], now time.Time) (gone []netip.AddrPort) {
	t.Expire(now, many, func(i int) { gone = append(gone, t.Key(i)) })
	return gone
}

func add[V any](t *testing.T, table *Table[netip.AddrPort, V], a netip.AddrPort, deadline time.Time) int {
	t.Helper()
	i, ok := table.Add(a, deadline)
	if !ok {
		t.Fatalf("%v is refused", a)
	}
	return i
}

func TestTableKeepsEntriesUntilAfterTheirDeadline(t *testing.T) {
	var table Table[netip.AddrPort, string]
	if got := expire(&table, start); got != nil {
		t.Errorf("%v expired of none", got)
	}
	i := add(t, &table, addr(1), start)
	*table.Value(i) = "one"
	add(t, &table, addr(2), start.Add(time.Second))
	if got := expire(&table, start); got != nil {
		t.Errorf("at the deadline %v expired", got)
	}
	if j, ok := table.Find(addr(1)); !ok || j != i || *table.Value(j) != "one" || table.Key(j) != addr(1) ||
		!table.Deadline(j).Equal(start) {
		t.Errorf("found %v, %v", j, ok)
	}
	if got := expire(&table, start.Add(1)); !slices.Equal(got, []netip.AddrPort{addr(1)}) {
		t.Errorf("after the deadline %v expired", got)
	}
	if _, ok := table.Find(addr(1)); ok || table.Len() != 1 || table.queue.has(i) {
		t.Error("it is still there")
	}
	// The next entry gets the number, but not the value.
	if j := add(t, &table, addr(3), start); j != i || *table.Value(j) != "" || len(table.entries) != 2 {
		t.Errorf("number %d, value %q of %d", j, *table.Value(j), len(table.entries))
	}
}

func TestTableMovesDeadlines(t *testing.T) {
	var table Table[netip.AddrPort, struct{}]
	late, early := add(t, &table, addr(1), start), add(t, &table, addr(2), start.Add(time.Hour))
	for s := range 100 {
		table.SetDeadline(late, start.Add(time.Duration(s)*time.Minute))
	}
	table.SetDeadline(early, start.Add(time.Minute))
	if got := expire(&table, start.Add(time.Minute)); got != nil {
		t.Errorf("%v expired", got)
	}
	if got := expire(&table, start.Add(2*time.Minute)); !slices.Equal(got, []netip.AddrPort{addr(2)}) {
		t.Errorf("%v expired, want the one whose deadline came nearer", got)
	}
	if got := expire(&table, start.Add(100*time.Minute)); !slices.Equal(got, []netip.AddrPort{addr(1)}) {
		t.Errorf("%v expired, want the other", got)
	}
}

func TestTableRefusesKnownKeysAndSurplus(t *testing.T) {
	at := netip.MustParseAddrPort
	for _, tt := range []struct {
		name    string
		table   Table[netip.AddrPort, int]
		there   []string
		refused string
		taken   string
	}{
		{"what is there", Table[netip.AddrPort, int]{}, []string{"192.0.2.1:1"}, "192.0.2.1:1", "192.0.2.1:2"},
		{"one too many", Table[netip.AddrPort, int]{Counter: source.Counter{Max: 2}},
			[]string{"192.0.2.1:1", "192.0.2.1:2"}, "198.51.100.1:1", ""},
		{"one too many of an address", Table[netip.AddrPort, int]{Counter: source.Counter{MaxPerAddress: 2}},
			[]string{"192.0.2.1:1", "192.0.2.1:2"}, "192.0.2.1:3", "192.0.2.2:3"},
		{"one too many of a prefix", Table[netip.AddrPort, int]{Counter: source.Counter{MaxPerPrefix: 2}},
			[]string{"192.0.2.1:1", "192.0.2.2:1"}, "192.0.2.255:1", "192.0.3.0:1"},
		{"one too many of an IPv6 /64", Table[netip.AddrPort, int]{Counter: source.Counter{MaxPerAddress: 2}},
			[]string{"[2001:db8::1]:1", "[2001:db8::2]:1"}, "[2001:db8::ffff:3]:1", "[2001:db8:0:1::1]:1"},
		{"one too many of an IPv6 /48", Table[netip.AddrPort, int]{Counter: source.Counter{MaxPerPrefix: 2}},
			[]string{"[2001:db8::1]:1", "[2001:db8:0:2::2]:1"}, "[2001:db8:0:ffff::]:1", "[2001:db8:1::]:1"},
		{"address and prefix do not mix",
			Table[netip.AddrPort, int]{Counter: source.Counter{MaxPerAddress: 2, MaxPerPrefix: 3}},
			[]string{"192.0.2.0:1", "192.0.2.0:2"}, "192.0.2.0:3", "192.0.2.1:1"},
	} {
		for _, a := range tt.there {
			add(t, &tt.table, at(a), start)
		}
		if _, ok := tt.table.Add(at(tt.refused), start); ok {
			t.Errorf("%s: %s is taken", tt.name, tt.refused)
		}
		if tt.taken != "" {
			add(t, &tt.table, at(tt.taken), start)
		}
		// After a removal there is room again.
		i, _ := tt.table.Find(at(tt.there[0]))
		tt.table.Remove(i)
		add(t, &tt.table, at(tt.refused), start)
	}
}

// Random operations have the same results as on a map.
func TestTableIsAMap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	table := Table[netip.AddrPort, int]{Counter: source.Counter{MaxPerPrefix: 200}}
	want := map[netip.AddrPort]time.Time{}
	now := start
	for step := range 50_000 {
		a := addr(r.IntN(1000))
		deadline := now.Add(time.Duration(r.IntN(300)) * time.Second)
		i, found := table.Find(a)
		if _, ok := want[a]; ok != found {
			t.Fatalf("step %d: %v found: %v", step, a, found)
		}
		switch n := r.IntN(10); {
		case n == 0:
			now = now.Add(time.Second)
			table.Expire(now, many, func(i int) {
				if at := want[table.Key(i)]; !at.Before(now) {
					t.Fatalf("step %d: expired %v early", step, at.Sub(now))
				}
				delete(want, table.Key(i))
			})
			for a, at := range want {
				if at.Before(now) {
					t.Fatalf("step %d: %v did not expire", step, a)
				}
			}
		case n == 1 && found:
			table.Remove(i)
			delete(want, a)
		case found:
			table.SetDeadline(i, deadline)
			want[a] = deadline
		default:
			if i, ok := table.Add(a, deadline); ok {
				*table.Value(i) = int(a.Addr().As4()[3])
				want[a] = deadline
			}
		}
		if table.Len() != len(want) {
			t.Fatalf("step %d: %d entries, want %d", step, table.Len(), len(want))
		}
	}
	there := 0
	for i := range table.Numbers() {
		there++
		if a := table.Key(i); !table.Deadline(i).Equal(want[a]) || *table.Value(i) != int(a.Addr().As4()[3]) {
			t.Errorf("%v: deadline %v, value %d", a, table.Deadline(i), *table.Value(i))
		}
	}
	if there != len(want) {
		t.Errorf("%d entries by number, want %d", there, len(want))
	}
	table.Expire(now.Add(time.Hour), many, func(int) {})
	if table.Len() != 0 || table.index.len() != 0 || len(table.queue.turns) != 0 || len(table.free) != len(table.entries) {
		t.Errorf("something is left: %d entries, %d turns", table.Len(), len(table.queue.turns))
	}
	for i := range 1000 {
		if address, prefix := table.Counts(addr(i).Addr()); address+prefix != 0 {
			t.Errorf("%v: %d of the address and %d of the prefix are left", addr(i), address, prefix)
		}
	}
}

// Removed entries and moved deadlines leave no memory in use.
func TestTableReusesMemory(t *testing.T) {
	var table Table[netip.AddrPort, int]
	for i := range 100 {
		add(t, &table, addr(i), start)
	}
	if got := testing.AllocsPerRun(1000, func() {
		i, _ := table.Find(addr(7))
		table.SetDeadline(i, start.Add(time.Minute))
		table.Remove(i)
		table.Add(addr(7), start)
	}); got != 0 {
		t.Errorf("%v allocations", got)
	}
	if len(table.entries) != 100 || len(table.queue.turns) != 100 {
		t.Errorf("%d numbers, %d turns", len(table.entries), len(table.queue.turns))
	}
}

// Expire removes many entries in parts, the earliest first.
func TestTableExpiresInParts(t *testing.T) {
	var table Table[netip.AddrPort, int]
	for i := range 10 {
		add(t, &table, addr(i), start.Add(time.Duration(i)))
	}
	for i := range 5 {
		table.SetDeadline(i, start.Add(time.Hour)) // which takes a look at each
	}
	var gone []netip.AddrPort
	for part := range 4 {
		all := table.Expire(start.Add(time.Minute), 3, func(i int) { gone = append(gone, table.Key(i)) })
		if want := part == 3; all != want || len(gone) != []int{0, 1, 4, 5}[part] {
			t.Errorf("part %d: %v gone, all: %v", part, gone, all)
		}
	}
	if !slices.IsSortedFunc(gone, netip.AddrPort.Compare) || table.Len() != 5 {
		t.Errorf("%v gone, %d there", gone, table.Len())
	}
	if !table.Expire(start.Add(time.Minute), 0, nil) {
		t.Error("nothing to do is not all")
	}
}

// Siblings are the other entries of an address, whatever entries were added and removed.
func TestSiblingsHaveTheSameAddress(t *testing.T) {
	var table Table[netip.AddrPort, string]
	random := rand.New(rand.NewPCG(1, 2))
	var added []netip.AddrPort // in order
	for range 20_000 {
		a := netip.AddrPortFrom(addr(random.IntN(20)).Addr(), uint16(random.IntN(50)))
		if i, known := table.Find(a); known {
			table.Remove(i)
			added = slices.DeleteFunc(added, func(other netip.AddrPort) bool { return other == a })
			continue
		}
		i := add(t, &table, a, start)
		const limit = 12
		var want, got []netip.AddrPort
		for _, other := range slices.Backward(added) {
			if other.Addr() == a.Addr() && len(want) < limit {
				want = append(want, other)
			}
		}
		for j := range table.Siblings(i, limit) {
			got = append(got, table.Key(j))
		}
		if !slices.Equal(got, want) {
			t.Fatalf("of %v: %v, want %v", a, got, want)
		}
		added = append(added, a)
	}
	for i := range table.Numbers() {
		table.Remove(i)
	}
	if len(table.latest) > 0 {
		t.Errorf("%d addresses without entries", len(table.latest))
	}
}
