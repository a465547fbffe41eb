package gamespy2net

import (
	"encoding/binary"
	"testing"
)

// Ids use all 32 bits. Ids that Minecraft may receive use the 16 bits that it echoes.
func TestIDsUseAllBits(t *testing.T) {
	for p, want := range map[Protocol]uint32{
		ProtocolPlain: 0xffffffff, ProtocolSplit: 0xffffffff, ProtocolChallenge: 0x0f0f0f0f,
	} {
		var used uint32
		for range 200 {
			id := newID(p)
			used |= binary.BigEndian.Uint32(id[:])
		}
		if used != want {
			t.Errorf("protocol %d: bits %#x, want %#x", p, used, want)
		}
	}
}
