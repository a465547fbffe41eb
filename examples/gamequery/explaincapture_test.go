package main

import (
	"bytes"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"

	"github.com/lobbywire/lobbywire/internal/hexfile"
)

// said is what one side of a captured conversation says: a golden file.
type said struct {
	back bool // by the server
	file string
}

// captureOf returns a file of packets, in which a client talks to a port.
func captureOf(t *testing.T, port uint16, transport layers.IPProtocol, all ...said) []byte {
	t.Helper()
	client, server := netip.MustParseAddrPort("192.0.2.1:5000"), netip.AddrPortFrom(netip.MustParseAddr("192.0.2.2"), port)
	var file bytes.Buffer
	w := pcapgo.NewWriter(&file)
	if err := w.WriteFileHeader(1<<16, layers.LinkTypeRaw); err != nil {
		t.Fatal(err)
	}
	sent := map[bool]uint32{}
	for i, s := range all {
		text, err := os.ReadFile("../../" + s.file)
		if err != nil {
			t.Fatal(err)
		}
		_, data, err := hexfile.Parse(string(text))
		if err != nil {
			t.Fatal(err)
		}
		from, to := client, server
		if s.back {
			from, to = server, client
		}
		var upper gopacket.SerializableLayer = &layers.UDP{
			SrcPort: layers.UDPPort(from.Port()), DstPort: layers.UDPPort(to.Port()),
		}
		if transport == layers.IPProtocolTCP {
			upper = &layers.TCP{
				SrcPort: layers.TCPPort(from.Port()), DstPort: layers.TCPPort(to.Port()), Seq: sent[s.back], ACK: true,
			}
			sent[s.back] += uint32(len(data))
		}
		ip := &layers.IPv4{Version: 4, TTL: 64, Protocol: transport, SrcIP: from.Addr().AsSlice(), DstIP: to.Addr().AsSlice()}
		packet := gopacket.NewSerializeBuffer()
		err = gopacket.SerializeLayers(packet, gopacket.SerializeOptions{FixLengths: true}, ip, upper, gopacket.Payload(data))
		if err != nil {
			t.Fatal(err)
		}
		b := packet.Bytes()
		at := time.Date(2026, 1, 2, 3, 4, 5+i, 0, time.UTC)
		if err := w.WritePacket(gopacket.CaptureInfo{Timestamp: at, CaptureLength: len(b), Length: len(b)}, b); err != nil {
			t.Fatal(err)
		}
	}
	return file.Bytes()
}

