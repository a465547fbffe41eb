package main

import (
	"fmt"
	"net"
	"net/netip"
	"strings"
	"testing"
)

const gameagentGolden = "../../gameagent/testdata/golden/"

// The packets of a players answer are decoded in any order, and encoding restores them.
func TestGameAgentJoinsSplitPlayers(t *testing.T) {
	first, last := gameagentGolden+"players_split_first.hex", gameagentGolden+"players_split_last.hex"
	code, text, stderr := gamequery(nil, "decode", "gameagent.Players", last, first)
	if code != exitOK || strings.Count(text, `"name"`) != 16 {
		t.Fatalf("exit code %d, %s%s", code, stderr, text)
	}
	code, whole, stderr := gamequery([]byte(text), "encode", "gameagent.Players")
	if want := string(goldenFile(t, first).data) + string(goldenFile(t, last).data); code != exitOK || whole != want {
		t.Errorf("encode exits with %d, %s, and gives\n%q, want\n%q", code, stderr, whole, want)
	}

	code, _, stderr = gamequery(nil, "decode", "gameagent.Players", last, last)
	if code != exitFailed || !strings.HasSuffix(stderr, "packets missing, counted from 0: [0]\n") {
		t.Errorf("exit code %d, standard error %q", code, stderr)
	}
	code, explained, stderr := gamequery(nil, "explain", "gameagent.Players", last, first)
	if code != exitOK || !strings.HasPrefix(explained, "# "+last+"\n") {
		t.Errorf("explain exits with %d, %s", code, stderr)
	}
}

func TestGameAgentSplitsLongLists(t *testing.T) {
	var servers []string
	for i := range 400 {
		servers = append(servers, fmt.Sprintf(`"10.0.0.%d:%d"`, i%100, 25600+i))
	}
	text := `{"servers":[` + strings.Join(servers, ",") + `]}`
	code, _, stderr := gamequery([]byte(text), "encode", "gameagent.ServerList")
	if code != exitFailed || stderr != "gamequery: gameagent: servers: limit exceeded: 400, at most 170\n" {
		t.Errorf("one packet: exit code %d, %s", code, stderr)
	}
	code, packets, stderr := gamequery([]byte(text), "encode", "-packets", "gameagent.ServerList")
	if code != exitOK || strings.Count(packets, "\n") != 3 {
		t.Errorf("exit code %d, %s; %d packets, want 3", code, stderr, strings.Count(packets, "\n"))
	}
	code, joined, stderr := gamequery(nil, "decode", "gameagent.ServerList",
		gameagentGolden+"server_list_one.hex", gameagentGolden+"server_list_two.hex")
	if code != exitOK || strings.Count(joined, ":") < 3 {
		t.Errorf("joined: exit code %d, %s%s", code, stderr, joined)
	}
}

// The JSON of a choice names the message, and encode uses that name.
func TestJSONOfAChoiceNamesTheMessage(t *testing.T) {
	for _, file := range []string{"join", "heartbeat_right", "unknown"} {
		path := gameagentGolden + file + ".hex"
		g := goldenFile(t, path)
		code, text, stderr := gamequery(nil, "decode", "gameagent.ToMaster", path)
		if want := "{\n  \"message\": \"" + g.name() + `"`; code != exitOK || !strings.HasPrefix(text, want) {
			t.Errorf("%s: exit code %d, %s%s", file, code, stderr, text)
		}
		code, encoded, stderr := gamequery([]byte(text), "encode", "gameagent.ToMaster")
		if code != exitOK || encoded != string(g.data) {
			t.Errorf("%s: encode exits with %d, %s, and gives %q", file, code, stderr, encoded)
		}
	}
}

// answerWith runs a server that answers everything with one datagram, and returns its
// address.
func answerWith(t *testing.T, datagram []byte) netip.AddrPort {
	t.Helper()
	return answerBy(t, func() []byte { return datagram })
}

// answerBy is answerWith for a datagram that is not known yet.
func answerBy(t *testing.T, datagram func() []byte) netip.AddrPort {
	t.Helper()
	pc, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		b := make([]byte, 64)
		for {
			_, from, err := pc.ReadFromUDPAddrPort(b)
			if err != nil {
				return
			}
			_, _ = pc.WriteToUDPAddrPort(datagram(), from)
		}
	}()
	t.Cleanup(func() {
		pc.Close()
		<-done
	})
	return pc.LocalAddr().(*net.UDPAddr).AddrPort()
}

// Values that a legacy server has not sent are unknown in each form of output. The game
// port is known if the game has a usual distance between its ports.
func TestUnsentLegacyValuesAreUnknown(t *testing.T) {
	for _, tt := range []struct {
		golden, game string
		port         int // from the query port to the game port, if that is known from nothing else
		has, hasNot  string
		json         string
	}{
		{"ping_blank", "gamespy1", 0, "152", "password", `"roster":[{"name":"Bob","score":1,"ping":152}]`},
		{"password_true", "gamespy1", 0, "password", "friendly", `"players":0,"max":8,"password":true`},
		{"teams", "gamespy1", 0, "allied", "password", `"teams":[{"name":"axis"},{"name":"allied"}]`},
		{"netpanzer", "netpanzer", 0, "Player511", "friendly", `"kills":0,"deaths":0`},
		{"mohaa", "mohaa", -97, "Bob", "password", `"players":2,"max":24`},
		{"unreal", "gamespy1", 0, "-", "friendly fire", `{"name":"Bob","score":-1,"team":"255"`},
		{"odd", "gamespy1", 0, "packets", "password", `"lacks":"packets"`},
		{"bf1942", "gamespy1", 0, "axis", "Cid", `"team":"allied","kills":13,"deaths":8`},
	} {
		t.Run(tt.golden, func(t *testing.T) {
			at := answerWith(t, goldenFile(t, "../../gameagent/gamespy1/testdata/golden/status_"+tt.golden+".hex").data)
			code, text, stderr := gamequery(nil, "query", tt.game, at.String())
			if code != exitOK || !strings.Contains(text, tt.has) || strings.Contains(text, tt.hasNot) {
				t.Errorf("exit code %d, %s%s", code, stderr, text)
			}
			_, text, _ = gamequery(nil, "query", "-json", tt.game, at.String())
			if !strings.Contains(text, tt.json) {
				t.Errorf("JSON lacks %s:\n%s", tt.json, text)
			}
			address := fmt.Sprintf(`"address":"127.0.0.1:%d"`, int(at.Port())+tt.port)
			if is := strings.Contains(text, address); is != (tt.game != "gamespy1") {
				t.Errorf("JSON has %s: %v\n%s", address, is, text)
			}
		})
	}
}

// An answer that cannot be read is not reported as a timeout.
func TestUnreadableAnswersAreNotTimeouts(t *testing.T) {
	t.Parallel()
	at := answerWith(t, []byte("hello"))
	for _, protocol := range []string{"sqp", "gamespy2", "gameagent", "gamespy1", "gamespy2plain"} {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			inTime(t, func(timeout string) (wrong []string) {
				args := []string{"query", "-attempts", "1", "-timeout", timeout, protocol, at.String()}
				code, _, stderr := gamequery(nil, args...)
				if code != exitFailed || !strings.Contains(stderr, "it answered, but") || strings.Contains(stderr, "in time") {
					wrong = append(wrong, fmt.Sprintf("exit code %d, %s", code, stderr))
				}
				_, text, _ := gamequery(nil, append(args, "-json")...)
				if !strings.Contains(text, `"code":"invalid"`) {
					wrong = append(wrong, text)
				}
				return wrong
			})
		})
	}
}
