package registry

import (
	"net/netip"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/internal/source"
)

// An item is a server of a masterTable as an entry of its Store.
type item struct {
	addr     netip.AddrPort
	seen     time.Time
	name     string
	withheld bool
}

// A masterTable is a table of servers with names. It records its list, and the calls of
// its Store.
type masterTable struct {
	Servers[netip.AddrPort, string, item]
	admit  func(item) bool
	listed []string
	calls  []string // of the Store
	put    func(item)
	remove func(netip.AddrPort)
}

type lockedTable = Locked[netip.AddrPort, string, item]

func (m *masterTable) Admits(t *lockedTable, i int) bool {
	return m.admit == nil || m.admit(m.Entry(t, i))
}
func (m *masterTable) List(t *lockedTable, i int) { m.listed = append(m.listed, *t.Value(i)) }
func (m *masterTable) Unlist(t *lockedTable, i int) {
	m.listed = slices.DeleteFunc(m.listed, func(s string) bool { return s == *t.Value(i) })
}
func (m *masterTable) Entry(t *lockedTable, i int) item {
	return item{t.Key(i), t.Deadline(i).Add(-m.Expiry), *t.Value(i), t.State(i) == Withheld}
}

// A store is the Store of a masterTable.
type store struct{ *masterTable }

func (s store) Put(e item)              { s.calls = append(s.calls, "put "+e.name) }
func (s store) Remove(k netip.AddrPort) { s.calls = append(s.calls, "remove "+k.String()) }
func (s store) Expire(k netip.AddrPort) { s.calls = append(s.calls, "expire "+k.String()) }
func (s store) Watch(put func(item), remove func(netip.AddrPort)) func() {
	s.put, s.remove = put, remove
	return func() { s.put, s.remove = nil, nil }
}

func newMasterTable() *masterTable {
	m := new(masterTable)
	m.Store = store{m}
	m.begin()
	return m
}

// begin starts the table.
func (m *masterTable) begin() {
	m.Expiry = time.Minute
	m.SetLimits(source.Counter{Max: 2})
	m.Start(m, func(e item) {
		m.Merge(e.addr, e.seen, func(t *lockedTable, i int) {
			*t.Value(i) = e.name
			t.Decide(i)
		})
	}, m.Forget)
}

// counts returns the numbers of servers that are listed, withheld, refused and in the table.
func (m *masterTable) counts() (listed, withheld int, refused uint64, size int) {
	m.Do(time.Now(), func(t *lockedTable) { listed, withheld, refused, size = t.Listed, t.Withheld, t.Refused, t.Len() })
	return listed, withheld, refused, size
}

// Servers are listed, withheld, hidden and removed, and the Store gets what is due.
func TestStoreGetsWhatIsDue(t *testing.T) {
	m := newMasterTable()
	m.admit = func(e item) bool { return e.name != "banned" }
	now := time.Now()
	enlist := func(i int, name string) bool {
		return m.Update(addr(i), now, true, func(t *lockedTable, n int) Outcome {
			*t.Value(n) = name
			t.Decide(n)
			return Keep
		})
	}
	do := func(i int, o Outcome) bool {
		return m.Update(addr(i), now, false, func(*lockedTable, int) Outcome { return o })
	}
	expect := func(step string, listed []string, withheld int, calls ...string) {
		t.Helper()
		nListed, nWithheld, _, _ := m.counts()
		if !slices.Equal(m.listed, listed) || nListed != len(listed) || nWithheld != withheld ||
			!slices.Equal(m.calls, calls) {
			t.Errorf("%s: listed %q (%d), %d withheld, calls %q", step, m.listed, nListed, nWithheld, m.calls)
		}
		m.calls = nil
	}
	if do(1, Keep) || !enlist(1, "a") || !enlist(2, "banned") || enlist(3, "c") {
		t.Error("a server is added that should not be, or not added")
	}
	if _, _, refused, _ := m.counts(); refused != 1 {
		t.Errorf("%d refused", refused)
	}
	expect("two new ones", []string{"a"}, 1, "put a", "put banned")
	now = now.Add(shareEvery - 1)
	do(1, Keep)
	expect("too early for the Store", []string{"a"}, 1)
	now = now.Add(1)
	do(1, Keep)
	expect("due", []string{"a"}, 1, "put a")
	do(1, Hide)
	do(1, Keep)
	expect("hidden", nil, 1, "remove "+addr(1).String())
	if got := slices.Collect(m.All()); len(got) != 1 || got[0].name != "banned" || !got[0].withheld {
		t.Errorf("entries %v", got)
	}
	enlist(1, "a")
	expect("listed again", []string{"a"}, 1, "put a")
	m.admit = nil
	m.Review(addr(1), addr(3))
	expect("the other one admitted", []string{"a"}, 1)
	m.Review(addr(2))
	expect("the withheld one admitted", []string{"a", "banned"}, 0)
	m.admit = func(e item) bool { return e.name == "banned" }
	m.Review()
	expect("all decided", []string{"banned"}, 1)
	m.admit = nil
	m.Review()
	expect("all admitted", []string{"banned", "a"}, 0)
	do(2, Remove)
	expect("removed", []string{"a"}, 0, "remove "+addr(2).String())
	do(1, Hide)
	expect("hidden again", nil, 0, "remove "+addr(1).String())
	enlist(2, "b")
	expect("another one", []string{"b"}, 0, "put b")
	m.Do(now.Add(m.Expiry+1), func(*lockedTable) {})
	expect("expired, of which the Store has one", nil, 0, "expire "+addr(2).String())
}

