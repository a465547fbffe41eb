package bombermannet_test

import (
	"runtime"
	"testing"
)

// A silent game server takes little memory. That includes its entry and the other end of
// the connection, which is in this process too, but not the memory of the system.
func TestHeldConnectionIsSmall(t *testing.T) {
	const held, limit = 400, 16 << 10
	addr := on(t, roomy())
	fill(t, addr, 1) // what is needed once
	before := inUse()
	servers := fill(t, addr, held)
	for _, s := range servers {
		s.buf = nil
	}
	one := (inUse() - before) / held
	t.Logf("%d bytes each", one)
	if one > limit {
		t.Errorf("%d bytes each, want at most %d", one, limit)
	}
	runtime.KeepAlive(servers)
}

func inUse() int64 {
	runtime.GC()
	runtime.GC() // stacks shrink in the first, and are free after the second
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return int64(s.HeapInuse + s.StackInuse)
}
