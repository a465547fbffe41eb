package ban_test

import (
	"net"
	"net/netip"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/ban"
)

// If there are more prefixes than the kernel accepts, the filter contains the widest, and Set
// returns an error.
func TestWidestPrefixesFitTheFilter(t *testing.T) {
	var g ban.Gate
	inner, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer inner.Close()
	pc, err := g.PacketConn(inner)
	if err != nil {
		t.Fatal(err)
	}
	if _, batched := pc.(*net.UDPConn); !batched {
		t.Errorf("a %T is not read in batches", pc)
	}
	var many []ban.Prefix
	for i := range 1100 {
		many = append(many, ban.Prefix{Prefix: netip.PrefixFrom(netip.AddrFrom4([4]byte{10, byte(i >> 8), byte(i), 1}),
			32)})
	}
	if err := g.Set(many[:200]); err != nil {
		t.Error(err)
	}
	many = append(many, prefixes(t, "127.0.0.2/31")...)
	if err := g.Set(many); err == nil || !strings.Contains(err.Error(), "are omitted") {
		t.Errorf("too many bans: got %v", err)
	}
	if got := arrived(t, pc, "127.0.0.2", "127.0.0.3", "127.0.0.1"); len(got) != 1 {
		t.Errorf("datagrams: got %v", got)
	}
	if !g.Banned(many[1099].Addr()) {
		t.Error("what the kernel omits is not banned")
	}
}