// The table follows what other nodes put in the Store and remove.
func TestServersFollowOtherNodes(t *testing.T) {
	m := newMasterTable()
	now := time.Now()
	for _, e := range []item{
		{addr: addr(1), seen: now, name: "a"},
		{addr: addr(1), seen: now.Add(-time.Second), name: "older"},
		{addr: addr(2), seen: now.Add(-m.Expiry - time.Second), name: "expired"},
		{addr: addr(2), seen: now.Add(time.Hour), name: "of a fast clock"},
	} {
		m.put(e)
	}
	if want := []string{"a", "of a fast clock"}; !slices.Equal(m.listed, want) || len(m.calls) > 0 {
		t.Errorf("listed %q, want %q; calls %q", m.listed, want, m.calls)
	}
	m.Do(time.Now().Add(m.Expiry+1), func(*lockedTable) {})
	if want := []string{"expire " + addr(1).String(), "expire " + addr(2).String()}; !slices.Equal(m.calls, want) {
		t.Errorf("calls %q, want %q", m.calls, want)
	}
	for i, name := range []string{"a", "b"} {
		m.put(item{addr: addr(i + 1), seen: now, name: name})
	}
	m.remove(addr(3))
	m.remove(addr(1))
	if _, _, _, size := m.counts(); len(m.listed) != 1 || size != 1 {
		t.Errorf("listed %q of %d", m.listed, size)
	}
	m.Close()
	if m.put != nil {
		t.Error("the Store is still watched")
	}
}

// A server whose connection this node has stays as it is, whatever another node says about it.
// This node does not share servers that only another node has seen.
func TestOtherNodesDoNotTakeConnections(t *testing.T) {
	m := &masterTable{}
	m.Store, m.Connected = store{m}, true
	m.begin()
	now := time.Now()
	m.Update(addr(1), now, true, func(t *lockedTable, i int) Outcome {
		*t.Value(i) = "ours"
		t.Decide(i)
		return Keep
	})
	m.put(item{addr: addr(1), seen: now.Add(time.Hour), name: "evil"})
	m.remove(addr(1))
	m.put(item{addr: addr(2), seen: now, name: "theirs"})
	m.Update(addr(2), now, false, func(*lockedTable, int) Outcome { return Share })
	if want := []string{"ours", "theirs"}; !slices.Equal(m.listed, want) {
		t.Errorf("listed %q, want %q", m.listed, want)
	}
	if want := []string{"put ours"}; !slices.Equal(m.calls, want) {
		t.Errorf("calls %q, want %q", m.calls, want)
	}
	m.remove(addr(2))
	if want := []string{"ours"}; !slices.Equal(m.listed, want) {
		t.Errorf("listed %q, want %q", m.listed, want)
	}
}

// A Store that blocks gets the changes of a server in their order, and delays only one
// goroutine.
func TestStoreGetsChangesInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := new(masterTable)
		s := &slowStore{store: store{m}, release: make(chan struct{})}
		m.Store = s
		m.begin()
		do := func(o Outcome) {
			m.Update(addr(1), time.Now(), true, func(t *lockedTable, i int) Outcome {
				*t.Value(i) = "a"
				t.Decide(i)
				return o
			})
		}
		go do(Keep)
		synctest.Wait() // it is in Put
		do(Remove)
		do(Keep)
		if len(m.listed) != 1 || len(m.calls) != 0 {
			t.Errorf("listed %q, calls %q while the Store blocks", m.listed, m.calls)
		}
		close(s.release)
		synctest.Wait()
		if want := []string{"put a", "remove " + addr(1).String(), "put a"}; !slices.Equal(m.calls, want) {
			t.Errorf("calls %q, want %q", m.calls, want)
		}
	})
}

// A slowStore blocks its first Put.
type slowStore struct {
	store
	isLater atomic.Bool // than the first Put
	release chan struct{}
}

func (s *slowStore) Put(e item) {
	if !s.isLater.Swap(true) {
		<-s.release
	}
	s.store.Put(e)
}

func (s *slowStore) Remove(k netip.AddrPort) { s.store.Remove(k) }
