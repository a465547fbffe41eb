package programtest

import (
	"testing"

	"github.com/lobbywire/lobbywire"
)

// Addresses that a test may still use are not returned again, and other processes cannot
// take their block.
func TestUnusedAddrsAreNotReused(t *testing.T) {
	returned := map[string]bool{UnusedAddr(t): true}
	usable := 0
	for port := taken.port/blockPorts*blockPorts + 1; port%blockPorts != 0; port++ {
		if !lobbywire.IsServicePort(uint16(port)) {
			usable++
		}
	}
	for range usable - 1 {
		returned[UnusedAddr(t)] = true
	}
	if len(returned) < usable {
		t.Errorf("%d addresses for %d calls", len(returned), usable)
	}
	if first := taken.port / blockPorts * blockPorts; listen(first) != nil {
		t.Errorf("the block of port %d is free", first)
	}
}
