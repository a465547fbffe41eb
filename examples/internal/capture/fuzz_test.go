package capture

import (
	"bytes"
	"slices"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/capture/capturetest"
)

// FuzzRead checks that for any file, each packet is accounted for and no data
// is longer than the file.
func FuzzRead(f *testing.F) {
	ask, list := udp(client, server, "ask"), capturetest.TCP(client, server,
		capturetest.Segment{Seq: 9, Flags: capturetest.SYN, Data: []byte("list")})
	v4, v6 := bothVersions(7, "0123456789abcdefghijklmnopqrstuvwxyz", fragmentAt{0, 16}, fragmentAt{32, 0},
		fragmentAt{16, 32})
	packets := slices.Concat([][]byte{ask, list}, v4, v6)
	f.Add(capturetest.PCAP(capturetest.LinkRaw, 0, packets...))
	f.Add(capturetest.PCAP(capturetest.LinkRaw, 45, packets...))
	f.Add(capturetest.PCAP(9, 0, append([]byte{0xff, 3, 0, 0x21}, ask...)))
	f.Add(capturetest.PCAPNG(capturetest.LinkRaw, 0, packets...))
	f.Add(capturetest.PCAPNG(capturetest.LinkEthernet, 0, capturetest.Ethernet(ask, 1, 2), capturetest.Ethernet(list)))
	f.Add(append(capturetest.Section(), capturetest.Block(3, ask...)...))
	f.Fuzz(func(t *testing.T, b []byte) {
		file, err := Read(b)
		left := 0
		for _, l := range file.Left {
			if l.Packets <= 0 || l.What == "" {
				t.Errorf("%d packets are left as %q", l.Packets, l.What)
			}
			left += l.Packets
		}
		if left > file.Packets {
			t.Errorf("of %d packets %d are left", file.Packets, left)
		}
		data := 0
		for _, s := range file.Sent {
			if !s.From.IsValid() || !s.To.IsValid() || s.Missing < 0 || s.Unread < 0 || s.Unread > len(b) ||
				s.Unread > 0 && s.Missing == 0 {
				t.Errorf("%+v, %v", s, err)
			}
			data += len(s.Data)
			checkParts(t, b, s)
		}
		if data > len(b) {
			t.Errorf("%d bytes are sent in a file of %d", data, len(b))
		}
	})
}

// checkParts fails t unless the parts of s are its data, without gaps, in the frames of a file.
func checkParts(t *testing.T, file []byte, s Sent) {
	t.Helper()
	at := 0
	for _, p := range s.Parts {
		if p.Start != at || p.End <= p.Start && len(s.Data) > 0 || p.End > len(s.Data) {
			t.Fatalf("parts %v of %d bytes", s.Parts, len(s.Data))
		}
		at = p.End
		in := framesOf(t, file)[p.Frame-1].Data[p.Offset:]
		if n := p.End - p.Start; n > len(in) || !bytes.Equal(in[:n], s.Data[p.Start:p.End]) {
			t.Fatalf("part %v of %+v", p, s)
		}
	}
	if at != len(s.Data) {
		t.Fatalf("parts %v of %d bytes", s.Parts, len(s.Data))
	}
}

// framesOf returns the frames of a file.
func framesOf(t *testing.T, file []byte) (all []Frame) {
	t.Helper()
	r, err := NewReader(bytes.NewReader(file))
	for err == nil {
		var f Frame
		f, err = r.Next()
		all = append(all, f)
	}
	return all
}

// pieces converts pairs of bytes to starts and lengths of pieces of a text.
func pieces(ops []byte, unit int, size int) (all [][2]int) {
	for ; len(ops) >= 2 && len(all) < 64; ops = ops[2:] {
		start := int(ops[0]) % ((size + unit - 1) / unit) * unit
		all = append(all, [2]int{start, min(start+(int(ops[1]%16)+1)*unit, size)})
	}
	return all
}

// reached returns the end of the first run of pieces from 0.
func reached(all [][2]int) (end int) {
	for grown := true; grown; {
		grown = false
		for _, p := range all {
			if p[0] <= end && p[1] > end {
				end, grown = p[1], true
			}
		}
	}
	return end
}

