package lobbywire_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// hostileList names other servers each time, and may say that it is not whole.
func hostileList(
	servers int,
	entry func(round, i int) lobbywire.Listed,
	end func(round int, r *lobbywire.ListResult),
) lobbywire.List {
	round := 0
	return lobbywire.List{Addr: "evil", Lister: listFunc(func(_ context.Context, addr string) lobbywire.ListResult {
		round++
		r := lobbywire.ListResult{Protocol: "warzone", Master: addr, MasterIP: listIP, Partial: true,
			Servers: make([]lobbywire.Listed, servers)}
		for i := range r.Servers {
			r.Servers[i] = entry(round, i)
		}
		end(round, &r)
		return r
	})}
}

// Whatever a list names, and however it ends, for hours, Watch keeps a bounded number of its
// servers, and none of them once it is whole. Those of another list that is not whole stay.
func TestWatchStaysBoundedOverHours(t *testing.T) {
	named := func(round, i int) lobbywire.Listed {
		return claim(fmt.Sprintf("%d of round %d", i, round), fmt.Sprintf("10.%d.%d.%d:2100", round&0xff, i>>8, i&0xff))
	}
	unaddressed := func(round, _ int) lobbywire.Listed {
		return lobbywire.Listed{View: lobbywire.View{Name: fmt.Sprint(round)}}
	}
	partial := func(int, *lobbywire.ListResult) {}
	for _, tt := range []struct {
		name  string
		long  bool
		size  int
		entry func(round, i int) lobbywire.Listed
		end   func(round int, r *lobbywire.ListResult)
		most  int // servers at one time, with those of a round that has not ended
	}{
		{"that is never whole", false, 100, named, partial, 1100},
		{"that fails", false, 100, named, func(_ int, r *lobbywire.ListResult) { r.Err = errors.New("broken") }, 1100},
		{"that fails and is not whole in turn", false, 100, named, func(round int, r *lobbywire.ListResult) {
			if round%2 == 0 {
				r.Partial, r.Err = false, errors.New("broken")
			}
		}, 1100},
		{"of servers without an address", false, 100, unaddressed, partial, 1100},
		{"of one name", false, 100, func(int, int) lobbywire.Listed {
			return lobbywire.Listed{View: lobbywire.View{Name: "all"}}
		}, partial, 100},
		{"that is long", true, 4000, named, partial, 44_000},
		{"that is longer than what is kept", false, 33_000, suite.Pick(unaddressed, named), partial, 1<<16 + 33_000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.long {
				suite.Long(t, "time")
			}
			synctest.Test(t, func(t *testing.T) {
				hours := suite.Pick(30*time.Minute, 2*time.Hour)
				if tt.size > 1000 {
					hours = suite.Pick(time.Minute, 12*time.Minute)
				}
				ctx, cancel := context.WithTimeout(t.Context(), hours+10*time.Minute)
				defer cancel()
				start := time.Now()
				alive, most, honest := map[int]bool{}, 0, false
				before, peak := suite.Heap(), 0
				for row := range watched(ctx, 0,
					lobbywire.Source{List: rounds("warzone", servers(claim("Honest", "192.0.2.1:2100")),
						lobbywire.ListResult{Servers: []lobbywire.Listed{claim("Honest", "192.0.2.1:2100")}, Partial: true})},
					lobbywire.Source{List: hostileList(tt.size, tt.entry, func(round int, r *lobbywire.ListResult) {
						tt.end(round, r)
						if time.Since(start) > hours {
							*r = lobbywire.ListResult{Protocol: "warzone", Master: "evil"}
						}
					})},
				) {
					switch {
					case row.Number == 0:
						if elapsed := time.Since(start); elapsed > hours-time.Minute && peak == 0 {
							peak = suite.Heap()
						}
						continue
					case row.View.Name == "Honest":
						honest = !row.Gone
					case row.Gone:
						delete(alive, row.Number)
					default:
						alive[row.Number] = true
					}
					most = max(most, len(alive))
				}
				after := suite.Heap()
				t.Logf("at most %d servers; heap %d KiB before, %d at the end of the attack, %d after", most, before>>10,
					peak>>10, after>>10)
				if most > tt.most || len(alive) > 0 || !honest {
					t.Errorf("%d servers at one time, want at most %d; %d stay; the honest one does: %v", most, tt.most,
						len(alive), honest)
				}
			})
		})
	}
}
