package capture

import (
	"encoding/binary"
	"net/netip"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/capture/capturetest"
)

type fragmentAt = capturetest.Fragment

// bothVersions returns the same fragments in both versions of IP.
func bothVersions(id uint32, data string, parts ...fragmentAt) (v4, v6 [][]byte) {
	return capturetest.Fragments(client, server, id, []byte(data), parts...),
		capturetest.Fragments(client6, server6, id, []byte(data), parts...)
}

func TestFragmentsAreJoined(t *testing.T) {
	const data = "0123456789abcdefghijklmnopqrstuvwxyz" // 44 bytes with the header
	for _, tt := range []struct {
		name  string
		parts []fragmentAt
		snap  int // of the payload

		at, size                               int // of what is sent
		repeated, overlap, incomplete, invalid int
	}{
		{name: "in order", parts: []fragmentAt{{0, 16}, {16, 32}, {32, 0}}, at: 2, size: 36},
		{name: "the last one first", parts: []fragmentAt{{32, 0}, {16, 32}, {0, 16}}, at: 2, size: 36},
		{name: "a repeated one", parts: []fragmentAt{{0, 16}, {0, 16}, {16, 0}}, at: 2, size: 36, repeated: 1},
		{name: "repeated when it is complete", parts: []fragmentAt{{0, 16}, {16, 0}, {0, 16}}, at: 1, size: 36, repeated: 1},
		{name: "repeated in other pieces", parts: []fragmentAt{{0, 16}, {16, 32}, {8, 24}, {32, 0}}, at: 3,
			size: 36, repeated: 1},
		{name: "overlapping", parts: []fragmentAt{{0, 16}, {8, 24}, {16, 0}}, overlap: 3},
		{name: "two ends", parts: []fragmentAt{{0, 16}, {32, 0}, {16, 40}}, overlap: 3},
		{name: "the first one missing", parts: []fragmentAt{{16, 32}, {32, 0}}, incomplete: 2},
		{name: "the last one missing", parts: []fragmentAt{{0, 16}, {16, 32}}, size: 24},
		{name: "one missing between others", parts: []fragmentAt{{32, 0}, {0, 16}}, size: 8, incomplete: 1},
		{name: "cut", parts: []fragmentAt{{0, 16}, {16, 32}, {32, 0}}, snap: 12, at: 2, size: 4},
		{name: "cut, and repeated", parts: []fragmentAt{{0, 16}, {0, 16}, {16, 0}}, snap: 12, at: 2, size: 4, repeated: 1},
		{name: "not of whole units", parts: []fragmentAt{{0, 12}, {16, 0}}, invalid: 1, incomplete: 1},
	} {
		v4, v6 := bothVersions(7, data, tt.parts...)
		for _, version := range []struct {
			name       string
			from, to   netip.AddrPort
			headers    int
			packets    [][]byte
			incomplete string
		}{
			{"IPv4", client, server, 20, v4, leftIncomplete4},
			{"IPv6", client6, server6, 48, v6, leftIncomplete6},
		} {
			t.Run(tt.name+" in "+version.name, func(t *testing.T) {
				var want File
				if tt.size > 0 {
					s := Sent{At: at(tt.at), From: version.from, To: version.to, Data: []byte(data[:tt.size]),
						Missing: len(data) - tt.size}
					want.Sent = append(want.Sent, s)
				}
				for _, l := range []Left{
					{leftBroken, tt.invalid}, {version.incomplete, tt.incomplete}, {leftOverlap, tt.overlap},
					{leftRepeated, tt.repeated},
				} {
					if l.Packets > 0 {
						want.Left = append(want.Left, l)
					}
				}
				snap := 0
				if tt.snap > 0 {
					snap = version.headers + tt.snap
				}
				check(t, capturetest.PCAP(capturetest.LinkRaw, snap, version.packets...), want)
			})
		}
	}
}

