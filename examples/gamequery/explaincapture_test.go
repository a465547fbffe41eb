package main

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/capture/capturetest"
)

// said is a message of a captured conversation, from a golden file.
type said struct {
	back bool // sent by the server
	file string
}

// packetsOf returns the packets of a conversation between a client and a port.
func packetsOf(t *testing.T, port uint16, stream bool, all ...said) (packets [][]byte) {
	t.Helper()
	server := netip.AddrPortFrom(host.Addr(), port)
	sent := map[bool]uint32{}
	for _, s := range all {
		data := goldenBytes(t, s.file)
		from, to := player, server
		if s.back {
			from, to = server, player
		}
		if !stream {
			packets = append(packets, capturetest.UDP(from, to, data))
			continue
		}
		if sent[s.back] == 0 {
			packets = append(packets, capturetest.TCP(from, to, capturetest.Segment{Flags: capturetest.SYN}))
			sent[s.back] = 1
		}
		packets = append(packets, capturetest.TCP(from, to, capturetest.Segment{Seq: sent[s.back], Data: data}))
		sent[s.back] += uint32(len(data))
	}
	return packets
}

// captureOf returns a file of these packets.
func captureOf(t *testing.T, port uint16, stream bool, all ...said) []byte {
	return capturetest.PCAP(capturetest.LinkRaw, 0, packetsOf(t, port, stream, all...)...)
}

func TestExplainCapture(t *testing.T) {
	const (
		anyPort = 30000
		udp     = false
		tcp     = true
	)
	for _, tt := range []struct {
		name   string
		port   uint16
		stream bool
		flags  string
		said   []said
		want   string // formats
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
		{"qr2", anyPort, udp, "", []said{
			{false, "gamespy2/qr2/testdata/golden/heartbeat_first.hex"}, {true, "gamespy2/qr2/testdata/golden/challenge.hex"},
			{false, "gamespy2/qr2/testdata/golden/challenge_answer.hex"}, {true, "gamespy2/qr2/testdata/golden/registered.hex"},
			{false, "gamespy2/qr2/testdata/golden/keepalive.hex"}, {true, "gamespy2/qr2/testdata/golden/keepalive_answer.hex"},
		}, "qr2.ToMaster qr2.ToServer qr2.ToMaster qr2.ToServer qr2.ToMaster qr2.ToServer"},
		{"gamespy2 of Minecraft", anyPort, udp, "", []said{
			{false, "gamespy2/testdata/golden/minecraft_basic_request.hex"}, {true, "gamespy2/testdata/golden/minecraft_basic_stat.hex"},
			{false, "gamespy2/testdata/golden/minecraft_full_request.hex"}, {true, "gamespy2/testdata/golden/minecraft_full_stat.hex"},
		}, "gamespy2.StatRequest gamespy2.BasicStat gamespy2.StatRequest gamespy2.Response"},
		{"gameagent", anyPort, udp, "", []said{
			{false, "gameagent/testdata/golden/status_request.hex"}, {true, "gameagent/testdata/golden/status_dedicated.hex"},
			{false, "gameagent/testdata/golden/legacy_request_info.hex"}, {true, "gameagent/testdata/golden/legacy_info.hex"},
		}, "gameagent.ToServer gameagent.FromServer gameagent.ToServer gameagent.LegacyStatus"},
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
			{false, "warzone/wzproposal/testdata/golden/text_opengame_utf8.hex"}, {true, "warzone/wzproposal/testdata/golden/text_done.hex"},
		}, "wztext.Stream wztext.Stream"},
		{"wzjson", anyPort, tcp, "", []said{
			{false, "warzone/wzjson/testdata/golden/add.hex"}, {true, "warzone/wzjson/testdata/golden/add_ack.hex"},
		}, "wzjson.Stream wzjson.Stream"},
		{"a list of sb2, of the sample game", 28910, tcp, "", []said{
			{false, "gamespy2/sb2/testdata/golden/list_request.hex"}, {true, "gamespy2/sb2/testdata/golden/answer.hex"},
		}, "sb2.ClientStream sb2.MasterStream"},
		{"a list of sb2 with a filter, by what both sides say", anyPort, tcp, "-secret gmtest=HA6zkS", []said{
			{false, "gamespy2/sb2/testdata/golden/list_request_filter.hex"}, {true, "gamespy2/sb2/testdata/golden/answer_filter.hex"},
		}, "sb2.ClientStream sb2.MasterStream"},
		{"a legacy master of gameagent", 27900, udp, "-only gameagent", []said{
			{false, "gameagent/testdata/golden/legacy_heartbeat.hex"}, {true, "gameagent/testdata/golden/legacy_secure.hex"},
			{false, "gameagent/testdata/golden/legacy_validation.hex"}, {true, "gameagent/testdata/golden/legacy_request_final.hex"},
			{false, "gameagent/testdata/golden/legacy_status.hex"},
		}, "gameagent.ToMaster gameagent.LegacySecure gameagent.ToMaster gameagent.LegacyRequest gameagent.LegacyStatus"},
		{"wzbin is not guessed", anyPort, tcp, "", []said{
			{false, "warzone/wzproposal/testdata/golden/binary_list.hex"},
		}, ""},
		{"wzbin, by its name", anyPort, tcp, "-only wzbin", []said{
			{false, "warzone/wzproposal/testdata/golden/binary_list.hex"}, {true, "warzone/wzproposal/testdata/golden/binary_gamelist.hex"},
		}, "wzbin.Stream wzbin.Stream"},
		{"not what was named", anyPort, udp, "-only gamespy2", []said{
			{false, "sqp/testdata/golden/challenge_request.hex"},
		}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := captureOf(t, tt.port, tt.stream, tt.said...)
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

func TestExplainOtherFiles(t *testing.T) {
	whole := captureOf(t, 30000, false, said{false, "sqp/testdata/golden/query_info.hex"})
	for _, tt := range []struct {
		name, args string
		stdin      []byte
		code       int
		err        string
	}{
		{"other bytes", "explain -", []byte("\x00\x01"), 2, "is not a capture"},
		{"no file", "explain nowhere.pcap", nil, 2, "neither a MESSAGE nor a file"},
		{"unknown protocol", "explain -only quake -", whole, 2, "-only quake: it is gamespy2, qr2, sqp"},
		{"broken off", "explain -", whole[:len(whole)-4], 1, "packet 1: "},
		{"a broken packet", "explain -", captureOf(t, 9005, false,
			said{false, "gameagent/testdata/golden/heartbeat_no_pair.hex"}), 1, "192.0.2.1:5000 > 192.0.2.2:9005: gameagent: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code, _, stderr := gamequery(tt.stdin, strings.Fields(tt.args)...)
			if code != tt.code || !strings.Contains(stderr, tt.err) {
				t.Errorf("exit code %d, want %d; want standard error with %q, got:\n%s", code, tt.code, tt.err, stderr)
			}
		})
	}
}
