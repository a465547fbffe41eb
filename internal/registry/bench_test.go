package registry

import (
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"
)

const many = 100_000

// full returns a table of many entries and their addresses in random order.
func full() (*Table[netip.AddrPort, int], []netip.AddrPort) {
	table, all := new(Table[netip.AddrPort, int]), make([]netip.AddrPort, many)
	for i, j := range rand.New(rand.NewPCG(1, 2)).Perm(many) {
		all[i] = addr(j)
		table.Add(addr(j), start.Add(300*time.Second+time.Duration(i)*time.Millisecond))
	}
	return table, all
}

// BenchmarkRefresh finds entries and moves their deadlines, each every 150 seconds. The
// floor uses a map.
func BenchmarkRefresh(b *testing.B) {
	table, all := full()
	now := start.Add(100 * time.Second)
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		now = now.Add(1500 * time.Microsecond)
		table.Expire(now, many, func(int) { b.Fatal("expired") })
		i, _ := table.Find(all[n%many])
		table.SetDeadline(i, now.Add(300*time.Second))
	}
}

func BenchmarkRefreshFloor(b *testing.B) {
	_, all := full()
	table := make(map[netip.AddrPort]time.Time)
	for _, a := range all {
		table[a] = start
	}
	now := start
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		now = now.Add(1500 * time.Microsecond)
		table[all[n%many]] = now.Add(300 * time.Second)
	}
}

// BenchmarkAddExpire adds each entry again after it has expired.
func BenchmarkAddExpire(b *testing.B) {
	table, all := full()
	now := start.Add(time.Hour)
	table.Expire(now, many, func(int) {})
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		now = now.Add(3001 * time.Microsecond)
		table.Expire(now, many, func(int) {})
		table.Add(all[n%many], now.Add(300*time.Second))
	}
}

// BenchmarkExpireAll lets many entries expire in one call.
func BenchmarkExpireAll(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		table, _ := full()
		b.StartTimer()
		table.Expire(start.Add(time.Hour), many, func(int) {})
	}
}
