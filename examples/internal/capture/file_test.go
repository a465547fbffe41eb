package capture

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/examples/internal/capture/capturetest"
)

func TestIs(t *testing.T) {
	for _, b := range []string{"", "{}", "\x00\x01\x02\x03", "\x1f\x8b\x08\x00", "\xa1\xb2\xc3"} {
		if Is([]byte(b)) {
			t.Errorf("%q is taken for a capture", b)
		}
	}
	for _, b := range []string{"\xd4\xc3\xb2\xa1", "\xa1\xb2\xc3\xd4", "\x4d\x3c\xb2\xa1", "\xa1\xb2\x3c\x4d",
		"\x0a\x0d\x0d\x0a"} {
		if !Is([]byte(b)) {
			t.Errorf("%q is not taken for a capture", b)
		}
	}
}

// Files in both byte orders and with both units of time have the same content.
func TestForms(t *testing.T) {
	ask := udp(client, server, "ask")
	want := File{Sent: []Sent{{At: capturetest.Start.Add(7 * time.Microsecond), From: client, To: server,
		Data: []byte("ask")}}}
	sec := uint32(capturetest.Start.Unix())
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		for magic, part := range map[uint32]uint32{0xa1b2c3d4: 7, 0xa1b23c4d: 7000} {
			b := order.AppendUint32(nil, magic)
			b = order.AppendUint16(order.AppendUint16(b, 2), 4)
			for _, v := range []uint32{0, 0, 100, capturetest.LinkRaw, sec, part, uint32(len(ask)), uint32(len(ask))} {
				b = order.AppendUint32(b, v)
			}
			check(t, append(b, ask...), want)
		}
	}
	count := uint64(capturetest.Start.UnixMicro()) + 7
	for _, options := range [][]byte{
		nil,
		{9, 0, 1, 0, 6, 0, 0, 0},
		// behind the end of options
		{2, 0, 3, 0, 'l', 'o', '0', 0, 9, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0, 0, 9, 0, 1, 0, 3, 0, 0, 0},
		{14, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0},
	} {
		check(t, slices.Concat(capturetest.Section(), capturetest.Interface(capturetest.LinkRaw, options...),
			capturetest.EnhancedPacket(0, count, len(ask), ask)), want)
	}
}

func TestUnitsOfTime(t *testing.T) {
	for _, tt := range []struct {
		unit  byte
		count uint64
		want  time.Time
	}{
		{0, 5, time.Unix(5, 0)},
		{3, 5001, time.Unix(5, 1e6)},
		{9, 5e9 + 1, time.Unix(5, 1)},
		{12, 5e12 + 999, time.Unix(5, 0)},
		{19, 18e18, time.Unix(1, 8e8)},
		{0x80, 5, time.Unix(5, 0)},
		{0x81, 11, time.Unix(5, 5e8)},
		{0xbf, 1<<63 + 1<<62, time.Unix(1, 5e8)},
	} {
		unit, ok := unitOf(tt.unit)
		if got := (face{unit: unit}).time(tt.count); !ok || !got.Equal(tt.want) {
			t.Errorf("%#x: got %v, %v, want %v", tt.unit, got, ok, tt.want)
		}
	}
	for _, unit := range []byte{20, 0x7f, 0xc0, 0xff} {
		if _, ok := unitOf(unit); ok {
			t.Errorf("%#x is a unit", unit)
		}
	}
}

