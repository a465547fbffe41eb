package capture

import (
	"fmt"
	"net/netip"
	"testing"

	"github.com/gopacket/gopacket/layers"

	"github.com/lobbywire/lobbywire/examples/internal/capture/capturetest"
)

// said is a segment from the client, or from the server.
type said struct {
	back bool
	capturetest.Segment
}

func TestSegmentsArePutInOrder(t *testing.T) {
	const SYN, FIN, RST = capturetest.SYN, capturetest.FIN, capturetest.RST
	up := func(seq uint32, flags byte, data string) said {
		return said{false, capturetest.Segment{Seq: seq, Flags: flags, Data: []byte(data)}}
	}
	down := func(seq, ack uint32, flags byte, data string) said {
		return said{true, capturetest.Segment{Seq: seq, Ack: ack, Flags: flags, Data: []byte(data)}}
	}
	sent := func(at_ int, data string, more Sent) Sent {
		more.At, more.From, more.To, more.Stream, more.Data = at(at_), client, server, true, []byte(data)
		more.NoEnd = true
		return more
	}
	ended := func(s Sent) Sent {
		s.NoEnd = false
		return s
	}
	answer := func(at_ int, data string) Sent {
		return Sent{At: at(at_), From: server, To: client, Stream: true, Data: []byte(data), NoEnd: true}
	}
	for _, tt := range []struct {
		name string
		snap int // of the data
		said []said
		want []Sent
	}{
		{
			name: "whole",
			said: []said{up(9, SYN, ""), down(99, 10, SYN, ""), up(10, 0, "list"), down(100, 14, 0, "none"),
				up(14, FIN, ""), down(104, 15, FIN, "")},
			want: []Sent{ended(sent(2, "list", Sent{})), ended(answer(3, "none"))},
		},
		{
			name: "segments late, repeated and in other pieces",
			said: []said{up(9, SYN, ""), up(12, 0, "st"), up(10, 0, "li"), up(10, 0, "list"), up(11, 0, "is"),
				up(14, 0, "!"), up(13, 0, "t!")},
			want: []Sent{sent(1, "list!", Sent{})},
		},
		{
			name: "sequence numbers that wrap",
			said: []said{up(0xfffffffd, SYN, ""), up(0, 0, "st"), up(0xfffffffe, 0, "li"), down(100, 2, 0, "none")},
			want: []Sent{sent(1, "list", Sent{}),
				{At: at(3), From: server, To: client, Stream: true, Data: []byte("none"), NoStart: true, NoEnd: true}},
		},
		{
			name: "data with the SYN",
			said: []said{up(9, SYN, "li"), up(12, 0, "st")},
			want: []Sent{sent(0, "list", Sent{})},
		},
		{
			name: "without the start",
			said: []said{up(12, 0, "st"), up(10, 0, "li")},
			want: []Sent{sent(0, "list", Sent{NoStart: true})},
		},
		{
			name: "the first segment lost",
			said: []said{up(9, SYN, ""), up(12, 0, "st")},
			want: []Sent{sent(1, "", Sent{Missing: 2, Unread: 2})},
		},
		{
			name: "a segment lost between others",
			said: []said{up(9, SYN, ""), up(10, 0, "li"), up(14, 0, "keep"), up(14, 0, "keepa"), up(30, 0, "!")},
			want: []Sent{sent(1, "li", Sent{Missing: 2, Unread: 6})},
		},
		{
			name: "the last segment lost, as its acknowledgment shows",
			said: []said{up(9, SYN, ""), up(10, 0, "li"), down(100, 14, 0, "")},
			want: []Sent{sent(1, "li", Sent{Missing: 2})},
		},
		{
			name: "the last segment lost, as the end shows",
			said: []said{up(9, SYN, ""), up(10, 0, "li"), up(14, FIN, "")},
			want: []Sent{ended(sent(1, "li", Sent{Missing: 2}))},
		},
		{
			name: "only the end lost, as its acknowledgment shows",
			said: []said{up(9, SYN, ""), up(10, 0, "list"), down(100, 15, 0, "")},
			want: []Sent{sent(1, "list", Sent{})},
		},
		{
			name: "the last segment cut", snap: 2,
			said: []said{up(9, SYN, ""), up(10, 0, "li"), up(12, 0, "st!")},
			want: []Sent{sent(1, "list", Sent{Missing: 1})},
		},
		{
			name: "a segment cut, and sent again in pieces", snap: 2,
			said: []said{up(9, SYN, ""), up(10, 0, "list"), up(12, 0, "st"), up(14, 0, "!!!")},
			want: []Sent{sent(1, "list!!", Sent{Missing: 1})},
		},
		{
			name: "a segment cut between others", snap: 2,
			said: []said{up(9, SYN, ""), up(10, 0, "list"), up(14, 0, "!!!")},
			want: []Sent{sent(1, "li", Sent{Missing: 2, Unread: 2})},
		},
		{
			name: "sent again with other bytes",
			said: []said{up(9, SYN, ""), up(10, 0, "list"), up(10, 0, "LIST!")},
			want: []Sent{sent(1, "list!", Sent{Differs: true})},
		},
		{
			name: "probes that the other side lives",
			said: []said{up(9, SYN, ""), up(10, 0, "list"), up(13, 0, ""), up(13, 0, "x"), up(14, 0, "!")},
			want: []Sent{sent(1, "list!", Sent{})},
		},
		{
			name: "a reset with a text, which ends both directions",
			said: []said{up(9, SYN, ""), down(99, 10, SYN, ""), up(10, 0, "list"), down(100, 14, 0, "none"),
				up(14, RST, "no memory")},
			want: []Sent{ended(sent(2, "list", Sent{})), ended(answer(3, "none"))},
		},
		{
			name: "the same ports twice",
			said: []said{
				up(9, SYN, ""), up(10, 0, "one"), up(13, FIN, ""),
				up(500, SYN, ""), up(500, SYN, ""), up(501, 0, "two"), up(504, FIN, ""),
			},
			want: []Sent{ended(sent(1, "one", Sent{})), ended(sent(5, "two", Sent{}))},
		},
		{
			name: "the same ports twice, the first time without the start",
			said: []said{up(10, 0, "one"), up(500, SYN, ""), up(501, 0, "two")},
			want: []Sent{sent(0, "one", Sent{NoStart: true}), sent(2, "two", Sent{})},
		},
		{
			name: "the same ports twice, the second time without the start of the answer",
			said: []said{
				up(9, SYN, ""), down(99, 10, SYN, ""), up(10, 0, "one"), down(100, 13, 0, "first"),
				up(500, SYN, ""), up(501, 0, "two"), down(7000, 504, 0, "second"),
			},
			want: []Sent{
				sent(2, "one", Sent{}), answer(3, "first"), sent(5, "two", Sent{}),
				{At: at(6), From: server, To: client, Stream: true, Data: []byte("second"), NoStart: true, NoEnd: true},
			},
		},
		{
			name: "a SYN that is late",
			said: []said{up(10, 0, "one"), up(9, SYN, "")},
			want: []Sent{sent(0, "one", Sent{})},
		},
		{
			name: "bytes from before the start",
			said: []said{up(9, SYN, ""), up(10, 0, "one"), up(3, 0, "xxxxxxx"), up(3, 0, "xxxxxxxone!")},
			want: []Sent{sent(1, "one!", Sent{})},
		},
		{
			name: "no data",
			said: []said{up(9, SYN, ""), down(99, 10, SYN, ""), up(10, FIN, "")},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var packets [][]byte
			for _, s := range tt.said {
				from, to := client, server
				if s.back {
					from, to = server, client
				}
				packets = append(packets, capturetest.TCP(from, to, s.Segment))
			}
			snap := 0
			if tt.snap > 0 {
				snap = 40 + tt.snap
			}
			check(t, capturetest.PCAP(capturetest.LinkRaw, snap, packets...), File{Sent: tt.want})
		})
	}
}

