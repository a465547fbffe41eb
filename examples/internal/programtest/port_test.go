package programtest

import "testing"

// Addresses that a test may still use are not returned again, and other processes cannot
// take their block.
func TestUnusedAddr(t *testing.T) {
	returned := map[string]bool{}
	for range blockPorts - 1 {
		returned[UnusedAddr(t)] = true
	}
	if len(returned) < blockPorts-1 {
		t.Errorf("%d addresses for %d calls", len(returned), blockPorts-1)
	}
	if first := taken.port / blockPorts * blockPorts; listen(first) != nil {
		t.Errorf("the block of port %d is free", first)
	}
}
