package tap

import (
	"bytes"
	"net/netip"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/capture"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
)

// takeOf leaves the answer to a broadcast when it takes the datagrams of the answering
// peer.
func TestTakeOfLeavesOtherPeers(t *testing.T) {
	own, other := netip.MustParseAddrPort("[::]:5000"), netip.MustParseAddrPort("[::]:5001")
	peer, everyone := netip.MustParseAddrPort("192.0.2.1:1"), netip.MustParseAddrPort("192.0.2.255:1")
	var tapped Tap
	for _, s := range []capture.Sent{
		{From: own, To: everyone, Data: []byte{0}},
		{From: peer, To: own, Data: []byte{1}},
		{From: other, To: peer, Data: []byte{2}},
		{From: peer, To: other, Data: []byte{3}},
	} {
		tapped.record(s)
	}
	var got []byte
	for _, all := range [][]capture.Sent{tapped.TakeOf(peer), tapped.Take()} {
		for _, s := range all {
			got = append(got, s.Data...)
		}
	}
	if want := []byte{2, 3, 0, 1}; !bytes.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// The traffic that a tap holds is limited.
func TestTapHasALimit(t *testing.T) {
	var tapped Tap
	peer := netip.MustParseAddrPort("192.0.2.1:1")
	const size = formats.MaxDatagram
	for range maxTapped/size + 2 {
		tapped.record(capture.Sent{To: peer, Data: make([]byte, size)})
	}
	if n := len(tapped.TakeOf(peer)); n != maxTapped/size || tapped.Lost != 2*size {
		t.Errorf("recorded %d, lost %d bytes", n, tapped.Lost)
	}
	tapped.record(capture.Sent{To: peer, Data: []byte{1}})
	if n := len(tapped.Take()); n != 1 {
		t.Errorf("%d after the rest was taken", n)
	}
}
