package scan

import (
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// numbered is a conversation of one request, which contains the number of the attempt,
// and its copy.
type numbered byte

func (n numbered) Request(dst []byte) []byte { return append(dst, byte(n)) }

func (n numbered) Receive(b []byte) (Verdict, error) {
	if len(b) != 1 || b[0] != byte(n) {
		return Stray, nil
	}
	return Done, nil
}

func startNumbered(_ netip.AddrPort, attempt int, _ Exchange) Exchange { return numbered(attempt) }

// An answer to an attempt whose time has ended counts while another goes on.
func TestScanTakesAnswersToEarlierAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab()
		l.Start = startNumbered
		l.serve(t, target(0))
		l.Route = func(p nettest.Packet) []nettest.Packet {
			switch {
			case p.From != target(0):
			case p.Data[0] == 0:
				p.Delay = 1500 * time.Millisecond
			default:
				return nil
			}
			return []nettest.Packet{p}
		}
		var got []Result
		for r := range l.Scan(t.Context(), slices.Values([]netip.AddrPort{target(0)})) {
			got = append(got, r)
		}
		want := Result{Target: target(0), Exchange: numbered(0), RTT: 1500 * time.Millisecond, Attempts: 2}
		if !slices.Equal(got, []Result{want}) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	})
}

// A server does not time out if its answer has arrived but has not been read, because
// this machine or the caller is slow.
func TestScanReadsBeforeTimeEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab()
		l.Start = startNumbered
		l.Route = func(p nettest.Packet) []nettest.Packet {
			p.Delay = 10 * time.Millisecond
			return []nettest.Packet{p}
		}
		var targets []netip.AddrPort
		for i := range minWindow {
			l.serve(t, target(i))
			targets = append(targets, target(i))
		}
		answered := 0
		for r := range l.Scan(t.Context(), slices.Values(targets)) {
			if r.Err != nil || r.Attempts != 1 {
				t.Errorf("%v: %v after %d attempts", r.Target, r.Err, r.Attempts)
			}
			answered++
			if answered == 1 {
				time.Sleep(10 * l.Timeout)
			}
		}
		if answered != len(targets) {
			t.Errorf("%d of %d answered", answered, len(targets))
		}
	})
}
