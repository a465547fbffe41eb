package gamespy2net_test

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// changing returns a heartbeat of server i whose size is near the limit.
func changing(t testing.TB, i, round int) []byte {
	return beat{pairs: []string{
		"hostname", fmt.Sprint(i), "map", fmt.Sprint(i, " ", round, strings.Repeat("x", 1000)),
	}}.wire(t)
}

// requestLists requests a list with a new field before each change of all servers.
func requestLists(t *testing.T, m *gamespy2net.Master, network *nettest.Streams, servers int) {
	for round := range 16 {
		request := requestFor("hostname", fmt.Sprint("field", round))
		request.Options = sb2.OptionAllFields
		c := ask(t, network, request)
		if n := len(c.list().Servers); n != servers {
			t.Fatalf("%d servers", n)
		}
		c.Close()
		for i := range servers {
			m.Respond(manyServers(i), changing(t, i, round+1), nil)
		}
	}
}

// Cached lists keep servers that have changed since. These count as well, and the lists are
// removed when nobody uses them.
func TestMasterForgetsOldServers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		servers := suite.Pick(2100, 4000)
		m := newListMaster()
		m.Unchecked = true
		for i := range servers {
			enlist(t, m, manyServers(i), changing(t, i, 0))
		}
		network := serveLists(t, m)
		before := suite.Heap()
		requestLists(t, m, network, servers)
		used := int64(suite.Heap()) - int64(before)
		t.Logf("%d KiB", used>>10)
		if used > 32<<20 {
			t.Errorf("%d bytes are kept", used)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		left := int64(suite.Heap()) - int64(before)
		t.Logf("%d KiB a minute later", left>>10)
		if left > 2<<20 {
			t.Errorf("%d bytes are kept after a minute", left)
		}
		runtime.KeepAlive(m)
	})
}

// A list that is used stays, and an unused one is removed.
func TestMasterForgetsUnusedLists(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const servers = 1000
		m := newListMaster()
		m.Unchecked = true
		for i := range servers {
			enlist(t, m, manyServers(i), changing(t, i, 0))
		}
		network := serveLists(t, m)
		request := requestFor("hostname", "map")
		request.Options = sb2.OptionAllFields
		before := suite.Heap()
		ask(t, network, request).Close()
		synctest.Wait()
		if used := int64(suite.Heap()) - int64(before); used < servers*1000 {
			t.Fatalf("%d bytes of a list", used)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if used := int64(suite.Heap()) - int64(before); used > servers*1000/2 {
			t.Errorf("%d bytes after a minute", used)
		}
		runtime.KeepAlive(m)
	})
}

// The changes that subscribers may still get keep no servers that have changed since or are
// removed, and neither do subscribers that got them.
func TestMasterChangesKeepNoServers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const servers, rounds = 500, 16
		m := newListMaster()
		m.Unchecked = true
		for i := range servers {
			enlist(t, m, manyServers(i), changing(t, i, 0))
		}
		network := serveLists(t, m)
		request := requestFor("hostname")
		request.Options = sb2.OptionPush
		c := ask(t, network, request)
		c.list()
		go io.Copy(io.Discard, c)
		synctest.Wait()
		before := suite.Heap()
		for round := range rounds {
			batch := servers
			if round == rounds-1 {
				batch = servers / 10 // which leave place for those of the last round
			}
			for i := range servers {
				m.Respond(manyServers(i), changing(t, i, round+1), nil)
				if i%batch == batch-1 {
					time.Sleep(2 * time.Second)
					synctest.Wait()
				}
			}
		}
		if pushed := m.Stats().Pushed; pushed < servers*rounds {
			t.Fatalf("%d changes pushed", pushed)
		}
		used := int64(suite.Heap()) - int64(before)
		t.Logf("%d KiB", used>>10)
		if used > 1<<19 {
			t.Errorf("%d bytes are kept after %d changes", used, servers*rounds)
		}
		runtime.KeepAlive(m)
	})
}
