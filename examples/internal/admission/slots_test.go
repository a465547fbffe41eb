package admission

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func client(last byte) netip.Addr { return netip.AddrFrom4([4]byte{192, 0, 2, last}) }

// Clients get slots in turn, whatever the number of their requests. Costly work waits
// until there are enough slots, and is not overtaken.
func TestSlotsAreTakenInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &slots{free: 4}
		if !s.take(t.Context(), client(1), 4) {
			t.Fatal("no slot")
		}
		var order []byte
		for _, w := range []struct {
			of    byte
			slots int
		}{{1, 4}, {1, 4}, {1, 4}, {2, 4}, {3, 1}} {
			go func() {
				if s.take(t.Context(), client(w.of), w.slots) {
					order = append(order, w.of)
					s.release(w.slots)
				}
			}()
			synctest.Wait()
		}
		s.release(4)
		synctest.Wait()
		if diff := cmp.Diff([]byte{1, 2, 3, 1, 1}, order); diff != "" {
			t.Errorf("order (-want +got):\n%s", diff)
		}
		wantIdle(t, s, 4)
	})
}

// Small requests do not overtake waiting costly work: they wait although there are slots.
func TestCostlyWorkIsNotOvertaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &slots{free: 4}
		s.take(t.Context(), client(1), 3)
		costly := false
		go func() { costly = s.take(t.Context(), client(2), 4) }()
		synctest.Wait()
		small := make(chan bool, 1)
		go func() { small <- s.take(t.Context(), client(3), 1) }()
		synctest.Wait()
		if len(small) > 0 {
			t.Error("a small request overtakes")
		}
		s.release(3)
		synctest.Wait()
		if !costly || len(small) > 0 {
			t.Errorf("the costly work runs: %v", costly)
		}
		s.release(4)
		if !<-small {
			t.Error("the small request does not run")
		}
		s.release(1)
		wantIdle(t, s, 4)
	})
}

// However costly some work is, and however many clients wait, other work finds a slot, and the
// number of waiting requests is bounded.
func TestCostlyWorkLeavesSlots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := new(Limiter)
		request := func(i int) *http.Request {
			r := httptest.NewRequest("GET", "/", nil)
			r.RemoteAddr = fmt.Sprintf("198.51.%d.%d:1", i>>8, i&0xff)
			return r
		}
		inner := false
		outer := d.Work(httptest.NewRecorder(), request(0), 1<<30, func() {
			inner = d.Work(httptest.NewRecorder(), request(1), 1, func() {})
		})
		if !outer || !inner {
			t.Errorf("costly work runs: %v, and other work beside it: %v", outer, inner)
		}
		all := d.slots.free
		d.slots.take(t.Context(), client(1), all)
		const clients = 2 * maxWaiting
		var refused atomic.Int32
		for i := range clients {
			go func() {
				if !d.slots.take(t.Context(), netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}), 1) {
					refused.Add(1)
				}
			}()
		}
		synctest.Wait()
		if got := refused.Load(); got != clients-maxWaiting {
			t.Errorf("%d of %d are refused at once", got, clients)
		}
		time.Sleep(waitTime)
		synctest.Wait()
		d.slots.release(all)
		wantIdle(t, &d.slots, all)
	})
}

// Few requests of a client wait, for a limited time.
func TestWaitingForSlotsIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &slots{free: 1}
		s.take(t.Context(), client(1), 1)
		var refused atomic.Int32
		for range 10 {
			go func() {
				if !s.take(t.Context(), client(1), 1) {
					refused.Add(1)
				}
			}()
			synctest.Wait()
		}
		if got := refused.Load(); got != 10-maxWaitingPerClient {
			t.Errorf("%d are refused at once", got)
		}
		gone, cancel := context.WithCancel(t.Context())
		go s.take(gone, client(2), 1)
		synctest.Wait()
		cancel()
		time.Sleep(waitTime)
		synctest.Wait()
		if got := refused.Load(); got != 10 {
			t.Errorf("%d are refused", got)
		}
		s.release(1)
		wantIdle(t, s, 1)
	})
}

func wantIdle(t *testing.T, s *slots, free int) {
	t.Helper()
	if s.free != free || s.waiting != 0 || len(s.clients) != 0 || s.turns.Len() != 0 {
		t.Errorf("%d slots are free, %d wait, %d clients, %d turns", s.free, s.waiting, len(s.clients), s.turns.Len())
	}
}
