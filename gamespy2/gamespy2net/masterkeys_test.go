package gamespy2net_test

import (
	"runtime"
	"strconv"
	"testing"

	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// A server takes memory in proportion to its heartbeat, however many keys that has.
func TestMasterStoresKeysCompactly(t *testing.T) {
	const servers, most = 1000, 240
	for _, value := range []string{"", "1"} {
		m := newListMaster()
		m.Unchecked = true
		var pairs []string
		for i := range most {
			pairs = append(pairs, strconv.FormatInt(int64(i), 36), value)
		}
		b := beat{pairs: pairs}.wire(t)
		enlist(t, m, manyServers(servers), b)
		before := suite.Heap()
		for i := range servers {
			enlist(t, m, manyServers(i), b)
		}
		each := (int(suite.Heap()) - int(before)) / servers
		limit := 3*len(b) + 1024
		t.Logf("%d keys with the value %q: %d bytes for a heartbeat of %d", most, value, each, len(b))
		if each > limit {
			t.Errorf("%d keys with the value %q: %d bytes for a heartbeat of %d, want at most %d", most, value, each,
				len(b), limit)
		}
		runtime.KeepAlive(m)
	}
}
