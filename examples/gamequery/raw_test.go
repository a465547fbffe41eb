package main

import (
	"bytes"
	"net/netip"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/examples/internal/capture"
	"github.com/lobbywire/lobbywire/examples/internal/traffic"
	"github.com/lobbywire/lobbywire/internal/hexfile"
)

// rawTitle matches the line above a message. One of the addresses belongs to this
// program.
var rawTitle = regexp.MustCompile(`(?m)^# \d\d:\d\d:\d\d\.\d{6} (\S+ > \S+, \d+ bytes?.*)$`)

// rawTitles returns the titles of messages, with the address of the server as SERVER and
// the other one as OWN.
func rawTitles(text, server string) (titles []string) {
	for _, found := range rawTitle.FindAllStringSubmatch(text, -1) {
		from, rest, _ := strings.Cut(found[1], " > ")
		to, rest, _ := strings.Cut(rest, ", ")
		switch server {
		case from:
			from, to = "SERVER", "OWN"
		case to:
			from, to = "OWN", "SERVER"
		}
		titles = append(titles, from+" > "+to+", "+rest)
	}
	return titles
}

// -raw prints requests and answers of queries, scans and lists, and also queries
// without an answer.
func TestRawPrintsRequestsAndAnswers(t *testing.T) {
	addr, stop := background(t, "serve", "sqp", "127.0.0.1:0", "-name", "Duel", "-max", "4")
	defer stop()
	silent, stopSilent := background(t, "serve", "gamespy2", "127.0.0.1:0", "-challenge", "off")
	defer stopSilent()
	lobby, stopLobby := background(t, "master", "wztext", "127.0.0.1:0")
	defer stopLobby()
	web, stopWeb := background(t, "master", "wzhttp", "127.0.0.1:0")
	defer stopWeb()
	exchange := []string{
		"OWN > SERVER, 5 bytes, sqp.Request", "SERVER > OWN, 5 bytes, sqp.ChallengeResponse",
		"OWN > SERVER, 8 bytes, sqp.Request", "SERVER > OWN, 46 bytes, sqp.QueryResponse",
	}
	for _, tt := range []struct {
		args   string
		server string
		code   int
		want   []string
	}{
		{"query -raw sqp " + patient + " " + addr, addr, exitOK, exchange},
		{"scan -raw sqp " + patient + " " + addr, addr, exitOK, exchange},
		{"query -raw sqp -timeout=20ms -attempts=1 " + silent, silent, exitFailed, exchange[:1]},
		{"scan -raw sqp -timeout=20ms -attempts=1 " + silent, silent, exitFailed, exchange[:1]},
		{"list -raw wztext " + patient + " " + lobby, lobby, exitOK,
			[]string{"OWN > SERVER, 7 bytes, wztext.Stream", "SERVER > OWN, 8 bytes, wztext.Stream"}},
	} {
		code, stdout, stderr := gamequery(nil, strings.Fields(tt.args)...)
		if diff := cmp.Diff(tt.want, rawTitles(stdout, tt.server)); diff != "" || code != tt.code {
			t.Errorf("%s: exit code %d, %s, (-want +got):\n%s\n%s", tt.args, code, stderr, diff, stdout)
		}
		if _, _, err := hexfile.Parse(stdout); err != nil {
			t.Errorf("%s: %v", tt.args, err)
		}
	}
	for _, protocol := range []string{"warzone", "wzhttp"} {
		_, stdout, stderr := gamequery(nil, "list", "-raw", patient, protocol, "http://"+web)
		if !strings.Contains(stdout, " bytes, wzhttp.HTTPRequests\n") ||
			!strings.Contains(stdout, " bytes, wzhttp.HTTPAnswers\n") {
			t.Errorf("%s: %s%s", protocol, stdout, stderr)
		}
	}
	_, stdout, _ := gamequery(nil, "query", "-raw", "sqp", patient, addr)
	want := "\n04 44 75 65 6c                                  # 19+5 serverInfo.serverName = \"Duel\"\n"
	if !strings.Contains(stdout, want) {
		t.Errorf("want %s in\n%s", want, stdout)
	}
}

// Bytes without a known meaning are printed too.
func TestRawPrintsUnknownBytes(t *testing.T) {
	own, server := netip.MustParseAddrPort("192.0.2.1:5000"), netip.MustParseAddrPort("192.0.2.2:6000")
	at := time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC)
	var b bytes.Buffer
	err := traffic.WriteRaw(&b, "sqp", []capture.Sent{
		{At: at, From: own, To: server, Data: []byte("\x00\x00\x00\x00\x00")},
		{At: at, From: server, To: own, Data: []byte("not an answer at all")},
		{At: at, From: server, To: netip.MustParseAddrPort("192.0.2.3:1"), Data: []byte{0xab}},
	})
	want := lines(
		"# 03:04:05.000006 192.0.2.1:5000 > 192.0.2.2:6000, 5 bytes, sqp.Request",
		"00                                              # 0+1 type = 0",
		"00 00 00 00                                     # 1+4 token = 0",
		"",
		"# 03:04:05.000006 192.0.2.2:6000 > 192.0.2.1:5000, 20 bytes",
		"6e 6f 74 20 61 6e 20 61 6e 73 77 65 72 20 61 74",
		"20 61 6c 6c",
		"",
		"# 03:04:05.000006 192.0.2.2:6000 > 192.0.2.3:1, 1 byte",
		"ab",
		"",
	)
	if diff := cmp.Diff(want, b.String()); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}
