package scan

import (
	"errors"
	"net"
	"net/netip"
	"slices"
	"syscall"
	"testing"
)

// Scans send nothing to broadcast addresses, not even those of this machine's networks,
// such as 127.255.255.255.
func TestScanSendsNoBroadcasts(t *testing.T) {
	everybody, err := net.ListenPacket("udp4", "0.0.0.0:0") // gets broadcasts
	if err != nil {
		t.Skip(err)
	}
	defer everybody.Close()
	port := everybody.LocalAddr().(*net.UDPAddr).AddrPort().Port()
	at := netip.AddrPortFrom(netip.MustParseAddr("127.255.255.255"), port)
	s := newLab().Scanner
	s.Listen = nil
	s.SetDefaults()
	for r := range s.Scan(t.Context(), slices.Values([]netip.AddrPort{at})) {
		if r.Target != at || !errors.Is(r.Err, syscall.EACCES) {
			t.Errorf("%v: %v", r.Target, r.Err)
		}
	}
	end, err := net.Dial("udp4", netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), port).String())
	if err != nil {
		t.Fatal(err)
	}
	defer end.Close()
	end.Write([]byte("end"))
	buf := make([]byte, 100)
	if n, from, err := everybody.ReadFrom(buf); err != nil || string(buf[:n]) != "end" {
		t.Errorf("%q from %v, %v", buf[:n], from, err)
	}
}
