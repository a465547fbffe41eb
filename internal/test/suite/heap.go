package suite

import "runtime"

// Heap returns the memory in use, in bytes. The second collection frees what pools kept in the
// first.
func Heap() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
