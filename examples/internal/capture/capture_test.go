package capture

import (
	"bytes"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"
)

var (
	client = netip.MustParseAddrPort("192.0.2.1:5000")
	server = netip.MustParseAddrPort("192.0.2.2:9990")
	start  = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
)

// ip returns the layer below t, and lets t know of it.
func ip(from, to netip.AddrPort, protocol layers.IPProtocol) gopacket.SerializableLayer {
	if from.Addr().Is6() {
		return &layers.IPv6{Version: 6, HopLimit: 64, NextHeader: protocol,
			SrcIP: from.Addr().AsSlice(), DstIP: to.Addr().AsSlice()}
	}
	return &layers.IPv4{Version: 4, TTL: 64, Protocol: protocol,
		SrcIP: from.Addr().AsSlice(), DstIP: to.Addr().AsSlice()}
}

// packet returns the bytes of layers, on Ethernet.
func packet(t *testing.T, from netip.AddrPort, all ...gopacket.SerializableLayer) []byte {
	t.Helper()
	kind := layers.EthernetTypeIPv4
	if from.Addr().Is6() {
		kind = layers.EthernetTypeIPv6
	}
	mac := net.HardwareAddr{2, 0, 0, 0, 0, 1}
	all = append([]gopacket.SerializableLayer{&layers.Ethernet{SrcMAC: mac, DstMAC: mac, EthernetType: kind}}, all...)
	b := gopacket.NewSerializeBuffer()
	if err := gopacket.SerializeLayers(b, gopacket.SerializeOptions{FixLengths: true}, all...); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func udp(t *testing.T, from, to netip.AddrPort, data string) []byte {
	u := &layers.UDP{SrcPort: layers.UDPPort(from.Port()), DstPort: layers.UDPPort(to.Port())}
	return packet(t, from, ip(from, to, layers.IPProtocolUDP), u, gopacket.Payload(data))
}

func tcp(t *testing.T, from, to netip.AddrPort, seq uint32, data string) []byte {
	s := &layers.TCP{SrcPort: layers.TCPPort(from.Port()), DstPort: layers.TCPPort(to.Port()), Seq: seq, ACK: true, Window: 1000}
	return packet(t, from, ip(from, to, layers.IPProtocolTCP), s, gopacket.Payload(data))
}

// fragments returns a datagram in two packets, the second part first.
func fragments(t *testing.T, from, to netip.AddrPort, data string) [][]byte {
	u := &layers.UDP{SrcPort: layers.UDPPort(from.Port()), DstPort: layers.UDPPort(to.Port())}
	b := gopacket.NewSerializeBuffer()
	if err := gopacket.SerializeLayers(b, gopacket.SerializeOptions{FixLengths: true}, u, gopacket.Payload(data)); err != nil {
		t.Fatal(err)
	}
	whole := b.Bytes()
	part := func(offset, end int, flags layers.IPv4Flag) []byte {
		i := ip(from, to, layers.IPProtocolUDP).(*layers.IPv4)
		i.Id, i.Flags, i.FragOffset = 7, flags, uint16(offset/8)
		return packet(t, from, i, gopacket.Payload(whole[offset:end]))
	}
	const cut = 1024
	return [][]byte{part(cut, len(whole), 0), part(0, cut, layers.IPv4MoreFragments)}
}

// file returns packets, a second apart, as a file of either kind.
func file(t *testing.T, next bool, packets ...[]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	var write func(info gopacket.CaptureInfo, p []byte) error
	if next {
		w, err := pcapgo.NewNgWriter(&b, layers.LinkTypeEthernet)
		if err != nil {
			t.Fatal(err)
		}
		write = func(info gopacket.CaptureInfo, p []byte) error {
			if err := w.WritePacket(info, p); err != nil {
				return err
			}
			return w.Flush()
		}
	} else {
		w := pcapgo.NewWriter(&b)
		if err := w.WriteFileHeader(1<<16, layers.LinkTypeEthernet); err != nil {
			t.Fatal(err)
		}
		write = w.WritePacket
	}
	for i, p := range packets {
		info := gopacket.CaptureInfo{Timestamp: start.Add(time.Duration(i) * time.Second), CaptureLength: len(p), Length: len(p)}
		if err := write(info, p); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

func TestRead(t *testing.T) {
	client6, server6 := netip.MustParseAddrPort("[2001:db8::1]:5000"), netip.MustParseAddrPort("[2001:db8::2]:9990")
	long := strings.Repeat("0123456789", 200)
	at := func(seconds int) time.Time { return start.Add(time.Duration(seconds) * time.Second) }
	for _, tt := range []struct {
		name    string
		packets [][]byte
		want    []Sent
	}{
		{"datagrams", [][]byte{udp(t, client, server, "ask"), udp(t, server, client, "answer"), udp(t, client6, server6, "six")}, []Sent{
			{At: at(0), From: client, To: server, Data: []byte("ask")},
			{At: at(1), From: server, To: client, Data: []byte("answer")},
			{At: at(2), From: client6, To: server6, Data: []byte("six")},
		}},
		{"a datagram in fragments", fragments(t, server, client, long), []Sent{
			{At: at(1), From: server, To: client, Data: []byte(long)},
		}},
		{"connections, one segment late and one twice", [][]byte{
			tcp(t, client, server, 1, "ga"), tcp(t, server, client, 1, "id"), tcp(t, client, server, 5, "addg"),
			tcp(t, client6, server6, 9, "list"),
			tcp(t, client, server, 3, "Id"), tcp(t, client, server, 3, "Id"), tcp(t, server, client, 3, "ok"),
		}, []Sent{
			{At: at(0), From: client, To: server, Stream: true, Data: []byte("gaIdaddg")},
			{At: at(1), From: server, To: client, Stream: true, Data: []byte("idok")},
			{At: at(3), From: client6, To: server6, Stream: true, Data: []byte("list")},
		}},
		{"a segment that was not captured", [][]byte{
			tcp(t, client, server, 1, "one"), tcp(t, client, server, 7, "three"),
		}, []Sent{
			{At: at(0), From: client, To: server, Stream: true, Data: []byte("one"), Lacks: true},
		}},
		{"what is not ours", [][]byte{{1, 2, 3}, packet(t, client, &layers.ARP{Protocol: layers.EthernetTypeIPv4})}, nil},
	} {
		for kind, next := range map[string]bool{"pcap": false, "pcapng": true} {
			t.Run(tt.name+"/"+kind, func(t *testing.T) {
				b := file(t, next, tt.packets...)
				if !Is(b) {
					t.Error("not taken for a capture")
				}
				got, err := Read(b)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(tt.want, got, cmpopts.EquateComparable(netip.AddrPort{})); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		}
	}
}

// What came before the end of a file that breaks off is told, with an error.
func TestReadOfBrokenFiles(t *testing.T) {
	for kind, next := range map[string]bool{"pcap": false, "pcapng": true} {
		b := file(t, next, udp(t, client, server, "ask"), udp(t, server, client, "answer"))
		got, err := Read(b[:len(b)-8])
		if err == nil || len(got) != 1 {
			t.Errorf("%s: got %d, %v", kind, len(got), err)
		}
		if _, err := Read(b[:10]); err == nil {
			t.Errorf("%s: the start of a header is read", kind)
		}
	}
	for _, b := range []string{"", "{}", "\x00\x01\x02\x03"} {
		if Is([]byte(b)) {
			t.Errorf("%q is taken for a capture", b)
		}
	}
}

// FuzzRead has nothing to check but that whatever is in a file is read.
func FuzzRead(f *testing.F) {
	f.Add([]byte("\xd4\xc3\xb2\xa1\x02\x00\x04\x00"))
	f.Add([]byte("\x0a\x0d\x0d\x0a\x1c\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		all, err := Read(b)
		for _, s := range all {
			if !s.From.IsValid() || !s.To.IsValid() {
				t.Errorf("%+v, %v", s, err)
			}
		}
	})
}
