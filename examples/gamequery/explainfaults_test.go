package main

import (
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/capture/capturetest"
	"github.com/lobbywire/lobbywire/examples/internal/traffictest"
)

// manyPorts returns datagrams to the first ports of a host.
func manyPorts(n int) (packets [][]byte) {
	for port := range n {
		packets = append(packets, capturetest.UDP(traffictest.Player,
			netip.AddrPortFrom(traffictest.Host.Addr(), uint16(port+1)), []byte("hi")))
	}
	return packets
}

// The explanation of a capture claims no more than the capture shows.
func TestExplainClaimsNoMoreThanTheCapture(t *testing.T) {
	const udpHeader = 20 + 8 // of a raw packet
	query := traffictest.Golden(t, "sqp/testdata/golden/query_info.hex")
	answer := traffictest.Golden(t, "sqp/testdata/golden/answer_info.hex")
	for _, tt := range []struct {
		name    string
		snap    int
		packets [][]byte
		want    []string // lines of the output, in this order
		not     []string // texts that the output must not contain
	}{
		{
			name: "an answer cut by the snap length", snap: udpHeader + 20,
			packets: [][]byte{
				capturetest.UDP(traffictest.Player, traffictest.Host, query),
				capturetest.UDP(traffictest.Host, traffictest.Player, answer),
			},
			want: []string{
				"# 03:04:05.000000 192.0.2.1:5000 > 192.0.2.2:30000, sqp.Request",
				"# 03:04:06.000000 192.0.2.2:30000 > 192.0.2.1:5000, sqp.QueryResponse",
				"# cut: the capture has 20 of 102 bytes",
				"01                                              # 0+1 type = 1",
			},
		},
		{
			name: "IPv6 fragments",
			packets: append([][]byte{capturetest.UDP(traffictest.Player6, traffictest.Host6, query)},
				capturetest.Fragments(traffictest.Host6, traffictest.Player6, 7, answer,
					capturetest.Fragment{16, 0}, capturetest.Fragment{0, 16})...),
			want: []string{"# 03:04:07.000000 [2001:db8::2]:30000 > [2001:db8::1]:5000, sqp.QueryResponse"},
		},
		{
			name:    "an IPv6 fragment alone",
			packets: capturetest.Fragments(traffictest.Host6, traffictest.Player6, 7, answer, capturetest.Fragment{16, 0}),
			want:    []string{"# 1 packet: fragment of an incomplete IPv6 datagram"},
		},
		{
			name:    "text proposal on the port of Warzone",
			packets: traffictest.Exchange(traffictest.Player, traffictest.Lobby, "LIST\t*\n", "COUNT\t0\n"),
			want:    []string{"# 03:04:07.000000 192.0.2.1:5000 > 192.0.2.2:9990, wztext.Stream"},
			not:     []string{"warzone."},
		},
		{
			name:    "text proposal on a port of its own",
			packets: traffictest.Exchange(traffictest.Player, traffictest.Host, "LIST\n", "COUNT\t0\n"),
			want:    []string{"# 03:04:07.000000 192.0.2.1:5000 > 192.0.2.2:30000, wztext.Stream"},
			not:     []string{"warzone."},
		},
		{
			name:    "text proposal, a request that Warzone reads too",
			packets: traffictest.Exchange(traffictest.Player, traffictest.Lobby, "LIST\n", ""),
			want: []string{
				"# 03:04:07.000000 192.0.2.1:5000 > 192.0.2.2:9990, wztext.Stream",
				"# may also be warzone: all of the conversation fits that too",
			},
		},
		{
			name:    "Warzone on a port of its own",
			packets: traffictest.Exchange(traffictest.Player, traffictest.Host, "list\x00", "\x00\x00\x00\x00"),
			want: []string{
				"# 03:04:07.000000 192.0.2.1:5000 > 192.0.2.2:30000, warzone.HostStream",
				"# 03:04:08.000000 192.0.2.2:30000 > 192.0.2.1:5000, warzone.ListReply",
			},
			not: []string{"wztext", "# may also"},
		},
		{
			name: "a list of Warzone that does not end",
			packets: traffictest.Exchange(traffictest.Player, traffictest.Lobby, "list\x00",
				"\x00\x00\x00\x02\x00\x00\x03\x2eGame"),
			want: []string{
				"# 03:04:08.000000 192.0.2.2:9990 > 192.0.2.1:5000, warzone.ListReply",
				"# cut: the capture ends within a message",
				"# explained 2 (cut 1, broken 0), not explained 0",
			},
		},
		{
			name: "a list of Warzone that the lobby ends early",
			packets: append(traffictest.Exchange(traffictest.Player, traffictest.Lobby, "list\x00",
				"\x00\x00\x00\x02\x00\x00\x03\x2eGame"),
				capturetest.TCP(traffictest.Lobby, traffictest.Player, capturetest.Segment{Seq: 62, Flags: capturetest.FIN})),
			want: []string{"# explained 2 (cut 0, broken 1), not explained 0"},
			not:  []string{"# cut:"},
		},
		{
			name: "JSON proposal on the port of Warzone",
			packets: traffictest.Exchange(traffictest.Player, traffictest.Lobby,
				`{"lobbyquery":{"version":1,"query":{"command":"heartbeat","id":"a"}}}`+"\n", ""),
			want: []string{"# 03:04:07.000000 192.0.2.1:5000 > 192.0.2.2:9990, wzjson.Stream"},
			not:  []string{"# may also"},
		},
		{
			name: "binary proposal, from both directions",
			packets: traffictest.Exchange(traffictest.Player, traffictest.Lobby,
				string(traffictest.Golden(t, "warzone/wzproposal/testdata/golden/binary_list.hex")),
				string(traffictest.Golden(t, "warzone/wzproposal/testdata/golden/binary_gamelist.hex"))),
			want: []string{
				"# 03:04:07.000000 192.0.2.1:5000 > 192.0.2.2:9990, wzbinary.Stream",
				"# 03:04:08.000000 192.0.2.2:9990 > 192.0.2.1:5000, wzbinary.Stream",
			},
			not: []string{"# may also"},
		},
		{
			name: "a stream with a gap, and without its start",
			packets: [][]byte{
				capturetest.TCP(traffictest.Player, traffictest.Host,
					capturetest.Segment{Seq: 100, Data: []byte("STARTGAME\t2100\nCLOSE")}),
				capturetest.TCP(traffictest.Player, traffictest.Host, capturetest.Segment{Seq: 124, Data: []byte("AME\t2100\n")}),
			},
			want: []string{
				"# 03:04:05.000000 192.0.2.1:5000 > 192.0.2.2:30000, wztext.Stream",
				"# cut: the capture lacks the start of the connection",
				"# cut: the capture lacks 4 bytes after the first 20; the next 9 are not explained",
				"# explained 1 (cut 1, broken 0), not explained 0",
			},
		},
		{
			name: "bytes that were sent twice, and differ",
			packets: append(traffictest.Exchange(traffictest.Player, traffictest.Host, "STARTGAME\t2100\n", ""),
				capturetest.TCP(traffictest.Player, traffictest.Host,
					capturetest.Segment{Seq: 100, Data: []byte("STARTGAME\t2101\n")})),
			want: []string{"# retransmitted with other bytes; the first ones are shown"},
		},
		{
			name: "another protocol on the port of a client",
			packets: traffictest.Exchange(netip.AddrPortFrom(traffictest.Player.Addr(), 51963),
				netip.AddrPortFrom(traffictest.Host.Addr(), 443),
				"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03", "\x16\x03\x03\x00\x7a\x02"),
			want: []string{
				"# explained 0 (cut 0, broken 0), not explained 2",
				"# 1 stream: 192.0.2.1:51963 > 192.0.2.2:443, unknown protocol, starts with 16 03 01 02 00 01 00 01",
			},
		},
		{
			name: "the game's own packets on the port of queries",
			packets: [][]byte{
				capturetest.UDP(traffictest.Player, traffictest.Host, []byte("\xff\xffmove")),
				capturetest.UDP(traffictest.Player, traffictest.Host, query),
				capturetest.UDP(traffictest.Player, traffictest.Host, []byte("\xff\xffmove")),
				capturetest.UDP(traffictest.Host, traffictest.Player, nil),
				capturetest.UDP(traffictest.Host, traffictest.Player, answer),
			},
			want: []string{
				"# 03:04:06.000000 192.0.2.1:5000 > 192.0.2.2:30000, sqp.Request",
				"# 03:04:09.000000 192.0.2.2:30000 > 192.0.2.1:5000, sqp.QueryResponse",
				"# explained 2 (cut 0, broken 0), not explained 3",
				"# 2 datagrams: 192.0.2.1:5000 > 192.0.2.2:30000, not sqp, starts with ff ff 6d 6f 76 65",
				"# 1 datagram: 192.0.2.2:30000 > 192.0.2.1:5000, empty",
			},
		},
		{
			name: "answers to a broadcast",
			packets: [][]byte{
				capturetest.UDP(traffictest.Player, netip.MustParseAddrPort("192.0.2.255:30000"), query),
				capturetest.UDP(traffictest.Host, traffictest.Player, answer),
				capturetest.UDP(netip.MustParseAddrPort("192.0.2.3:30000"), traffictest.Player, answer),
			},
			want: []string{
				"# 03:04:06.000000 192.0.2.2:30000 > 192.0.2.1:5000, sqp.QueryResponse",
				"# 03:04:07.000000 192.0.2.3:30000 > 192.0.2.1:5000, sqp.QueryResponse",
				"# explained 3 (cut 0, broken 0), not explained 0",
			},
		},
		{
			name:    "an answer without a request",
			packets: [][]byte{capturetest.UDP(traffictest.Host, traffictest.Player, answer)},
			want:    []string{"# 03:04:05.000000 192.0.2.2:30000 > 192.0.2.1:5000, sqp.Packet"},
		},
		{
			name: "an answer whose request is missing",
			packets: [][]byte{
				capturetest.UDP(traffictest.Player, traffictest.Host, make([]byte, 5)),
				capturetest.UDP(traffictest.Host, traffictest.Player, answer),
			},
			want: []string{"# 03:04:06.000000 192.0.2.2:30000 > 192.0.2.1:5000, sqp.Packet"},
		},
		{
			name: "no byte of a datagram", snap: udpHeader,
			packets: [][]byte{
				capturetest.UDP(traffictest.Player, traffictest.Host, query),
				capturetest.UDP(traffictest.Player, traffictest.Host, query),
			},
			want: []string{"# 2 datagrams: 192.0.2.1:5000 > 192.0.2.2:30000, no data captured"},
		},
		{
			name: "a legacy list of GameAgent, from both directions",
			packets: traffictest.Exchange(traffictest.Player, traffictest.Host,
				string(traffictest.Golden(t, "gameagent/gamespy1/testdata/golden/list_request.hex")),
				string(traffictest.Golden(t, "gameagent/gamespy1/testdata/golden/greeting.hex"))+
					string(traffictest.Golden(t, "gameagent/gamespy1/testdata/golden/server_list.hex"))),
			want: []string{
				"# 03:04:07.000000 192.0.2.1:5000 > 192.0.2.2:30000, gamespy1.ListRequest",
				"# 03:04:08.000000 192.0.2.2:30000 > 192.0.2.1:5000, gamespy1.MasterStream",
				"# gamespy1.Greeting, 21 bytes from 0",
				"# gamespy1.ServerList, 19 bytes from 21",
				"# explained 2 (cut 0, broken 0), not explained 0",
			},
		},
		{
			name: "a legacy list of GameAgent after a greeting with an end mark",
			packets: traffictest.Exchange(traffictest.Player, netip.AddrPortFrom(traffictest.Host.Addr(), 28900),
				string(traffictest.Golden(t, "gameagent/gamespy1/testdata/golden/list_request_333networks.hex")),
				string(traffictest.Golden(t, "gameagent/gamespy1/testdata/golden/greeting_final.hex"))+
					string(traffictest.Golden(t, "gameagent/gamespy1/testdata/golden/server_list.hex"))),
			want: []string{
				"# gamespy1.Greeting, 28 bytes from 0",
				"# gamespy1.ServerList, 19 bytes from 28",
				"# explained 2 (cut 0, broken 0), not explained 0",
			},
		},
		{
			name: "a legacy list of GameAgent as text, as long as a compact one",
			packets: traffictest.Exchange(traffictest.Player, netip.AddrPortFrom(traffictest.Host.Addr(), 28900),
				string(traffictest.Golden(t, "gameagent/gamespy1/testdata/golden/list_request.hex")),
				string(traffictest.Golden(t, "gameagent/gamespy1/testdata/golden/greeting.hex"))+
					`\ip\192.0.2.1:7778\ip\192.0.2.2:7778\final\`),
			want: []string{
				"# gamespy1.Greeting, 21 bytes from 0",
				"# gamespy1.AddressList, 43 bytes from 21",
				"# explained 2 (cut 0, broken 0), not explained 0",
			},
		},
		{
			name: "an empty legacy list of GameAgent",
			packets: traffictest.Exchange(traffictest.Player, netip.AddrPortFrom(traffictest.Host.Addr(), 28900),
				string(traffictest.Golden(t, "gameagent/gamespy1/testdata/golden/list_request.hex")),
				string(traffictest.Golden(t, "gameagent/gamespy1/testdata/golden/greeting.hex"))+`\final\`),
			want: []string{
				"# gamespy1.Greeting, 21 bytes from 0",
				"# gamespy1.ServerList, 7 bytes from 21",
				"# explained 2 (cut 0, broken 0), not explained 0",
			},
		},
		{
			name: "a legacy list of GameAgent that the capture ends early",
			packets: traffictest.Exchange(traffictest.Player, netip.AddrPortFrom(traffictest.Host.Addr(), 28900),
				string(traffictest.Golden(t, "gameagent/gamespy1/testdata/golden/list_request.hex")),
				string(traffictest.Golden(t, "gameagent/gamespy1/testdata/golden/greeting.hex"))+"\x0a\x00\x00\x01\x64\x01"),
			want: []string{
				"# 03:04:08.000000 192.0.2.2:28900 > 192.0.2.1:5000, gamespy1.MasterStream",
				"# cut: the capture ends within a message",
				"# gamespy1.Greeting, 21 bytes from 0",
				"# explained 2 (cut 1, broken 0), not explained 0",
			},
		},
		{
			name: "messages of unknown types",
			packets: append(traffictest.Exchange(traffictest.Player, traffictest.Host,
				"STARTGAME\t2100\nPAUSE\nRESUME\nCLOSEGAME\t2100\n", "DONE\n"),
				capturetest.UDP(traffictest.Player, netip.AddrPortFrom(traffictest.Host.Addr(), 9005),
					traffictest.Golden(t, "gameagent/testdata/golden/join.hex")),
				capturetest.UDP(traffictest.Player, netip.AddrPortFrom(traffictest.Host.Addr(), 9005), []byte("zzz"))),
			want: []string{
				"# wztext.Unknown, 6 bytes from 15",
				"# explained 4 (cut 0, broken 0), not explained 0",
				"# 1 message: gameagent.Unknown",
				"# 2 messages: wztext.Unknown",
			},
		},
		{
			name:    "a request of an unknown type among others",
			packets: traffictest.Exchange(traffictest.Player, traffictest.Host, "gaId\x00keep\x00what\x00", "\x00\x00\x00\x07"),
			want: []string{
				"# 03:04:07.000000 192.0.2.1:5000 > 192.0.2.2:30000, warzone.HostStream",
				"# warzone.Unknown, 4 bytes from 10",
				"# 1 message: warzone.Unknown",
			},
		},
		{
			name: "a command of another protocol that Warzone reads too",
			packets: traffictest.Exchange(traffictest.Player, traffictest.Host, "LIST\r\nGROUP misc.test\r\n",
				"200 news server\r\n215 list\r\n"),
			want: []string{
				"# explained 0 (cut 0, broken 0), not explained 2",
				"# 1 stream: 192.0.2.1:5000 > 192.0.2.2:30000, unknown protocol, starts with 4c 49 53 54 0d 0a 47 52",
			},
		},
		{
			name: "a broken answer",
			packets: [][]byte{
				capturetest.UDP(traffictest.Player, traffictest.Host, query),
				capturetest.UDP(traffictest.Host, traffictest.Player,
					append([]byte("\x01aaaa\x00\x01\x00\x00\x00\x05"), "\x00\x00\x00\x00"...)),
			},
			want: []string{
				"# 03:04:06.000000 192.0.2.2:30000 > 192.0.2.1:5000, sqp.QueryResponse",
				"# explained 2 (cut 0, broken 1), not explained 0",
			},
		},
		{
			name: "two requests before their answers",
			packets: traffictest.Packets(t, traffictest.Host.Port(), false,
				traffictest.Request("gamespy2/testdata/golden/query_basic.hex"),
				traffictest.Request("gamespy2/testdata/golden/query_v2_tables.hex"),
				traffictest.Answer("gamespy2/testdata/golden/values_basic.hex"),
				traffictest.Answer("gamespy2/testdata/golden/v2_tables.hex")),
			want: []string{
				"# 03:04:07.000000 192.0.2.2:30000 > 192.0.2.1:5000, gamespy2.Values",
				`48 61 72 62 6f 75 72 00                         # 5+8 values[0].value = "Harbour"`,
				"# 03:04:08.000000 192.0.2.2:30000 > 192.0.2.1:5000, gamespy2.Response",
			},
		},
		{
			name:    "more than can be named",
			packets: manyPorts(22),
			want: []string{
				"# explained 0 (cut 0, broken 0), not explained 22",
				"# 1 datagram: 192.0.2.1:5000 > 192.0.2.2:1, unknown protocol, starts with 68 69",
				"# 1 datagram: 192.0.2.1:5000 > 192.0.2.2:20, unknown protocol, starts with 68 69",
				"# and 2 more such lines",
			},
			not: []string{":21,"},
		},
		{
			name: "an unknown message",
			packets: [][]byte{
				capturetest.UDP(traffictest.Player, traffictest.Host, []byte("hello")),
				capturetest.IPv4(traffictest.Player.Addr(), traffictest.Host.Addr(), 1, 0, 0, make([]byte, 8)),
			},
			want: []string{
				"# explained 0 (cut 0, broken 0), not explained 1",
				"# 1 datagram: 192.0.2.1:5000 > 192.0.2.2:30000, unknown protocol, starts with 68 65 6c 6c 6f",
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
