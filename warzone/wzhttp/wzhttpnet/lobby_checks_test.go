package wzhttpnet

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// Checks that another node may run are remembered for a moment, a bounded number of them.
func TestChecksStayBoundedOverHours(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newChecks(new(warzonegames.Games))
		defer c.close()
		id, most := uint32(0), 0
		for range 2 * 60 * 60 {
			for range 10 {
				id++
				if of := (checked{id, wzhttp.TCP4}); !c.mayRun(of) {
					t.Fatal("a check that is not known may not run")
				}
			}
			most = max(most, len(c.ends))
			time.Sleep(time.Second)
		}
		if most > maxEnds {
			t.Errorf("%d are remembered", most)
		}
		for range maxEnds + 100 {
			id++
			c.mayRun(checked{id, wzhttp.TCP4})
		}
		if len(c.ends) > maxEnds {
			t.Errorf("%d are remembered at once", len(c.ends))
		}
	})
}