// Blocks without packets are skipped, and each section has its own interfaces.
func TestBlocks(t *testing.T) {
	ask := udp(client, server, "ask")
	count := uint64(capturetest.Start.UnixMicro())
	nanoseconds := []byte{9, 0, 1, 0, 9, 0, 0, 0}
	simple := append([]byte{byte(len(ask)), 0, 0, 0}, ask...)
	obsolete := append([]byte{1, 0, 0xff, 0xff}, capturetest.EnhancedPacket(0, count, len(ask), ask)[12:]...)
	obsolete = obsolete[:len(obsolete)-4]
	noSnap := capturetest.Interface(capturetest.LinkRaw)
	shortSnap := slices.Clone(noSnap)
	shortSnap[12] = 30
	sent := func(at time.Time) Sent { return Sent{At: at, From: client, To: server, Data: []byte("ask")} }
	for _, tt := range []struct {
		name   string
		blocks [][]byte
		want   File
	}{
		{
			"statistics, names, secrets, custom blocks and unknown ones",
			[][]byte{noSnap, capturetest.Block(5, make([]byte, 12)...), capturetest.Block(4, 0, 0, 0, 0),
				capturetest.Block(10, make([]byte, 8)...),
				capturetest.Block(0xbad, 1, 2, 3, 4), capturetest.Block(0x77777777),
				capturetest.EnhancedPacket(0, count, len(ask), ask)},
			File{Sent: []Sent{sent(at(0))}},
		},
		{
			"an obsolete packet, and two interfaces",
			[][]byte{capturetest.Interface(capturetest.LinkEthernet), noSnap, capturetest.Block(2, obsolete...)},
			File{Sent: []Sent{sent(at(0))}},
		},
		{
			"two sections",
			[][]byte{noSnap, capturetest.EnhancedPacket(0, count, len(ask), ask), capturetest.Section(),
				capturetest.Interface(capturetest.LinkRaw, nanoseconds...),
				capturetest.EnhancedPacket(0, 1000*(count+1e6), len(ask), ask)},
			File{Sent: []Sent{sent(at(0)), sent(at(1))}},
		},
		{
			"packets without a time keep their place",
			[][]byte{noSnap, capturetest.EnhancedPacket(0, count+1e6, len(ask), ask), capturetest.Block(3, simple...),
				capturetest.EnhancedPacket(0, count, len(ask), ask)},
			File{Sent: []Sent{sent(at(0)), sent(at(1)), sent(time.Time{})}},
		},
		{
			"a packet without a time, cut",
			[][]byte{shortSnap, capturetest.Block(3, simple[:4+30]...)},
			File{Sent: []Sent{{From: client, To: server, Data: []byte("as"), Missing: 1}}},
		},
		{
			"broken packets",
			[][]byte{
				capturetest.Block(3, simple...), noSnap, capturetest.Block(6),
				capturetest.Block(2, make([]byte, 16)...), capturetest.Block(3),
				capturetest.EnhancedPacket(1, count, len(ask), ask),
				capturetest.EnhancedPacket(0xffffffff, count, len(ask), ask),
				// of an interface without end
				capturetest.Block(6, bytes.Repeat([]byte{0xff}, 24)...),
				// data without end
				capturetest.Block(6, append(make([]byte, 12), bytes.Repeat([]byte{0xff}, 12)...)...),
				capturetest.EnhancedPacket(0, count, len(ask), ask),
			},
			File{Sent: []Sent{sent(at(0))}, Left: []Left{{"broken pcapng block", 8}}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			check(t, append(capturetest.Section(), slices.Concat(tt.blocks...)...), tt.want)
		})
	}
}