// Fragments of a segment are joined; if some are missing, the start remains.
func TestFragmentsOfASegmentAreJoined(t *testing.T) {
	segment := capturetest.TCP(client, server, capturetest.Segment{Seq: 10, Data: []byte("0123456789abcdef")})[20:]
	first := capturetest.IPv4(client.Addr(), server.Addr(), 6, 7, 0x2000, segment[:24])
	second := capturetest.IPv4(client.Addr(), server.Addr(), 6, 7, 3, segment[24:])
	check(t, capturetest.PCAP(capturetest.LinkRaw, 0, first, second), File{Sent: []Sent{
		{At: at(1), From: client, To: server, Stream: true, Data: []byte("0123456789abcdef"), NoStart: true, NoEnd: true},
	}})
	check(t, capturetest.PCAP(capturetest.LinkRaw, 0, first), File{Sent: []Sent{
		{At: at(0), From: client, To: server, Stream: true, Data: []byte("0123"), NoStart: true, NoEnd: true},
	}})
}

// Add returns a stream up to now, and forgets long streams and old connections.
func TestAddReturnsTheStreamSoFar(t *testing.T) {
	var s Stack
	add := func(seg capturetest.Segment) string {
		packet := capturetest.TCP(client, server, seg)
		sent := s.Add(frameOf(layers.LinkTypeRaw, packet))
		if len(sent) == 0 {
			return "-"
		}
		return fmt.Sprintf("%s %v", sent[0].Data, sent[0].NoEnd)
	}
	for i, want := range []struct {
		seg  capturetest.Segment
		want string
	}{
		{capturetest.Segment{Seq: 9, Flags: capturetest.SYN}, "-"},
		{capturetest.Segment{Seq: 10, Data: []byte("li")}, "li true"},
		{capturetest.Segment{Seq: 13, Data: []byte("t")}, "li true"},
		{capturetest.Segment{Seq: 12, Data: []byte("s")}, "list true"},
		{capturetest.Segment{Seq: 14, Flags: capturetest.FIN}, "list false"},
		{capturetest.Segment{Seq: 14, Data: []byte("!")}, "-"},
	} {
		if got := add(want.seg); got != want.want {
			t.Errorf("segment %d: got %q, want %q", i, got, want.want)
		}
	}
	long := make([]byte, 60000)
	for i := range maxFollowed/len(long) + 3 {
		add(capturetest.Segment{Seq: 1e6 + uint32(i*len(long)), Data: long,
			Flags: map[bool]byte{true: capturetest.SYN}[i == 0]})
	}
	if got := add(capturetest.Segment{Seq: 1e6 + 1, Data: []byte("x")}); got != "-" || s.connections.size != 0 {
		t.Errorf("a long stream is still followed: %.20q, %d bytes are kept", got, s.connections.size)
	}
	for i := range 2 * maxSides {
		from := netip.AddrPortFrom(client.Addr(), uint16(i))
		if i >= maxSides {
			from = netip.AddrPortFrom(server.Addr(), uint16(i))
		}
		s.Add(frameOf(layers.LinkTypeRaw, capturetest.TCP(from, server, capturetest.Segment{Seq: 1, Data: long[:2000]})))
		if len(s.connections.all) > maxSides || s.connections.size > maxKept || len(s.sent) > 0 {
			t.Fatalf("%d connections with %d bytes are kept", len(s.connections.all), s.connections.size)
		}
	}
}
