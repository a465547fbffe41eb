package udp

import (
	"net/netip"
	"testing"
	"time"
)

// The authors of SipHash publish these numbers for the key 00 01 02 to 0f and inputs 00
// 01 02 and so on.
func TestSipHashMatchesPublishedValues(t *testing.T) {
	var key [16]byte
	for i := range key {
		key[i] = byte(i)
	}
	for _, tt := range []struct {
		size int
		want uint64
	}{
		{0, 0x726fdb47dd0e0e31},
		{1, 0x74f839c593dc67fd},
		{7, 0xab0200f58b01d137},
		{8, 0x93f5f5799a932462},
		{15, 0xa129ca6149be45e5},
	} {
		in := make([]byte, tt.size)
		for i := range in {
			in[i] = byte(i)
		}
		if got := sipHash(&key, in); got != tt.want {
			t.Errorf("%d bytes: %x, want %x", tt.size, got, tt.want)
		}
	}
}

func BenchmarkMinterValid(b *testing.B) {
	m := Minter{Slot: 10 * time.Second}
	from, now := netip.MustParseAddrPort("192.0.2.1:5000"), time.Unix(1e9, 0)
	token := m.Token(from, now)
	b.ReportAllocs()
	for b.Loop() {
		if !m.Valid(from, token, now) {
			b.Fatal("refused")
		}
	}
}