const text = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-----" // 67 bytes

// FuzzStream checks that all of a stream is read up to the first missing byte, whatever
// the pieces, their order and their captured lengths.
func FuzzStream(f *testing.F) {
	f.Add(uint32(0xfffffff0), uint8(0), []byte("\x00\x0f\x10\x0f\x20\x0f\x30\x0f\x40\x0f"))
	f.Add(uint32(7), uint8(3), []byte("\x10\x0f\x00\x0f\x05\x07\x20\x02\x00\x00"))
	f.Fuzz(func(t *testing.T, first uint32, snap uint8, ops []byte) {
		packets := [][]byte{capturetest.TCP(client, server,
			capturetest.Segment{Seq: first - 1, Flags: capturetest.SYN})}
		kept := int(snap) // of the data
		if kept == 0 {
			kept = len(text)
		}
		all := pieces(ops, 1, len(text))
		highest := 0
		var captured [][2]int
		for _, p := range all {
			packets = append(packets,
				capturetest.TCP(client, server,
					capturetest.Segment{Seq: first + uint32(p[0]), Data: []byte(text[p[0]:p[1]])}))
			highest = max(highest, p[1])
			captured = append(captured, [2]int{p[0], min(p[1], p[0]+kept)})
		}
		written := capturetest.PCAP(capturetest.LinkRaw, 40+kept, packets...)
		file, err := Read(written)
		if err != nil || len(file.Left) > 0 || len(file.Sent) != min(len(all), 1) {
			t.Fatalf("%+v, %v", file, err)
		}
		if len(all) == 0 {
			return
		}
		s, want := file.Sent[0], reached(captured)
		checkParts(t, written, s)
		if string(s.Data) != text[:want] || s.NoStart || s.Differs || (s.Missing > 0) != (highest > want) {
			t.Errorf("got %+v, want %d bytes of %d", s, want, highest)
		}
	})
}

// FuzzDatagram checks that all of a datagram is read up to the first missing byte,
// whatever the fragments and their order, and that all fragments are accounted for.
func FuzzDatagram(f *testing.F) {
	f.Add(true, []byte("\x00\x01\x02\x01\x04\x0f"))
	f.Add(false, []byte("\x04\x0f\x02\x01\x00\x01\x00\x01"))
	f.Add(true, []byte("\x04\x0f\x02\x02\x00\x01"))
	f.Fuzz(func(t *testing.T, six bool, ops []byte) {
		const size = 8 + len(text) // with the header
		all := pieces(ops, 8, size)
		from, to := client, server
		if six {
			from, to = client6, server6
		}
		parts := make([]fragmentAt, len(all))
		for i, p := range all {
			parts[i] = p
			if p[1] == size {
				parts[i][1] = 0
			}
			if p[0] == 0 && p[1] == size {
				return // not in fragments
			}
		}
		written := capturetest.PCAP(capturetest.LinkRaw, 0, capturetest.Fragments(from, to, 7, []byte(text), parts...)...)
		file, err := Read(written)
		if err != nil {
			t.Fatal(err)
		}
		left := 0
		for _, l := range file.Left {
			left += l.Packets
		}
		used := 0
		for _, s := range file.Sent {
			if !bytes.HasPrefix([]byte(text), s.Data) || len(s.Data)+s.Missing != len(text) {
				t.Errorf("got %+v", s)
			}
			checkParts(t, written, s)
			used++
		}
		if left+used > len(all) || left == 0 && used == 0 && len(all) > 0 {
			t.Errorf("of %d fragments %d are left, for %d datagrams", len(all), left, used)
		}
		disjoint := slices.SortedFunc(slices.Values(all), func(a, b [2]int) int { return a[0] - b[0] })
		for i := range disjoint[:max(len(disjoint)-1, 0)] {
			if disjoint[i][1] > disjoint[i+1][0] {
				return // overlapping, unless it is repeated
			}
		}
		if reached(all) == size && (left > 0 || used != 1 || file.Sent[0].Missing > 0) {
			t.Errorf("a complete datagram gives %+v", file)
		}
	})
}
