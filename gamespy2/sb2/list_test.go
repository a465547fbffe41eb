package sb2_test

import (
	"runtime"
	"testing"

	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

// A list of any number of servers of the shortest kind, with or without a field, takes at
// most 64 times its bytes: each server has 144 bytes in memory, and 5 or 6 in the list.
func TestListTakesLittleMemory(t *testing.T) {
	for _, fields := range []byte{0, 1} {
		for _, n := range []int{10, 100, 1000, 10_000} {
			b := []byte{192, 0, 2, 7, 0x19, 0x64, fields}
			var flags sb2.Flags
			if fields > 0 {
				b = append(b, 1, 'k', 0)
				flags = sb2.FlagFields
			}
			b = append(b, 0) // popular values
			for i := range n {
				b = append(b, byte(flags), 10, 0, byte(i>>8), byte(i))
				b = append(b, make([]byte, fields)...)
			}
			b = append(b, 0, 255, 255, 255, 255)
			least := ^uint64(0) // other goroutines may allocate at the same time
			for range 3 {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				m, err := sb2.ParseList(b)
				runtime.ReadMemStats(&after)
				if err != nil || len(m.Servers) != n {
					t.Fatal(len(m.Servers), err)
				}
				least = min(least, after.TotalAlloc-before.TotalAlloc)
			}
			if least > uint64(64*len(b)) {
				t.Errorf("%d servers with %d fields: %d bytes of memory for %d", n, fields, least, len(b))
			}
		}
	}
}
