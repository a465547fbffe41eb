package bench

import (
	"os"
	"runtime/debug"
	"testing"
)

func TestResidentGrowsWithMemory(t *testing.T) {
	debug.FreeOSMemory() // of earlier tests
	before, err := Resident(os.Getpid())
	if err != nil {
		t.Skip(err)
	}
	const size = 64 << 20
	held := make([]byte, size)
	for i := 0; i < size; i += 1 << 12 {
		held[i] = 1
	}
	after, err := Resident(os.Getpid())
	if err != nil || after-before < size*9/10 {
		t.Errorf("%d bytes more, %v, after taking %d", after-before, err, len(held))
	}
}