func TestExplainCapture(t *testing.T) {
	const (
		anyPort = 30000
		udp     = layers.IPProtocolUDP
		tcp     = layers.IPProtocolTCP
	)
	for _, tt := range []struct {
		name      string
		port      uint16
		transport layers.IPProtocol
		flags     string
		said      []said
		want      string // formats
	}{
		{"sqp", anyPort, udp, "", []said{
			{false, "sqp/testdata/golden/challenge_request.hex"}, {true, "sqp/testdata/golden/challenge_response.hex"},
			{false, "sqp/testdata/golden/query_rules.hex"}, {true, "sqp/testdata/golden/answer_rules.hex"},
			{true, "sqp/testdata/golden/answer_two_packets_1.hex"},
		}, "sqp.Request sqp.ChallengeResponse sqp.Request sqp.QueryResponse sqp.Packet"},
		{"gamespy2 without a challenge", anyPort, udp, "", []said{
			{false, "gamespy2/testdata/golden/query_v2_tables.hex"}, {true, "gamespy2/testdata/golden/v2_tables.hex"},
			{false, "gamespy2/testdata/golden/query_basic.hex"}, {true, "gamespy2/testdata/golden/values_basic.hex"},
		}, "gamespy2.Request gamespy2.Response gamespy2.Request gamespy2.Values"},
		{"gamespy2 in parts", anyPort, udp, "", []said{
			{false, "gamespy2/testdata/golden/query_v3.hex"},
			{true, "gamespy2/testdata/golden/tiny_v3split_p1.hex"}, {true, "gamespy2/testdata/golden/tiny_v3split_p0.hex"},
		}, "gamespy2.Request gamespy2.Response gamespy2.Response"},
		{"gamespy2 with a challenge", anyPort, udp, "", []said{
			{false, "gamespy2/testdata/golden/challenge_request.hex"}, {true, "gamespy2/testdata/golden/challenge_zero.hex"},
			{false, "gamespy2/testdata/golden/query_v3_challenge.hex"}, {true, "gamespy2/testdata/golden/tiny_v3.hex"},
		}, "gamespy2.Request gamespy2.ChallengeResponse gamespy2.Request gamespy2.Response"},
		{"gameagent", anyPort, udp, "", []said{
			{false, "gameagent/testdata/golden/status_request.hex"}, {true, "gameagent/testdata/golden/status_dedicated.hex"},
			{false, "gameagent/testdata/golden/legacy_request_info.hex"}, {true, "gameagent/testdata/golden/legacy_info.hex"},
		}, "gameagent.ToServer gameagent.FromServer gameagent.ToServer gameagent.LegacyInfo"},
		{"a master of gameagent, by its port", 9005, udp, "", []said{
			{false, "gameagent/testdata/golden/join.hex"}, {true, "gameagent/testdata/golden/challenge.hex"},
			{false, "gameagent/testdata/golden/list_request.hex"}, {true, "gameagent/testdata/golden/server_list_two.hex"},
		}, "gameagent.ToMaster gameagent.Challenge gameagent.ToMaster gameagent.ServerList"},
		{"bomberman, two messages each way", anyPort, tcp, "", []said{
			{false, "bomberman/testdata/golden/ms_01_msRegisterGameServer_compact.hex"},
			{false, "bomberman/testdata/golden/ms_06_msQueryGameServers_compact.hex"},
			{true, "bomberman/testdata/golden/ms_07_msRQueryGameServers_compact.hex"},
		}, "bomberman.Stream bomberman.Stream"},
		{"warzone host", anyPort, tcp, "", []said{
			{false, "warzone/testdata/golden/host_session.hex"}, {true, "warzone/testdata/golden/lobby_session.hex"},
		}, "warzone.HostStream warzone.LobbyStream"},
		{"warzone list", anyPort, tcp, "", []said{
			{false, "warzone/testdata/golden/list_request.hex"}, {true, "warzone/testdata/golden/list_continued.hex"},
		}, "warzone.HostStream warzone.ListReply"},
		{"warzone check, by its port", 2100, tcp, "", []said{
			{false, "warzone/testdata/golden/alive_request.hex"}, {true, "warzone/testdata/golden/alive_reply.hex"},
		}, "warzone.AliveRequest warzone.AliveReply"},
		{"wztext", anyPort, tcp, "", []said{
			{false, "warzone/wztext/testdata/golden/opengame_utf8.hex"}, {true, "warzone/wztext/testdata/golden/done.hex"},
		}, "wztext.Stream wztext.Stream"},
		{"wzjson", anyPort, tcp, "", []said{
			{false, "warzone/wzjson/testdata/golden/add.hex"}, {true, "warzone/wzjson/testdata/golden/add_ack.hex"},
		}, "wzjson.Stream wzjson.Stream"},
		{"wzbin is not guessed", anyPort, tcp, "", []said{
			{false, "warzone/wzbin/testdata/golden/list.hex"},
		}, ""},
		{"wzbin, by its name", anyPort, tcp, "-only wzbin", []said{
			{false, "warzone/wzbin/testdata/golden/list.hex"}, {true, "warzone/wzbin/testdata/golden/gamelist.hex"},
		}, "wzbin.Stream wzbin.Stream"},
		{"not what was named", anyPort, udp, "-only gamespy2", []said{
			{false, "sqp/testdata/golden/challenge_request.hex"},
		}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := captureOf(t, tt.port, tt.transport, tt.said...)
			code, stdout, stderr := gamequery(b, append(strings.Fields("explain "+tt.flags), "-")...)
			if code != exitOK {
				t.Errorf("exit code %d: %s", code, stderr)
			}
			var got []string
			for line := range strings.Lines(stdout) {
				if name, ok := strings.CutPrefix(line, "# 03:"); ok {
					got = append(got, strings.TrimSpace(name[strings.LastIndex(name, " ")+1:]))
				}
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("got  %q\nwant %q\n%s", got, tt.want, stdout)
			}
		})
	}
}

func TestExplainWhatIsNoCapture(t *testing.T) {
	whole := captureOf(t, 30000, layers.IPProtocolUDP, said{false, "sqp/testdata/golden/query_info.hex"})
	for _, tt := range []struct {
		name, args string
		stdin      []byte
		code       int
		err        string
	}{
		{"other bytes", "explain -", []byte("\x00\x01"), 2, "is no capture"},
		{"no file", "explain nowhere.pcap", nil, 2, "neither a MESSAGE nor a file"},
		{"unknown protocol", "explain -only quake -", whole, 2, "-only quake: it is gamespy2, sqp"},
		{"broken off", "explain -", whole[:len(whole)-4], 1, "packet 1: "},
		{"a broken packet", "explain -", captureOf(t, 9005, layers.IPProtocolUDP,
			said{false, "gameagent/testdata/golden/heartbeat_no_pair.hex"}), 1, "192.0.2.1:5000 > 192.0.2.2:9005: gameagent: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code, _, stderr := gamequery(tt.stdin, strings.Fields(tt.args)...)
			if code != tt.code || !strings.Contains(stderr, tt.err) {
				t.Errorf("exit code %d, want %d; standard error, which wants %q:\n%s", code, tt.code, tt.err, stderr)
			}
		})
	}
}
