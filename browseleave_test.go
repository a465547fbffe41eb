package lobbywire_test

import (
	"context"
	"net/netip"
	"runtime"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// Once its context is done, Browse does nothing for the servers of a list that it would query,
// however many they are. Those that the list alone describes are found.
func TestBrowseEndsWithItsContext(t *testing.T) {
	n := suite.Pick(20_000, 60_000)
	var silent []lobbywire.Listed
	for i := range n {
		at := netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 0, byte(i >> 8), byte(i)}), 29900)
		silent = append(silent, lobbywire.Listed{Query: at, View: lobbywire.View{Name: "Silent"}})
	}
	ended, end := context.WithCancel(t.Context())
	list := lobbywire.List{Addr: "m", Lister: listFunc(func(_ context.Context, addr string) lobbywire.ListResult {
		end()
		return lobbywire.ListResult{Protocol: "gamespy2", Master: addr, MasterIP: listIP, Servers: silent,
			Partial: true, Err: context.Canceled}
	})}
	browse := func(scanner lobbywire.Scanner) (servers, ends int, bytes uint64) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for row := range browsed(ended, lobbywire.Source{List: list, Scanner: scanner}) {
			if row.Number > 0 {
				servers++
			} else if row.End.Partial && row.Err != nil {
				ends++
			}
		}
		runtime.ReadMemStats(&after)
		return servers, ends, after.TotalAlloc - before.TotalAlloc
	}
	if servers, ends, bytes := browse(scripted{protocol: "gamespy2"}); servers > 0 || ends != 1 || bytes > 2<<20 {
		t.Errorf("queried: %d servers, %d ends, %d bytes were allocated", servers, ends, bytes)
	}
	if servers, ends, _ := browse(nil); servers != n || ends != 1 {
		t.Errorf("described by the list: %d servers, %d ends", servers, ends)
	}
}