// If a file ends within a packet or becomes invalid, Read returns the content
// before that, with an error.
func TestBrokenFiles(t *testing.T) {
	ask := udp(client, server, "ask")
	pcap := capturetest.PCAP(capturetest.LinkRaw, 0, ask, ask)
	pcapng := capturetest.PCAPNG(capturetest.LinkRaw, 0, ask, ask)
	with := func(b []byte, at int, value ...byte) []byte {
		b = slices.Clone(b)
		copy(b[len(b)+at:], value)
		return b
	}
	packet := -len(capturetest.EnhancedPacket(0, 0, len(ask), ask)) // from the end
	for _, tt := range []struct {
		name string
		file []byte
		sent int
		err  string
	}{
		{"pcap header", pcap[:10], 0, "pcap header: unexpected EOF"},
		{"pcap version", append([]byte("\xd4\xc3\xb2\xa1\x02\x00\x03\x00"), make([]byte, 16)...), 0, "pcap version 2.3 is not supported, only 2.4"},
		{"another file", []byte(strings.Repeat("{}", 20)), 0, "neither pcap nor pcapng"},
		{"pcap record header", pcap[:len(pcap)-len(ask)-1], 1, "packet 2: header at byte 71: unexpected EOF"},
		{"pcap data", pcap[:len(pcap)-1], 1, "packet 2: data at byte 87 has 31 bytes, the file 30 more: unexpected EOF"},
		{
			"pcap data without end", with(pcap, -len(ask)-8, 0xff, 0xff, 0xff, 0xff), 1,
			"packet 2: data at byte 87 has 4294967295 bytes, the file 31 more: unexpected EOF",
		},
		{"start of a block", pcapng[:len(pcapng)+packet+11], 1, "packet 2: block at byte 112: unexpected EOF"},
		{"block", pcapng[:len(pcapng)-1], 1, "packet 2: block at byte 112: it has 64 bytes, the file 63 more: unexpected EOF"},
		{"a size that is odd", with(pcapng, packet+4, 63), 1, "packet 2: block at byte 112: size 63 is not possible"},
		{"a size that is too small", with(pcapng, packet+4, 8), 1, "packet 2: block at byte 112: size 8 is not possible"},
		{"a size without end", with(pcapng, packet+4, 0xfc, 0xff, 0xff, 0xff), 1, "packet 2: block at byte 112: it has 4294967292 bytes, the file 64 more: unexpected EOF"},
		{"two sizes", with(pcapng, -4, 60), 1, "packet 2: block at byte 112: its two sizes differ"},
		{"byte order", with(capturetest.Section(), -20, 1), 0, "packet 1: block at byte 0: unknown byte order"},
		{"pcapng version", with(capturetest.Section(), -16, 2), 0, "packet 1: block at byte 0: pcapng version 2 is not supported, only 1"},
		{"short section", capturetest.Block(0x0a0d0d0a, 0x4d, 0x3c, 0x2b, 0x1a), 0, "packet 1: block at byte 0: unexpected EOF"},
		{"short interface", append(capturetest.Section(), capturetest.Block(1, 1, 0)...), 0, "packet 1: block at byte 28: unexpected EOF"},
		{
			"option without end", append(capturetest.Section(), capturetest.Interface(1, 2, 0, 9, 0, 1, 2, 3, 4)...), 0,
			"packet 1: block at byte 28: option 2: unexpected EOF",
		},
		{
			"resolution", append(capturetest.Section(), capturetest.Interface(1, 9, 0, 1, 0, 0xff, 0, 0, 0)...), 0,
			"packet 1: block at byte 28: resolution 0xff of times is not supported",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, err := Read(tt.file)
			if err == nil || err.Error() != tt.err || len(f.Sent) != tt.sent {
				t.Errorf("%d sent, error %v, want %d, %s", len(f.Sent), err, tt.sent, tt.err)
			}
		})
	}
}

// Allocated memory is bounded by the size of the file.
func TestMemoryIsBounded(t *testing.T) {
	const size = 1 << 20
	fill := func(build func(i int) []byte) []byte {
		packets := [][]byte{build(0)}
		for n := len(packets[0]); n < size; n += len(packets[len(packets)-1]) + 16 {
			packets = append(packets, build(len(packets)))
		}
		return capturetest.PCAP(capturetest.LinkRaw, 0, packets...)
	}
	for name, file := range map[string][]byte{
		"datagrams": fill(func(i int) []byte { return udp(client, server, "") }),
		"fragments": fill(func(i int) []byte {
			return capturetest.Fragments(client6, server6, uint32(i), nil, fragmentAt{0, 8})[0][:48]
		}),
		"fragments of one datagram": fill(func(i int) []byte {
			return capturetest.Fragments(client6, server6, 0, make([]byte, 1<<15),
				fragmentAt{i * 16 % (1 << 15), i*16%(1<<15) + 8})[0]
		}),
		"connections": fill(func(i int) []byte {
			return capturetest.TCP(client, server,
				capturetest.Segment{Seq: uint32(i) * 1e6, Flags: capturetest.SYN, Data: []byte("x")})
		}),
		"segments far apart": fill(func(i int) []byte {
			return capturetest.TCP(client, server, capturetest.Segment{Seq: uint32(i) * 0x7fffffff, Data: []byte("x")})
		}),
		"segments over each other": fill(func(i int) []byte {
			return capturetest.TCP(client, server, capturetest.Segment{Seq: uint32(i % 7), Data: make([]byte, 60000)})
		}),
		"VLAN tags": append(capturetest.PCAP(capturetest.LinkEthernet, 0), capturetest.PCAP(0, 0, capturetest.Ethernet(udp(client, server, ""), make([]uint16, size/4)...))[24:]...),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		f, err := Read(file)
		runtime.ReadMemStats(&after)
		total := after.TotalAlloc - before.TotalAlloc
		t.Logf("%s: %d packets, %d bytes of file, %d allocated, %v", name, f.Packets, len(file), total,
			time.Since(start))
		if err != nil || total > 32*uint64(len(file)) {
			t.Errorf("%s: %d bytes are allocated for %d, %v", name, total, len(file), err)
		}
	}
}
