package gamespy2net_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

// costlyFilter is the filter that takes most time for the values of costlyBeat.
var costlyFilter = "hostname like '%" + strings.Repeat("a", 960) + "b%'"

// costlyBeat returns a heartbeat of server i with a long value.
func costlyBeat(t testing.TB, i int) []byte {
	return beat{pairs: []string{"numplayers", string(rune('0' + i%10)), "hostname", strings.Repeat("a", 1150)}}.wire(t)
}

// The work for filters of lists and for filters of subscribers has one limit for each
// source. A client beyond it gets the reason in place of a list.
func TestMasterLimitsFilters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newListMaster()
		m.Unchecked = true
		m.Limits.Filters = lobbywire.Rates{PerSource: 1e6} // a list below takes about 1.4 million steps
		for i := range 256 {
			enlist(t, m, manyServers(i), costlyBeat(t, i))
		}
		network := serveLists(t, m)
		request := requestFor()
		request.Filter, request.Options = costlyFilter, sb2.OptionPush
		var subscribers []*listClient
		refused := 0
		for range 10 {
			c := ask(t, network, request)
			if reason := c.list().Error; reason == "" {
				subscribers = append(subscribers, c)
			} else if reason == "the filter takes too much time" {
				refused++
			}
		}
		if n := len(subscribers); n < 3 || n > 5 || refused != 10-n {
			t.Errorf("%d lists, %d refused", n, refused)
		}
		if n := len(ask(t, network, requestFor()).list().Servers); n != 256 {
			t.Errorf("%d servers without a filter", n)
		}
		m.Respond(manyServers(0), costlyBeat(t, 1), nil)
		for _, c := range subscribers {
			if d := c.wantEnd(); d > 2*time.Second {
				t.Errorf("a subscriber was disconnected after %v", d)
			}
		}
		if got := m.Stats().CostlyFilters; got != 10 {
			t.Errorf("%d costly filters", got)
		}
		time.Sleep(10 * time.Second)
		if reason := ask(t, network, request).list().Error; reason != "" {
			t.Errorf("refused later: %s", reason)
		}
	})
}

// A filter that takes too much time for one server is refused, however rarely it comes.
func TestMasterRefusesCostlyFilters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newListMaster()
		m.Unchecked = true
		enlist(t, m, manyServers(0), costlyBeat(t, 0))
		request := requestFor()
		request.Filter = "hostname=1" + strings.Repeat(" or hostname=1", 60)
		if reason := ask(t, serveLists(t, m), request).list().Error; reason != "the filter takes too much time" {
			t.Errorf("reason %q", reason)
		}
	})
}
