package service

import (
	"fmt"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"
)

// Eight prefixes that use up the limit of a host do not affect a prefix that queries the host a
// little. A single prefix may use the whole limit.
func TestRatesKeepAPart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBudget(1)
		host, honest := netip.MustParseAddr("8.8.8.8"), netip.MustParseAddr("192.0.2.1")
		refused, most := 0, 0
		for range 60 {
			for i := range 8 * 50 {
				hog := netip.MustParseAddr(fmt.Sprintf("198.51.%d.%d", i%8, i%100))
				if b.visit(hog, []netip.Addr{host}) == nil {
					most++
				}
			}
			for range 4 {
				if b.visit(honest, []netip.Addr{host}) != nil {
					refused++
				}
			}
			time.Sleep(time.Second)
		}
		if refused > 0 || most > 60*50+200 {
			t.Errorf("%d of 240 are refused, and others query it %d times in a minute", refused, most)
		}
		time.Sleep(time.Minute)
		most = 0
		for range 400 {
			if b.visit(honest, []netip.Addr{host}) == nil {
				most++
			}
			time.Sleep(25 * time.Millisecond)
		}
		if most < 400 {
			t.Errorf("alone, 40 a second for 10 s are allowed %d times", most)
		}
	})
}

// A client may read the longest list at once, and then no more for a while. Others continue to
// read until the total is used up; after that, clients that read little still can.
func TestListsOfClientsAreLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBudget(1)
		read := func(client string, n int) error {
			_, c := b.lists.take(t.Context(), netip.MustParseAddr(client), 1)
			if c == nil {
				return errBusy
			}
			defer c.release()
			m := &meter{client: netip.MustParseAddr(client), budget: b, claim: c}
			for ; n > 0 && m.failed() == nil; n -= 1000 {
				_ = m.add(min(n, 1000))
			}
			return m.failed()
		}
		for i := range 4 {
			client := fmt.Sprintf("198.51.%d.1", i)
			for read(client, maxListRead) == nil {
			}
			if err := read(client, 100_000); !isBusy(err) {
				t.Errorf("%s reads more: %v", client, err)
			}
		}
		if err := read("203.0.113.1", 100_000); err != nil {
			t.Errorf("who reads little: %v", err)
		}
		time.Sleep(time.Minute)
		for _, n := range []int{maxListRead, maxListRead + 1} {
			if err := read("198.51.0.1", n); (err == errTooLong) != (n > maxListRead) {
				t.Errorf("%d bytes after a minute: %v", n, err)
			}
		}
	})
}

// The claim of a list is as large as the bytes read.
func TestMeterHoldsWhatIsRead(t *testing.T) {
	b := newBudget(1)
	client := netip.MustParseAddr("192.0.2.1")
	_, c := b.lists.take(t.Context(), client, 1)
	m := &meter{client: client, budget: b, claim: c}
	if err := m.add(10*unitOfList + 1); err != nil || b.lists.units() != 11 {
		t.Errorf("%v, %d units", err, b.lists.units())
	}
	c.release()
	if err := m.add(unitOfList); !isBusy(err) {
		t.Errorf("without its claim: %v", err)
	}
}
