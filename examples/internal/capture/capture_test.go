package capture

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lobbywire/lobbywire/examples/internal/capture/capturetest"
)

var (
	client  = netip.MustParseAddrPort("192.0.2.1:5000")
	server  = netip.MustParseAddrPort("192.0.2.2:9990")
	client6 = netip.MustParseAddrPort("[2001:db8::1]:5000")
	server6 = netip.MustParseAddrPort("[2001:db8::2]:9990")
)

// at returns the time of a packet of a file, counted from 0.
func at(packet int) time.Time { return capturetest.Start.Add(time.Duration(packet) * time.Second) }

func udp(from, to netip.AddrPort, data string) []byte {
	return capturetest.UDP(from, to, []byte(data))
}

// check compares the content of a file with the expected one, except the number of
// packets and the places of data in them.
func check(t *testing.T, b []byte, want File) {
	t.Helper()
	got, err := Read(b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateComparable(netip.AddrPort{}), cmpopts.EquateEmpty(),
		cmpopts.IgnoreFields(File{}, "Packets"),
		cmpopts.IgnoreFields(Sent{}, "Parts")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDatagramsAreRead(t *testing.T) {
	long := strings.Repeat("0123456789", 200)
	// An IPv6 packet with hop-by-hop, routing and destination options, and a
	// fragment header of a datagram that is not in fragments.
	extended := []byte{43, 0, 1, 4, 0, 0, 0, 0, 60, 1, 1, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
		44, 0, 1, 4, 0, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0, 7}
	extended = capturetest.IPv6(client6.Addr(), server6.Addr(), 0,
		append(extended, udp(client6, server6, "six")[40:]...))
	short := udp(client, server, "ask")
	short[25]-- // of the length of the datagram
	options := capturetest.IPv4(client.Addr(), server.Addr(), 17, 0, 0,
		append([]byte{1, 1, 1, 0}, udp(client, server, "ask")[20:]...))
	options[0]++
	for _, tt := range []struct {
		name    string
		snap    int
		packets [][]byte
		want    File
	}{
		{
			name: "both versions of IP",
			packets: [][]byte{udp(client, server, "ask"), udp(server, client, ""), udp(client6, server6, long),
				extended},
			want: File{Sent: []Sent{
				{At: at(0), From: client, To: server, Data: []byte("ask")},
				{At: at(1), From: server, To: client},
				{At: at(2), From: client6, To: server6, Data: []byte(long)},
				{At: at(3), From: client6, To: server6, Data: []byte("six")},
			}},
		},
		{
			name:    "bytes behind a datagram, and options",
			packets: [][]byte{short, options},
			want: File{Sent: []Sent{
				{At: at(0), From: client, To: server, Data: []byte("as")},
				{At: at(1), From: client, To: server, Data: []byte("ask")},
			}},
		},
		{
			name: "cut in the data", snap: 40 + 8 + 1,
			packets: [][]byte{udp(client, server, "ask"), udp(client6, server6, "ask"), udp(client6, server6, "a")},
			want: File{Sent: []Sent{
				{At: at(0), From: client, To: server, Data: []byte("ask")},
				{At: at(1), From: client6, To: server6, Data: []byte("a"), Missing: 2},
				{At: at(2), From: client6, To: server6, Data: []byte("a")},
			}},
		},
		{
			name: "cut in front of the data", snap: 20 + 8,
			packets: [][]byte{udp(client, server, "ask"), udp(client6, server6, "ask")},
			want: File{
				Sent: []Sent{{At: at(0), From: client, To: server, Missing: 3}},
				Left: []Left{{"cut within the IPv6 header", 1}},
			},
		},
		{
			name: "cut within headers", snap: 24,
			packets: [][]byte{udp(client, server, "ask"), options,
				capturetest.TCP(client, server, capturetest.Segment{})},
			want: File{Left: []Left{{"cut within the UDP header", 2}, {"cut within the TCP header", 1}}},
		},
		{
			name: "neither UDP nor TCP",
			packets: [][]byte{
				capturetest.IPv4(client.Addr(), server.Addr(), 1, 0, 0, make([]byte, 8)),
				capturetest.IPv4(client.Addr(), server.Addr(), 4, 0, 0, udp(client, server, "ask")),
				capturetest.IPv4(client.Addr(), server.Addr(), 132, 0, 0, make([]byte, 8)),
				capturetest.IPv6(client6.Addr(), server6.Addr(), 58, make([]byte, 8)),
				capturetest.IPv6(client6.Addr(), server6.Addr(), 58, make([]byte, 8)),
				capturetest.IPv6(client6.Addr(), server6.Addr(), 17, nil),
			},
			want: File{Left: []Left{{"ICMPv6", 2}, {"ICMP", 1}, {"IP protocol 132", 1}, {"IP within IP", 1},
				{"IPv6 packet of length 0", 1}}},
		},
		{
			name: "broken headers",
			packets: [][]byte{
				{0x30, 0, 0}, {},
				capturetest.IPv4(client.Addr(), server.Addr(), 17, 0, 0, make([]byte, 7)),
				// longer than the packet
				capturetest.IPv4(client.Addr(), server.Addr(), 17, 0, 0, []byte{1, 1, 1, 1, 0, 9, 0, 0}),
				capturetest.IPv4(client.Addr(), server.Addr(), 17, 0, 0, make([]byte, 9)), // length 0
				// header of 0 bytes
				capturetest.IPv4(client.Addr(), server.Addr(), 6, 0, 0, make([]byte, 20)),
				append([]byte{0x44, 0, 0, 20}, make([]byte, 16)...),
				append([]byte{0x46, 0, 0, 20}, make([]byte, 20)...),
				capturetest.IPv6(client6.Addr(), server6.Addr(), 60, []byte{17, 1, 0, 0, 0, 0, 0, 0}),
			},
			want: File{Left: []Left{
				{"broken UDP header", 3}, {"broken IPv4 header", 2}, {"broken IPv6 extension header", 1},
				{"broken TCP header", 1}, {"cut within the link header", 1}, {"neither IPv4 nor IPv6", 1},
			}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			check(t, capturetest.PCAP(capturetest.LinkRaw, tt.snap, tt.packets...), tt.want)
			check(t, capturetest.PCAPNG(capturetest.LinkRaw, tt.snap, tt.packets...), tt.want)
		})
	}
}

func TestLinkTypesAreRead(t *testing.T) {
	ask, ask6 := udp(client, server, "ask"), udp(client6, server6, "ask")
	both := []Sent{
		{At: at(0), From: client, To: server, Data: []byte("ask")},
		{At: at(1), From: client6, To: server6, Data: []byte("ask")},
	}
	under := func(header string) [][]byte {
		return [][]byte{append([]byte(header), ask...), append([]byte(header), ask6...)}
	}
	for _, tt := range []struct {
		name    string
		link    uint32
		packets [][]byte
		want    File
	}{
		{"Ethernet", capturetest.LinkEthernet, [][]byte{capturetest.Ethernet(ask), capturetest.Ethernet(ask6)},
			File{Sent: both}},
		{
			"Ethernet with padding and a trailer", capturetest.LinkEthernet | 0x14000000,
			[][]byte{append(capturetest.Ethernet(ask), make([]byte, 20)...),
				append(capturetest.Ethernet(ask6), 1, 2, 3, 4)}, File{Sent: both},
		},
		{"VLAN tags", capturetest.LinkEthernet, [][]byte{capturetest.Ethernet(ask, 7), capturetest.Ethernet(ask6, 7, 8)},
			File{Sent: both}},
		{
			"PPPoE", capturetest.LinkEthernet,
			[][]byte{
				append([]byte("............\x88\x64\x11\x00\x00\x01\x00\x21\x00\x21"), ask...),
				append([]byte("............\x88\x64\x11\x00\x00\x01\x00\x35\x00\x57"), ask6...),
			}, File{Sent: both},
		},
		{"raw", 12, [][]byte{ask, ask6}, File{Sent: both}},
		{"null", capturetest.LinkNull, under("\x02\x00\x00\x00"), File{Sent: both}},
		{"loop", capturetest.LinkLoop, under("\x00\x00\x00\x02"), File{Sent: both}},
		{"Linux any, version 1", capturetest.LinkSLL, [][]byte{
			append([]byte("\x00\x00\x03\x04\x00\x06......\x00\x00\x08\x00"), ask...),
			append([]byte("\x00\x00\x03\x04\x00\x06......\x00\x00\x86\xdd"), ask6...),
		}, File{Sent: both}},
		{"Linux any, version 2", capturetest.LinkSLL2, [][]byte{
			append([]byte("\x08\x00\x00\x00\x00\x00\x00\x01\x03\x04\x00\x06......\x00\x00"), ask...),
			append([]byte("\x86\xdd\x00\x00\x00\x00\x00\x01\x03\x04\x00\x06......\x00\x00"), ask6...),
		}, File{Sent: both}},
		{"PPP", 9, [][]byte{append([]byte{0xff, 3, 0, 0x21}, ask...), append([]byte{0xff, 3, 0, 0x57}, ask6...)},
			File{Sent: both}},
		{"PPP without IP", 9, [][]byte{{0xff, 3, 0xc0, 0x21, 1, 1, 0, 4}}, File{Left: []Left{{"link type 9 without IP", 1}}}},
		{"a link type that is not known", 147, [][]byte{ask}, File{Left: []Left{{"link type 147", 1}}}},
		{
			"Ethernet without IP", capturetest.LinkEthernet,
			[][]byte{
				[]byte("............\x08\x06"), []byte("............\x81\x00\x00\x07\x08\x06"),
				[]byte("............\x88\xcc"),
				[]byte("............\x81\x00\x00"), []byte("............\x00\x07......."),
				[]byte("............\x88\x47...."),
				[]byte("............\x88\x64......\xc0\x21"), []byte("............\x88\x64"),
				[]byte("............\x08"), []byte("............\x08\x00"),
			},
			File{Left: []Left{
				{"ARP", 2}, {"802.3 frame without an EtherType", 1}, {"EtherType 0x8847", 1}, {"LLDP", 1},
				{"PPP protocol 0xc021", 1}, {"cut within the IP header", 1},
				{"cut within the PPPoE header", 1}, {"cut within the VLAN header", 1}, {"cut within the link header", 1},
			}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			check(t, capturetest.PCAP(tt.link, 0, tt.packets...), tt.want)
		})
	}
}
