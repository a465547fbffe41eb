package main

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/examples/internal/capture/capturetest"
	"github.com/lobbywire/lobbywire/examples/internal/traffictest"
)

// wzhttpGolden returns a golden file of package wzhttp.
func wzhttpGolden(t *testing.T, name string) string {
	t.Helper()
	return string(traffictest.Golden(t, "warzone/wzhttp/testdata/golden/"+name+".hex"))
}

// httpRequest returns a request in the form that the game sends.
func httpRequest(method, path, body string) string {
	s := method + " /base/api/v1/" + path + " HTTP/1.1\r\nHost: 127.0.0.1:18471\r\nAccept: application/json\r\n"
	if body != "" {
		s += fmt.Sprintf("Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	return s + "\r\n" + body
}

// httpAnswer returns an answer with a Content-Length.
func httpAnswer(status, body string) string {
	return fmt.Sprintf("HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n%s", status, len(body), body)
}

// httpChunks returns an answer with its body in chunks of the given size.
func httpChunks(body string, size int) string {
	s := "HTTP/1.1 200 OK\r\nContent-Type: application/jsonl\r\nTransfer-Encoding: chunked\r\n\r\n"
	for len(body) > 0 {
		part := body[:min(size, len(body))]
		body = body[len(part):]
		s += fmt.Sprintf("%x\r\n%s\r\n", len(part), part)
	}
	return s + "0\r\n\r\n"
}

// tcpCapture returns a capture of the messages of a client and a server, which take
// turns.
func tcpCapture(port uint16, said ...string) []byte {
	server := netip.AddrPortFrom(traffictest.Host.Addr(), port)
	packets := [][]byte{
		capturetest.TCP(traffictest.Player, server, capturetest.Segment{Flags: capturetest.SYN}),
		capturetest.TCP(server, traffictest.Player, capturetest.Segment{Flags: capturetest.SYN}),
	}
	sent := [2]uint32{1, 1}
	for i, text := range said {
		from, to := traffictest.Player, server
		if i%2 == 1 {
			from, to = server, traffictest.Player
		}
		for rest := text; len(rest) > 0; {
			part := rest[:min(len(rest), 1000)]
			rest = rest[len(part):]
			packets = append(packets, capturetest.TCP(from, to, capturetest.Segment{Seq: sent[i%2], Data: []byte(part)}))
			sent[i%2] += uint32(len(part))
		}
	}
	return capturetest.PCAP(capturetest.LinkRaw, 0, packets...)
}

// A capture of a host, a client that lists games and a client that joins is explained
// completely.
func TestExplainReadsHTTPCaptures(t *testing.T) {
	game := wzhttpGolden(t, "game")
	list := wzhttpGolden(t, "header") + "\n" + game + "\r\n" + game
	file := tcpCapture(8080,
		httpRequest("POST", "game", wzhttpGolden(t, "create")), httpAnswer("201 Created", wzhttpGolden(t, "created_spaces")),
		httpRequest("POST", "game/MOCK1/connection", wzhttpGolden(t, "connection_ip4")),
		httpAnswer("202 Accepted", wzhttpGolden(t, "status_submitted")),
		httpRequest("PATCH", "game/MOCK1", "{}"), httpAnswer("429 Too Many Requests", wzhttpGolden(t, "error_rate")),
		httpRequest("GET", "games", ""), httpChunks(list, 100),
		httpRequest("POST", "game/MOCK1/request-join", wzhttpGolden(t, "join_captcha")),
		httpAnswer("200 OK", wzhttpGolden(t, "join_reply")),
		httpRequest("POST", "game/MOCK1/check-join-request", wzhttpGolden(t, "join_check")),
		httpAnswer("200 OK", wzhttpGolden(t, "verdict_refuse")),
		httpRequest("DELETE", "game/MOCK1?started=1", ""), httpAnswer("502 Bad Gateway", "<html>oops</html>"),
	)
	code, stdout, stderr := gamequery(file, "explain", "-")
	if code != exitOK || stderr != "" {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	for _, want := range []string{
		"wzhttp.HTTPRequests\n", "wzhttp.HTTPAnswers\n", "# explained 2 (cut 0, broken 0), not explained 0\n",
		` host.name = "GoTester"`, ` hostToken = "ht-secret"`, ` connections[0].status = "submitted"`,
		` code = "RATE_LIMITED"`,
		` lines[0].motd = "Hello"`, ` lines[2].conn[1] = "tcp:ip6"`, ` captcha.response.result = "X7Q2"`,
		` connections[0].port = 21471`,
		` connMethod = "tcp"`, ` error = "because"`, ` body = "<html>oops</html>"`, ` chunk = "64\r\n"`,
		` start = "DELETE /base/api/v1/game/MOCK1?started=1 HTTP/1.1\r\n"`,
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("missing %q", want)
		}
	}
	if t.Failed() {
		t.Log(stdout)
	}
}

// The probe of a host is recognized on any port.
func TestExplainRecognizesProbesOnAnyPort(t *testing.T) {
	for _, port := range []uint16{2100, 21471} {
		file := tcpCapture(port, wzhttpGolden(t, "probe_recorded"), wzhttpGolden(t, "probe_reply"))
		code, stdout, stderr := gamequery(file, "explain", "-")
		if code != exitOK || !strings.Contains(stdout, ", wzhttp.Probe\n") ||
			!strings.Contains(stdout, ", wzhttp.ProbeReply\n") {
			t.Errorf("port %d: exit code %d, %s\n%s", port, code, stderr, stdout)
		}
	}
}

func TestHTTPStreamsAreDecoded(t *testing.T) {
	patch := wzhttpGolden(t, "patch_players")
	for _, tt := range []struct {
		name, message, in, explained, err string
	}{
		{"a request", "wzhttp.HTTPRequest", httpRequest("PATCH", "game/G", patch), "players.cur = 1", ""},
		{"chunks of a byte", "wzhttp.HTTPAnswer", httpChunks(wzhttpGolden(t, "game"), 1), `lines[0].host.name = "Anna"`, ""},
		{"no body", "wzhttp.HTTPAnswer", "HTTP/1.1 204 No Content\r\n\r\n", "headEnd", ""},
		{"up to the end", "wzhttp.HTTPAnswer", "HTTP/1.0 200 OK\r\n\r\n" + `{"pass":true}`, "pass = true", ""},
		{"compressed", "wzhttp.HTTPAnswer", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n\x1f\x8b",
			`body = "\x1f\x8b"`, ""},
		{"a trailer", "wzhttp.HTTPAnswer",
			"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\n{}\r\n0\r\nA: b\r\n\r\n",
			`chunk = "\r\n0\r\nA: b\r\n\r\n"`, ""},
		{"two requests", "wzhttp.HTTPRequests", httpRequest("GET", "games", "") + httpRequest("PATCH", "game/G", "{}"),
			"# wzhttp.HTTPRequest, ", ""},

		{"an invalid body", "wzhttp.HTTPRequest", httpRequest("PATCH", "game/G", `{"ally":"x"}`), "ally",
			"wzhttp: ally at byte 147: invalid value: is not a number"},
		{"half an object", "wzhttp.HTTPRequest", httpRequest("PATCH", "game/G", `{"ally"`), "ally",
			"wzhttp: ally at byte 145: invalid value"},
		{"an invalid body in chunks", "wzhttp.HTTPAnswer",
			httpChunks(strings.Replace(wzhttpGolden(t, "game"), `"ally":2`, `"ally":"x"`, 1), 100), "lines[0].ally",
			"wzhttp: ally at byte 319: invalid value: is not a number"},
		{"another path", "wzhttp.HTTPRequest", "GET / HTTP/1.1\r\n\r\n", "start", "http: start at byte 0: unsupported"},
		{"another direction", "wzhttp.HTTPRequest", httpAnswer("200 OK", "{}"), "start",
			"http: start at byte 0: unsupported"},
		{"cut in the head", "wzhttp.HTTPRequest", "GET /api/v1/games HTTP/1.1\r\nHost", "headers[0]",
			"http: headers[0] at byte 28: truncated"},
		{"cut in the body", "wzhttp.HTTPAnswer", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}", "body",
			"http: body at byte 38: truncated"},
		{"cut in a chunk", "wzhttp.HTTPAnswer", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{}", "chunk",
			"http: chunk at byte 47: truncated"},
		{"a bad size of a chunk", "wzhttp.HTTPAnswer", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n{}",
			"chunk", "http: chunk at byte 47: invalid value"},
		{"a bad length", "wzhttp.HTTPAnswer", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "headers",
			"http: headers at byte 17: invalid value"},
		{"more", "wzhttp.HTTPAnswer", httpAnswer("200 OK", "{}") + "x", "message", "http: message at byte 40: trailing data"},
		{"no HTTP", "wzhttp.HTTPRequest", "hello\r\n\r\n", "start", "http: start at byte 0: invalid value"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			wantErr, wantCode := "", exitOK
			if tt.err != "" {
				wantErr, wantCode = "gamequery: "+tt.err+"\n", exitFailed
			}
			code, stdout, stderr := gamequery([]byte(tt.in), "explain", tt.message, "-")
			if code != wantCode || stderr != wantErr || !strings.Contains(stdout, tt.explained) {
				t.Errorf("exit code %d, %q, want %q\n%s", code, stderr, wantErr, stdout)
			}
			code, decoded, stderr := gamequery([]byte(tt.in), "decode", tt.message, "-")
			if code != wantCode || stderr != wantErr {
				t.Errorf("decode exits with %d, %q, want %q", code, stderr, wantErr)
			}
			if tt.err != "" {
				return
			}
			code, encoded, stderr := gamequery([]byte(decoded), "encode", tt.message)
			if diff := cmp.Diff(tt.in, encoded); code != exitOK || diff != "" {
				t.Errorf("encode exits with %d, %s (-want +got):\n%s", code, stderr, diff)
			}
		})
	}
}

func TestListStreamIsDecoded(t *testing.T) {
	header, game := wzhttpGolden(t, "header"), wzhttpGolden(t, "game")
	code, decoded, stderr := gamequery([]byte(header+"\n"+game+"\n"), "decode", "wzhttp.List", "-")
	if code != exitOK || strings.Count(decoded, "\n") != 2 ||
		!strings.HasPrefix(decoded, `{"message":"wzhttp.ListHeader","motd":"Hello"}`) {
		t.Fatalf("exit code %d, %s\n%s", code, stderr, decoded)
	}
	code, encoded, stderr := gamequery([]byte(decoded), "encode", "wzhttp.List")
	if code != exitOK || encoded != header+"\n"+game+"\n" {
		t.Errorf("exit code %d, %s\n%s", code, stderr, encoded)
	}
	code, _, stderr = gamequery([]byte(game+"\n{}\n"), "explain", "wzhttp.List", "-")
	if want := "gamequery: wzhttp: id at byte 264: invalid value: missing\n"; code != exitFailed || stderr != want {
		t.Errorf("exit code %d, %q, want %q", code, stderr, want)
	}
}
