package capture

import (
	"encoding/binary"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/examples/internal/capture/capturetest"
)

func TestIsKnowsCaptures(t *testing.T) {
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
func TestByteOrdersHaveTheSameContent(t *testing.T) {
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

func TestUnitsOfTimeAreRead(t *testing.T) {
	ask := udp(client, server, "ask")
	for _, tt := range []struct {
		unit  byte
		count uint64
		want  time.Time
	}{
		{3, 5001, time.Unix(5, 1e6)},
		{9, 5e9 + 1, time.Unix(5, 1)},
		{12, 5e12 + 999, time.Unix(5, 0)},
		{0x80, 5, time.Unix(5, 0)},
		{0x81, 11, time.Unix(5, 5e8)},
	} {
		check(t, slices.Concat(capturetest.Section(),
			capturetest.Interface(capturetest.LinkRaw, 9, 0, 1, 0, tt.unit, 0, 0, 0),
			capturetest.EnhancedPacket(0, tt.count, len(ask), ask)),
			File{Sent: []Sent{{At: tt.want.UTC(), From: client, To: server, Data: []byte("ask")}}})
	}
}

// Blocks without packets are skipped, and each section has its own interfaces.
func TestSkipsBlocksWithoutPackets(t *testing.T) {
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
	} {
		t.Run(tt.name, func(t *testing.T) {
			check(t, append(capturetest.Section(), slices.Concat(tt.blocks...)...), tt.want)
		})
	}
}

// If a file ends within a packet or becomes invalid, Read returns the content
// before that, with an error.
func TestBrokenFilesKeepTheirStart(t *testing.T) {
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
		{"pcap header", pcap[:10], 0, "the file ends within the header"},
		{"pcap version", append([]byte("\xd4\xc3\xb2\xa1\x02\x00\x03\x00"), make([]byte, 16)...), 0,
			"the header: unknown minor version 3, so that the rest cannot be read"},
		{"another file", []byte(strings.Repeat("{}", 20)), 0, "neither pcap nor pcapng"},
		{"no file", nil, 0, "neither pcap nor pcapng"},
		{"pcap record header", pcap[:len(pcap)-len(ask)-1], 1, "the file ends within packet 2"},
		{"pcap data", pcap[:len(pcap)-1], 1, "the file ends within packet 2"},
		{"no pcap data", pcap[:len(pcap)-len(ask)], 1, "the file ends within packet 2"},
		{"pcap data without end", with(pcap, -len(ask)-8, 0xff, 0xff, 0xff, 0xff), 1,
			"packet 2: capture length exceeds snap length: 4294967295 > 262144, so that the rest cannot be read"},
		{"start of a block", pcapng[:len(pcapng)+packet+11], 1, "the file ends within packet 2"},
		{"block", pcapng[:len(pcapng)-1], 1, "the file ends within packet 2"},
		{"a size that is too small", with(pcapng, packet+4, 8), 1, "the file ends within packet 2"},
		{"a size without end", with(pcapng, packet+4, 0xfc, 0xff, 0xff, 0xff), 1, "the file ends within packet 2"},
		{"byte order", with(capturetest.Section(), -20, 1), 0,
			"the header: wrong byte order value in Section Header, so that the rest cannot be read"},
		{"pcapng version", with(capturetest.Section(), -16, 2), 0,
			"the header: unknown pcapng Version in Section Header, so that the rest cannot be read"},
		{"short section", capturetest.Block(0x0a0d0d0a, 0x4d, 0x3c, 0x2b, 0x1a), 0, "the file ends within the header"},
		{"short interface", append(capturetest.Section(), capturetest.Block(1, 1, 0)...), 0, "the file ends within packet 1"},
		{"no interface", append(capturetest.Section(), capturetest.EnhancedPacket(0, 0, len(ask), ask)...), 0,
			"packet 1: interface id 0 not present in section (have only 0 interfaces), so that the rest cannot be read"},
		{"resolution", append(capturetest.Section(), capturetest.Interface(1, 9, 0, 1, 0, 0xff, 0, 0, 0)...), 0,
			"packet 1: timestamp resolution 2^-127 is too high, so that the rest cannot be read"},
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
		"VLAN tags": append(capturetest.PCAP(capturetest.LinkEthernet, 0),
			capturetest.PCAP(0, 0, capturetest.Ethernet(udp(client, server, ""), make([]uint16, 60000)...))[24:]...),
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
