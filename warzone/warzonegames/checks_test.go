package warzonegames_test

import (
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// hostIn returns a host in an IPv4 /24, or in an IPv6 /48 from prefix 1<<16.
func hostIn(prefix, host int) netip.Addr {
	if prefix < 1<<16 {
		return netip.AddrFrom4([4]byte{20, byte(prefix >> 8), byte(prefix), byte(host)})
	}
	return netip.AddrFrom16([16]byte{0x20, 1, 0xd, 0xb8, byte(prefix >> 8), byte(prefix), byte(host >> 8), byte(host)})
}

// slow begins as many checks of hosts that never answer as it can, four of each host in turn.
func slow(g *warzonegames.Games, prefix, hosts int) (running []func(bool)) {
	for range 4 {
		for host := range hosts {
			if end, ok := g.ForLobbies().BeginCheck(hostIn(prefix, host)); ok {
				running = append(running, end)
			}
		}
	}
	return running
}

// prove makes a host in a prefix answer.
func prove(t *testing.T, g *warzonegames.Games, prefix int) {
	t.Helper()
	end, ok := g.ForLobbies().BeginCheck(hostIn(prefix, 200))
	if !ok {
		t.Fatalf("no check of prefix %d", prefix)
	}
	end(true)
}

// Slow hosts of one address or prefix leave nearly all checks to others.
func TestSlowHostsOfOnePrefixLeaveChecks(t *testing.T) {
	for _, tt := range []struct {
		prefix, hosts int
		proven        bool
		want          int
	}{
		{1, 1, false, 4}, {1, 100, false, 15}, {1<<16 + 1, 100, false, 15},
		{1, 100, true, 16}, {1<<16 + 1, 100, true, 16},
	} {
		g := new(warzonegames.Games)
		if tt.proven {
			prove(t, g, tt.prefix)
		}
		if n := len(slow(g, tt.prefix, tt.hosts)); n != tt.want {
			t.Errorf("%+v: %d checks", tt, n)
		}
		if n := len(slow(g, 2, 100)); n < 13 {
			t.Errorf("%+v: %d checks of another prefix", tt, n)
		}
	}
	g := new(warzonegames.Games)
	total := len(slow(g, 1, 1)) + len(slow(g, 1, 1)) + len(slow(g, 1, 1))
	if total != 8 {
		t.Errorf("%d checks of one address", total)
	}
}

// Slow hosts in unproven prefixes, however many, occupy half of the checks. The other half is
// for prefixes where a game has answered.
func TestProvenPrefixKeepsItsShare(t *testing.T) {
	g := new(warzonegames.Games)
	prove(t, g, 1)
	prove(t, g, 1<<16+1)
	var running []func(bool)
	for prefix := range 1000 {
		running = append(running, slow(g, 10+prefix, 4)...)
	}
	if len(running) != 128 {
		t.Errorf("%d checks of unproven prefixes", len(running))
	}
	for _, prefix := range []int{1, 1<<16 + 1} {
		checks := slow(g, prefix, 100)
		if len(checks) < 7 {
			t.Errorf("%d checks of a proven prefix", len(checks))
		}
		running = append(running, checks...)
	}
	if _, ok := g.ForLobbies().BeginCheck(hostIn(6000, 1)); ok {
		t.Error("a check of an unproven prefix")
	}
	for _, end := range running {
		end(false)
	}
	if n := len(slow(g, 20, 100)); n != 15 {
		t.Errorf("%d checks of a prefix after the flood", n)
	}
}

// Slow hosts in many prefixes where a game has answered, which come back at once when their
// checks end, leave checks to others.
func TestSlowProvenPrefixesLeaveChecks(t *testing.T) {
	for _, prefixes := range []int{16, 50} {
		synctest.Test(t, func(t *testing.T) {
			g := new(warzonegames.Games)
			for prefix := range prefixes {
				prove(t, g, prefix)
			}
			prove(t, g, 1000)
			total := 0
			refused := map[int]int{}
			for tick := range 300 { // half a minute
				for prefix := range prefixes {
					for _, end := range slow(g, prefix, 5) {
						total++
						time.AfterFunc(5*time.Second, func() { end(false) })
					}
				}
				if tick >= 100 && tick%10 == 0 {
					for _, prefix := range []int{1000, 2000 + tick} {
						end, ok := g.ForLobbies().BeginCheck(hostIn(prefix, 1))
						if !ok {
							refused[prefix/2000]++
							continue
						}
						time.AfterFunc(100*time.Millisecond, func() { end(true) })
					}
				}
				time.Sleep(100 * time.Millisecond)
				synctest.Wait()
			}
			t.Logf("%d prefixes: %d slow checks, refused %v of 20", prefixes, total, refused)
			if refused[0] > 2 || refused[1] > 2 {
				t.Errorf("%d prefixes: 20 checks of a proven prefix and of unproven ones, refused %v", prefixes, refused)
			}
		})
	}
}

// A prefix is proven by a check, or a game that its lobby has connected to, for at least half a
// day and less than a day.
func TestPrefixesAreProvenForATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := new(warzonegames.Games)
		listed, claimed := gamestest.Add(t, g, verified(1)), gamestest.At(2<<8)
		claimed.Source, claimed.Expires = warzonegames.SourceText, time.Now().Add(time.Hour)
		gamestest.Add(t, g, claimed)
		prove(t, g, 1)
		end, _ := g.ForLobbies().BeginCheck(hostIn(2, 1))
		end(false)
		for prefix := range 200 {
			slow(g, 10+prefix, 4)
		}
		proven := func(a netip.Addr) bool {
			end, ok := g.ForLobbies().BeginCheck(a)
			if ok {
				end(false)
			}
			return ok
		}
		for _, tt := range []struct {
			at   netip.Addr
			want bool
		}{{listed.Key.Addr(), true}, {claimed.Key.Addr(), false}, {hostIn(1, 9), true}, {hostIn(2, 9), false}} {
			if got := proven(tt.at); got != tt.want {
				t.Errorf("%v is proven: %v", tt.at, got)
			}
		}
		time.Sleep(12 * time.Hour)
		if !proven(hostIn(1, 9)) {
			t.Error("a prefix is forgotten after half a day")
		}
		time.Sleep(12 * time.Hour)
		if proven(hostIn(1, 9)) {
			t.Error("a prefix is proven after a day")
		}
	})
}