// Identifications of datagrams are reused.
func TestIdentificationsAreReused(t *testing.T) {
	first, first6 := bothVersions(7, "0123456789abcdef", fragmentAt{0, 16}, fragmentAt{16, 0})
	second, second6 := bothVersions(7, "0123456789ABCDEF", fragmentAt{0, 16}, fragmentAt{16, 0})
	other, _ := bothVersions(8, "----------------", fragmentAt{0, 16}, fragmentAt{16, 0})
	other6 := capturetest.Fragments(server6, client6, 7, []byte("----------------"), fragmentAt{0, 16},
		fragmentAt{16, 0})
	// The second part of the second datagram comes first, because only this part differs.
	check(t, capturetest.PCAP(capturetest.LinkRaw, 0, first[0], other[0], first[1], other[1], second[1], second[0]),
		File{Sent: []Sent{
			{At: at(2), From: client, To: server, Data: []byte("0123456789abcdef")},
			{At: at(3), From: client, To: server, Data: []byte("----------------")},
			{At: at(5), From: client, To: server, Data: []byte("0123456789ABCDEF")},
		}})
	check(t, capturetest.PCAP(capturetest.LinkRaw, 0, first6[0], other6[0], first6[1], other6[1], second6[1],
		second6[0]), File{Sent: []Sent{
		{At: at(2), From: client6, To: server6, Data: []byte("0123456789abcdef")},
		{At: at(3), From: server6, To: client6, Data: []byte("----------------")},
		{At: at(5), From: client6, To: server6, Data: []byte("0123456789ABCDEF")},
	}})
}

// A datagram is dropped a minute after its first fragment.
func TestLateFragmentsAreDropped(t *testing.T) {
	_, early := bothVersions(7, "0123456789abcdef", fragmentAt{0, 16})
	_, late := bothVersions(7, "0123456789abcdef", fragmentAt{16, 0})
	packets := [][]byte{early[0]}
	for range 60 {
		packets = append(packets, nil)
	}
	packets = append(packets, late[0])
	check(t, capturetest.PCAP(capturetest.LinkRaw, 0, packets...), File{
		Sent: []Sent{{At: at(0), From: client6, To: server6, Data: []byte("01234567"), Missing: 8}},
		Left: []Left{{"cut within the link header", 60}, {leftIncomplete6, 1}},
	})
}

// A datagram that is a fragment again after reassembly is not read.
func TestFragmentsWithinFragmentsAreNotRead(t *testing.T) {
	inner := capturetest.Fragments(client6, server6, 8, []byte("0123456789abcdef"), fragmentAt{0, 16})[0][40:]
	header := func(offset uint16) []byte {
		b := binary.BigEndian.AppendUint16([]byte{44, 0}, offset)
		return append(b, 0, 0, 0, 7)
	}
	check(t, capturetest.PCAP(capturetest.LinkRaw, 0,
		capturetest.IPv6(client6.Addr(), server6.Addr(), 44, append(header(1), inner[:16]...)),
		capturetest.IPv6(client6.Addr(), server6.Addr(), 44, append(header(16), inner[16:]...)),
	), File{Left: []Left{{leftNested, 1}}})
}

// The number of waiting fragments is bounded.
func TestFragmentsAreBounded(t *testing.T) {
	var packets [][]byte
	for i := range maxDatagrams + 1 {
		from := netip.AddrPortFrom(client6.Addr(), uint16(i))
		packets = append(packets, capturetest.Fragments(from, server6, uint32(i), []byte("0123456789abcdef"),
			fragmentAt{0, 16})...)
	}
	packets = append(packets, capturetest.Fragments(client6, server6, 0, []byte("0123456789abcdef"),
		fragmentAt{16, 0})...)
	file := capturetest.PCAP(capturetest.LinkRaw, 0, packets...)
	for i, at := 0, 24; at < len(file); i++ { // all at one time
		clear(file[at : at+4])
		at += 16 + int(binary.LittleEndian.Uint32(file[at+8:]))
	}
	f, err := Read(file)
	if err != nil || len(f.Sent) != maxDatagrams+1 || len(f.Left) != 1 || f.Left[0] != (Left{leftIncomplete6, 1}) {
		t.Errorf("%d sent, left %v, %v", len(f.Sent), f.Left, err)
	}
}
