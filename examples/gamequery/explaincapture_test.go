package main

import (
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/capture/capturetest"
	"github.com/lobbywire/lobbywire/examples/internal/traffictest"
)

// captureOf returns a file of these packets.
func captureOf(t *testing.T, port uint16, stream bool, all ...traffictest.Message) []byte {
	return capturetest.PCAP(capturetest.LinkRaw, 0, traffictest.Packets(t, port, stream, all...)...)
}

func TestExplainNamesMessagesOfACapture(t *testing.T) {
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
		said   []traffictest.Message
		want   string // formats
	}{
		{"sqp", anyPort, udp, "", []traffictest.Message{
			traffictest.Request("sqp/testdata/golden/challenge_request.hex"),
			traffictest.Answer("sqp/testdata/golden/challenge_response.hex"),
			traffictest.Request("sqp/testdata/golden/query_rules.hex"),
			traffictest.Answer("sqp/testdata/golden/answer_rules.hex"),
			traffictest.Answer("sqp/testdata/golden/answer_two_packets_1.hex"),
		}, "sqp.Request sqp.ChallengeResponse sqp.Request sqp.QueryResponse sqp.Packet"},
		{"gamespy2 without a challenge", anyPort, udp, "", []traffictest.Message{
			traffictest.Request("gamespy2/testdata/golden/query_v2_tables.hex"),
			traffictest.Answer("gamespy2/testdata/golden/v2_tables.hex"),
			traffictest.Request("gamespy2/testdata/golden/query_basic.hex"),
			traffictest.Answer("gamespy2/testdata/golden/values_basic.hex"),
		}, "gamespy2.Request gamespy2.Response gamespy2.Request gamespy2.Values"},
		{"gamespy2 in parts", anyPort, udp, "", []traffictest.Message{
			traffictest.Request("gamespy2/testdata/golden/query_v3.hex"),
			traffictest.Answer("gamespy2/testdata/golden/tiny_v3split_p1.hex"),
			traffictest.Answer("gamespy2/testdata/golden/tiny_v3split_p0.hex"),
		}, "gamespy2.Request gamespy2.Response gamespy2.Response"},
		{"gamespy2 with a challenge", anyPort, udp, "", []traffictest.Message{
			traffictest.Request("gamespy2/testdata/golden/challenge_request.hex"),
			traffictest.Answer("gamespy2/testdata/golden/challenge_zero.hex"),
			traffictest.Request("gamespy2/testdata/golden/query_v3_challenge.hex"),
			traffictest.Answer("gamespy2/testdata/golden/tiny_v3.hex"),
		}, "gamespy2.Request gamespy2.ChallengeResponse gamespy2.Request gamespy2.Response"},
		{"qr2", anyPort, udp, "", []traffictest.Message{
			traffictest.Request("gamespy2/qr2/testdata/golden/heartbeat_first.hex"),
			traffictest.Answer("gamespy2/qr2/testdata/golden/challenge.hex"),
			traffictest.Request("gamespy2/qr2/testdata/golden/challenge_answer.hex"),
			traffictest.Answer("gamespy2/qr2/testdata/golden/registered.hex"),
			traffictest.Request("gamespy2/qr2/testdata/golden/keepalive.hex"),
			traffictest.Answer("gamespy2/qr2/testdata/golden/keepalive_answer.hex"),
		}, "qr2.ToMaster qr2.ToServer qr2.ToMaster qr2.ToServer qr2.ToMaster qr2.ToServer"},
		{"gamespy2 of Minecraft", anyPort, udp, "", []traffictest.Message{
			traffictest.Request("gamespy2/testdata/golden/minecraft_basic_request.hex"),
			traffictest.Answer("gamespy2/testdata/golden/minecraft_basic_stat.hex"),
			traffictest.Request("gamespy2/testdata/golden/minecraft_full_request.hex"),
			traffictest.Answer("gamespy2/testdata/golden/minecraft_full_stat.hex"),
		}, "gamespy2.StatRequest gamespy2.BasicStat gamespy2.StatRequest gamespy2.Response"},
		{"gameagent", anyPort, udp, "", []traffictest.Message{
			traffictest.Request("gameagent/testdata/golden/status_request.hex"),
			traffictest.Answer("gameagent/testdata/golden/status_dedicated.hex"),
			traffictest.Request("gameagent/gamespy1/testdata/golden/request_info.hex"),
			traffictest.Answer("gameagent/gamespy1/testdata/golden/info.hex"),
		}, "gameagent.ToServer gameagent.FromServer gamespy1.ToServer gamespy1.Status"},
		{"a master of gameagent, by its port", 9005, udp, "", []traffictest.Message{
			traffictest.Request("gameagent/testdata/golden/join.hex"),
			traffictest.Answer("gameagent/testdata/golden/challenge.hex"),
			traffictest.Request("gameagent/testdata/golden/list_request.hex"),
			traffictest.Answer("gameagent/testdata/golden/server_list_two.hex"),
		}, "gameagent.ToMaster gameagent.Challenge gameagent.ToMaster gameagent.ServerList"},
		{"bomberman, two messages each way", anyPort, tcp, "", []traffictest.Message{
			traffictest.Request("bomberman/testdata/golden/ms_01_msRegisterGameServer_compact.hex"),
			traffictest.Request("bomberman/testdata/golden/ms_06_msQueryGameServers_compact.hex"),
			traffictest.Answer("bomberman/testdata/golden/ms_07_msRQueryGameServers_compact.hex"),
		}, "bomberman.Stream bomberman.Stream"},
		{"warzone host", anyPort, tcp, "", []traffictest.Message{
			traffictest.Request("warzone/testdata/golden/host_session.hex"),
			traffictest.Answer("warzone/testdata/golden/lobby_session.hex"),
		}, "warzone.HostStream warzone.LobbyStream"},
		{"warzone list", anyPort, tcp, "", []traffictest.Message{
			traffictest.Request("warzone/testdata/golden/list_request.hex"),
			traffictest.Answer("warzone/testdata/golden/list_continued.hex"),
		}, "warzone.HostStream warzone.ListReply"},
		{"warzone check, by its port", 2100, tcp, "", []traffictest.Message{
			traffictest.Request("warzone/testdata/golden/alive_request.hex"),
			traffictest.Answer("warzone/testdata/golden/alive_reply.hex"),
		}, "warzone.AliveRequest warzone.AliveReply"},
		{"wztext", anyPort, tcp, "", []traffictest.Message{
			traffictest.Request("warzone/wzproposal/testdata/golden/text_opengame_utf8.hex"),
			traffictest.Answer("warzone/wzproposal/testdata/golden/text_done.hex"),
		}, "wztext.Stream wztext.Stream"},
		{"wzjson", anyPort, tcp, "", []traffictest.Message{
			traffictest.Request("warzone/wzjson/testdata/golden/add.hex"),
			traffictest.Answer("warzone/wzjson/testdata/golden/add_ack.hex"),
		}, "wzjson.Stream wzjson.Stream"},
		{"a list of sb2, of the sample game", 28910, tcp, "", []traffictest.Message{
			traffictest.Request("gamespy2/sb2/testdata/golden/list_request.hex"),
			traffictest.Answer("gamespy2/sb2/testdata/golden/answer.hex"),
		}, "sb2.ClientStream sb2.MasterStream"},
		{"a list of sb2 with a filter, by what both sides say", anyPort, tcp, "-secret gmtest=HA6zkS", []traffictest.Message{
			traffictest.Request("gamespy2/sb2/testdata/golden/list_request_filter.hex"),
			traffictest.Answer("gamespy2/sb2/testdata/golden/answer_filter.hex"),
		}, "sb2.ClientStream sb2.MasterStream"},
		{"a legacy master of gameagent", 27900, udp, "-only gameagent", []traffictest.Message{
			traffictest.Request("gameagent/gamespy1/testdata/golden/heartbeat.hex"),
			traffictest.Answer("gameagent/gamespy1/testdata/golden/secure.hex"),
			traffictest.Request("gameagent/gamespy1/testdata/golden/validation.hex"),
			traffictest.Answer("gameagent/gamespy1/testdata/golden/request_final.hex"),
			traffictest.Request("gameagent/gamespy1/testdata/golden/status.hex"),
		}, "gamespy1.ToMaster gamespy1.Secure gamespy1.ToMaster gamespy1.Request gamespy1.Status"},
		{"wzbinary is not guessed", anyPort, tcp, "", []traffictest.Message{
			traffictest.Request("warzone/wzproposal/testdata/golden/binary_list.hex"),
		}, ""},
		{"wzbinary, by its name", anyPort, tcp, "-only wzbinary", []traffictest.Message{
			traffictest.Request("warzone/wzproposal/testdata/golden/binary_list.hex"),
			traffictest.Answer("warzone/wzproposal/testdata/golden/binary_gamelist.hex"),
		}, "wzbinary.Stream wzbinary.Stream"},
		{"not what was named", anyPort, udp, "-only gamespy2", []traffictest.Message{
			traffictest.Request("sqp/testdata/golden/challenge_request.hex"),
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

func TestExplainRefusesOtherFiles(t *testing.T) {
	whole := captureOf(t, 30000, false, traffictest.Request("sqp/testdata/golden/query_info.hex"))
	for _, tt := range []struct {
		name, args string
		stdin      []byte
		code       int
		err        string
	}{
		{"other bytes", "explain -", []byte("\x00\x01"), 2, "is not a capture"},
		{"no file", "explain nowhere.pcap", nil, 2, "neither a MESSAGE nor a file"},
		{"unknown protocol", "explain -only quake -", whole, 2, "-only quake: it is gamespy2, qr2, sqp"},
		{"broken off", "explain -", whole[:len(whole)-4], 1, "the file ends within packet 1"},
		{"a broken packet", "explain -", captureOf(t, 9005, false,
			traffictest.Request("gameagent/testdata/golden/heartbeat_no_pair.hex")), 1,
			"192.0.2.1:5000 > 192.0.2.2:9005: gameagent: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code, _, stderr := gamequery(tt.stdin, strings.Fields(tt.args)...)
			if code != tt.code || !strings.Contains(stderr, tt.err) {
				t.Errorf("exit code %d, want %d; want standard error with %q, got:\n%s", code, tt.code, tt.err, stderr)
			}
		})
	}
}
