package main

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/internal/hexfile"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// sending runs a server over TCP that sends an answer to each request, and closes the connection.
func sending(t *testing.T, answer string) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			conn.SetDeadline(time.Now().Add(time.Minute))
			conn.Read(make([]byte, 1024))
			io.WriteString(conn, answer)
			conn.Close()
		}
	}()
	t.Cleanup(func() {
		l.Close()
		<-ended
	})
	return l.Addr().String()
}

// sendingHTTP runs a lobby that sends a list and announces some bytes more.
func sendingHTTP(t *testing.T, list string, lacks int) (addr string) {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", strconv.Itoa(len(list)+lacks))
		io.WriteString(w, list)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// marshaled returns the wire form of a message.
func marshaled(b []byte, err error) string {
	if err != nil {
		panic(err)
	}
	return string(b)
}

// The readable part of a list is printed. Each form of output states what is missing, and the
// command fails if the list is not whole.
func TestListSaysWhatItLacks(t *testing.T) {
	text, err := os.ReadFile("../../bomberman/testdata/golden/list_skipped.hex")
	if err != nil {
		t.Fatal(err)
	}
	_, bomberman, err := hexfile.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	game := warzone.Game{Version: warzone.Version4, Size: warzone.SizeOfGame, Name: "Duel", Host: "192.0.2.1"}
	list := warzone.ListReply{Games: []warzone.Game{game, game, game}}
	whole := marshaled(list.AppendBinary(nil))
	other := whole[:4] + "\x00\x00\x00\x05" + whole[8:]
	row := marshaled(wzproposal.Game{IP: netip.MustParseAddr("192.0.2.1"), Port: 2100, Name: "Duel",
		Status: wzproposal.StatusOpen}.AppendBinary(nil))
	line := wzhttpGolden(t, "game") + "\n"
	const partial = "servers may be missing"
	for _, tt := range []struct {
		name, protocol, addr string
		code, games, left    int
		says                 string
	}{
		{"bomberman, five bad entries", "bomberman", sending(t, string(bomberman)), exitOK, 1, 5,
			"left out: 5 (entry that cannot be read)"},
		{"warzone, another version", "warzone", sending(t, other), exitOK, 2, 1, "left out: entry that cannot be read"},
		{"warzone, cut", "warzone", sending(t, whole[:2000]), exitFailed, 2, 0, partial},
		{"warzone, cut in the first game", "warzone", sending(t, whole[:500]), exitFailed, 0, 0, "EOF"},
		{"wztext, a bad row", "wztext", sending(t, "COUNT\t2\nbad\n"+row), exitOK, 1, 1,
			"left out: entry that cannot be read"},
		{"wztext, a row too many", "wztext", sending(t, "COUNT\t1\n"+row+row), exitFailed, 1, 0, partial},
		{"wztext, a row missing", "wztext", sending(t, "COUNT\t2\n"+row), exitFailed, 1, 0, partial},
		{"wzjson, a bad game", "wzjson",
			sending(t, `{"lobbyquery":{"version":1,"query":{"command":"list-ack","games":[null,{"port":1}]}}}`),
			exitOK, 1, 1, "left out: entry that cannot be read"},
		{"wzhttp, a bad line", "wzhttp", sendingHTTP(t, `{"id":"x"}`+"\n"+line, 0), exitOK, 1, 1,
			"left out: entry that cannot be read"},
		{"wzhttp, cut in a line", "wzhttp", sendingHTTP(t, line+line[:50], 0), exitFailed, 1, 1, partial},
		{"wzhttp, the connection breaks off", "wzhttp", sendingHTTP(t, line, 100), exitFailed, 1, 0, partial},
		{"wzhttp, cut after the header", "wzhttp", sendingHTTP(t, `{"type":"header","motd":"Hi"}`+"\n"+line[:50], 0),
			exitFailed, 0, 0, "truncated"},
		{"wzhttp, the connection breaks off after the header", "wzhttp",
			sendingHTTP(t, `{"type":"header","motd":"Hi"}`+"\n", 100), exitFailed, 0, 0, "EOF"},
		{"gameagent, a name", "gameagent", legacyMaster(t, "serioussamse", `\ip\10.0.0.1:1\ip\x.example:1\final\`),
			exitOK, 1, 1, "left out: entry that cannot be read"},
		{"gameagent, cut", "gameagent", legacyMaster(t, "serioussamse", "\x0a\x00\x00\x01\x64\x01"), exitFailed, 1, 0,
			partial},
	} {
		t.Run(tt.name, func(t *testing.T) {
			args := []string{"list", tt.protocol, tt.addr}
			if tt.protocol == "gameagent" {
				args = append(args, "-legacy", "serioussamse")
			}
			code, stdout, stderr := gamequery(nil, args...)
			rows := strings.Count(stdout, "\n")
			if tt.protocol != "gameagent" && rows > 0 {
				rows-- // the header
			}
			if code != tt.code || rows != tt.games || !strings.Contains(stderr, tt.says) {
				t.Errorf("exit code %d, %s\n%s", code, stdout, stderr)
			}
			code, stdout, stderr = gamequery(nil, append(args, "-json")...)
			var games, left, failures int
			for text := range strings.Lines(stdout) {
				var line struct {
					Error *struct {
						Code    string
						LeftOut struct{ Unreadable int }
					}
				}
				err := json.Unmarshal([]byte(text), &line)
				switch {
				case err != nil:
					t.Error(err)
				case line.Error == nil:
					games++
				case line.Error.Code == "skipped":
					left += line.Error.LeftOut.Unreadable
				default:
					failures++
				}
			}
			if code != tt.code || games != tt.games || left != tt.left || failures != code {
				t.Errorf("-json: exit code %d, %s\n%s", code, stdout, stderr)
			}
			checkLines(t, stdout)
		})
	}
}
