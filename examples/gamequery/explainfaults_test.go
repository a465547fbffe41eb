package main

import (
	"net/netip"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/capture/capturetest"
	"github.com/lobbywire/lobbywire/internal/hexfile"
)

var (
	player  = netip.MustParseAddrPort("192.0.2.1:5000")
	host    = netip.MustParseAddrPort("192.0.2.2:30000")
	lobby   = netip.MustParseAddrPort("192.0.2.2:9990")
	player6 = netip.MustParseAddrPort("[2001:db8::1]:5000")
	host6   = netip.MustParseAddrPort("[2001:db8::2]:30000")
)

// goldenBytes returns the bytes of a golden file.
func goldenBytes(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile("../../" + name)
	if err != nil {
		t.Fatal(err)
	}
	_, b, err := hexfile.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// exchange returns the packets of a connection: what the client says, and the
// answer.
func exchange(client, server netip.AddrPort, request, answer string) [][]byte {
	return [][]byte{
		capturetest.TCP(client, server, capturetest.Segment{Seq: 99, Flags: capturetest.SYN}),
		capturetest.TCP(server, client, capturetest.Segment{Seq: 49, Ack: 100, Flags: capturetest.SYN}),
		capturetest.TCP(client, server, capturetest.Segment{Seq: 100, Ack: 50, Data: []byte(request)}),
		capturetest.TCP(server, client, capturetest.Segment{Seq: 50, Ack: 100 + uint32(len(request)), Data: []byte(answer)}),
	}
}

// Nothing in a capture is shown as more than it is.
func TestExplainFaultyCaptures(t *testing.T) {
	const udpHeader = 20 + 8 // of a raw packet
	query := goldenBytes(t, "sqp/testdata/golden/query_info.hex")
	answer := goldenBytes(t, "sqp/testdata/golden/answer_info.hex")
	for _, tt := range []struct {
		name    string
		snap    int
		packets [][]byte
		want    []string // lines of the output, in this order
		not     []string // are nowhere in it
	}{
		{
			name: "an answer cut by the snap length", snap: udpHeader + 20,
			packets: [][]byte{capturetest.UDP(player, host, query), capturetest.UDP(host, player, answer)},
			want: []string{
				"# 03:04:05.000000 192.0.2.1:5000 > 192.0.2.2:30000, sqp.Request",
				"# 03:04:06.000000 192.0.2.2:30000 > 192.0.2.1:5000, sqp.QueryResponse",
				"# cut: the capture has 20 of 102 bytes",
			},
		},
		{
			name: "IPv6 fragments",
			packets: append([][]byte{capturetest.UDP(player6, host6, query)}, capturetest.Fragments(host6, player6, 7, answer,
				capturetest.Fragment{16, 0}, capturetest.Fragment{0, 16})...),
			want: []string{"# 03:04:07.000000 [2001:db8::2]:30000 > [2001:db8::1]:5000, sqp.QueryResponse"},
		},
		{
			name:    "an IPv6 fragment alone",
			packets: capturetest.Fragments(host6, player6, 7, answer, capturetest.Fragment{16, 0}),
			want:    []string{"# 1 packet: fragment of an incomplete IPv6 datagram"},
		},
		{
			name:    "text proposal on the port of Warzone",
			packets: exchange(player, lobby, "LIST\t*\n", "COUNT\t0\n"),
			want:    []string{"# 03:04:07.000000 192.0.2.1:5000 > 192.0.2.2:9990, wztext.Stream"},
			not:     []string{"warzone."},
		},
		{
			name:    "text proposal on a port of its own",
			packets: exchange(player, host, "LIST\n", "COUNT\t0\n"),
			want:    []string{"# 03:04:07.000000 192.0.2.1:5000 > 192.0.2.2:30000, wztext.Stream"},
			not:     []string{"warzone."},
		},
		{
			name:    "what is not understood",
			packets: [][]byte{capturetest.UDP(player, host, []byte("hello")), capturetest.IPv4(player.Addr(), host.Addr(), 1, 0, 0, make([]byte, 8))},
			want: []string{
				"# 1 datagram: 192.0.2.1:5000 > 192.0.2.2:30000, of no known protocol",
				"# 1 packet: ICMP",
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, stdout, stderr := gamequery(capturetest.PCAP(capturetest.LinkRaw, tt.snap, tt.packets...), "explain", "-")
			lines := strings.Split(stdout, "\n")
			for _, want := range tt.want {
				i := slices.Index(lines, want)
				if i < 0 {
					t.Fatalf("want the line %q in\n%s\n%s", want, stdout, stderr)
				}
				lines = lines[i+1:]
			}
			for _, not := range tt.not {
				if strings.Contains(stdout, not) {
					t.Errorf("%q is in\n%s", not, stdout)
				}
			}
		})
	}
}
