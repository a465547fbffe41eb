package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStreamsAreDecodedAndEncoded(t *testing.T) {
	for _, tt := range streamCases {
		t.Run(tt.name, func(t *testing.T) {
			code, stdout, stderr := gamequery([]byte(tt.in), "decode", tt.message, "-")
			wantErr := ""
			if tt.err != "" {
				wantErr = "gamequery: " + tt.err + "\n"
			}
			if stderr != wantErr || (code == exitFailed) != (tt.err != "") {
				t.Errorf("exit code %d, standard error %q, want %q", code, stderr, wantErr)
			}
			want := ""
			for _, line := range tt.lines {
				want += line + "\n"
			}
			if diff := cmp.Diff(want, stdout); diff != "" {
				t.Errorf("decode (-want +got):\n%s", diff)
			}
			if tt.encoded == "" {
				tt.encoded = tt.in
			}
			code, encoded, stderr := gamequery([]byte(stdout), "encode", tt.message)
			if diff := cmp.Diff(tt.encoded, encoded); code != exitOK || diff != "" {
				t.Errorf("encode exits with %d, %s (-want +got):\n%s", code, stderr, diff)
			}
			_, explained, _ := gamequery([]byte(tt.in), "explain", tt.message, "-")
			checkExplains(t, []byte(tt.in), explained)
		})
	}
}

// streamCases are the cases of TestStreamsAreDecodedAndEncoded.
var streamCases = []struct {
	name, message, in string
	lines             []string
	encoded           string // the output, if it differs from in
	err               string // the error that ends it
}{
	{
		name:    "requests and answers",
		message: "wztext.Stream",
		in:      "STARTGAME\t2100\nCOUNT\t1\n10.0.0.1\t2100\tDuel\tRush\t4\topen\nDONE\n",
		lines: []string{
			`{"message":"wztext.StartGame","port":2100}`,
			`{"message":"wztext.GameList","games":[{"ip":"10.0.0.1","port":2100,"name":"Duel","map":"Rush","maxPlayers":4,"status":"open"}],"skipped":0}`,
			`{"message":"wztext.Done"}`,
		},
	},
	{
		name:    "a broken message in the middle",
		message: "wztext.Stream",
		in:      "DONE\nSTARTGAME\t0\nDONE\n",
		lines: []string{
			`{"message":"wztext.Done"}`,
			`{"message":"wztext.StartGame","error":{"field":"port","offset":15,"kind":"invalid value","reason":"is not from 1 to 65535"},"frame":"535441525447414d4509300a"}`,
			`{"message":"wztext.Done"}`,
		},
	},
	{
		name:    "ends in a message",
		message: "wztext.Stream",
		in:      "DONE\nSTARTGAME\t21",
		lines:   []string{`{"message":"wztext.Done"}`},
		encoded: "DONE\n",
		err:     "wzproposal: port at byte 15: truncated",
	},
	{
		name:    "a line without end",
		message: "wztext.Stream",
		in:      "DONE\n" + strings.Repeat("x", 5000),
		lines:   []string{`{"message":"wztext.Done"}`},
		encoded: "DONE\n",
		err:     "wzproposal: message at byte 5: limit exceeded: more than 4096",
	},
	{name: "nothing", message: "wztext.Stream"},
	{
		name:    "frames, one of them with broken content",
		message: "bomberman.Stream",
		in: `26{"command":"xxHeartbeat"}` + "\n" + `55{"command":"gsPlayerAction","content":{"action":"up"}}` + "\n" +
			`26{"command":"xxHeartbeat"}` + "\n",
		lines: []string{
			`{"message":"bomberman.Heartbeat"}`,
			`{"message":"bomberman.PlayerAction","error":{"field":"content.action","offset":78,"kind":"invalid value","reason":"is not a number"},` +
				`"frame":"35357b22636f6d6d616e64223a226773506c61796572416374696f6e222c22636f6e74656e74223a7b22616374696f6e223a227570227d7d0a"}`,
			`{"message":"bomberman.Heartbeat"}`,
		},
	},
	{
		name:    "a frame with a wrong length",
		message: "bomberman.Stream",
		in:      `26{"command":"xxHeartbeat"}` + "\n" + `17{"command":"xxHeartbeat"}` + "\n",
		lines:   []string{`{"message":"bomberman.Heartbeat"}`},
		encoded: `26{"command":"xxHeartbeat"}` + "\n",
		err:     "bomberman: newline at byte 46: invalid value: missing",
	},
	{
		name:    "objects, a line each",
		message: "wzjson.Stream",
		in: `{"lobbyquery":{"version":1,"query":{"command":"heartbeat","id":"a"}}}` + "\n" +
			`{"lobbyquery":{"version":1,"query":{"command":"heartbeat","id":7}}}` + "\n" +
			`{"lobbyquery":{"version":1,"query":{"command":"error","message":"no"}}}` + "\n" +
			`{"lobbyquery":{"version":1,"query":{"command":"dance"}}}` + "\n",
		lines: []string{
			`{"message":"wzjson.Heartbeat","id":"a"}`,
			`{"message":"wzjson.Heartbeat","error":{"field":"lobbyquery.query.id","offset":133,"kind":"invalid value","reason":"is not a string"},` +
				`"frame":"7b226c6f6262797175657279223a7b2276657273696f6e223a312c227175657279223a7b22636f6d6d616e64223a22686561727462656174222c226964223a377d7d7d0a"}`,
			`{"message":"wzjson.Error","value":{"message":"no"}}`,
			`{"message":"wzjson.Unknown","command":"dance"}`,
		},
	},
	{
		name:    "commands",
		message: "warzone.HostStream",
		in:      "gaId\x00keep\x00list\x00",
		lines: []string{
			`{"message":"warzone.GameIDRequest"}`,
			`{"message":"warzone.Keep"}`,
			`{"message":"warzone.ListRequest"}`,
		},
	},
	{
		name:    "bytes after an unknown command",
		message: "warzone.HostStream",
		in:      "keep\x00versaaaa",
		lines:   []string{`{"message":"warzone.Keep"}`, `{"message":"warzone.Unknown","command":"vers"}`},
		encoded: "keep\x00vers",
		err:     "warzone: message at byte 9: unsupported",
	},
	{
		name:    "a game number and a status that ends early",
		message: "warzone.LobbyStream",
		in:      "\x00\x00\x00\x07\x00\x00\x00\xc8\x00\x00\x00\x03O",
		lines:   []string{`{"message":"warzone.GameIDReply","gameId":7}`},
		encoded: "\x00\x00\x00\x07",
		err:     "warzone: text at byte 12: truncated",
	},
}

func TestExplainShowsEachMessageOfAStream(t *testing.T) {
	code, got, stderr := gamequery([]byte("DONE\nSTARTGAME\t0\nDO"), "explain", "wztext.Stream", "-")
	want := `# wztext.Done, 5 bytes from 0
44 4f 4e 45                                     # 0+4 command = "DONE"
0a                                              # 4+1 lineEnd = 0a
# wztext.StartGame, 12 bytes from 5
53 54 41 52 54 47 41 4d 45 09                   # 5+10 command = "STARTGAME"
30                                              # 15+1 port = "0"
0a                                              # 16+1 port
# wzproposal: port at byte 15: invalid value: is not from 1 to 65535
# wztext.Unknown, 2 bytes from 17
44 4f                                           # 17+2 command
# wzproposal: command at byte 17: truncated
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if code != exitFailed || stderr != "gamequery: wzproposal: port at byte 15: invalid value: is not from 1 to 65535\n" {
		t.Errorf("exit code %d, standard error %q", code, stderr)
	}
}

// Several files are the parts of one stream, cut anywhere.
func TestFilesAreJoinedToAStream(t *testing.T) {
	first := filepath.Join(t.TempDir(), "first")
	if err := os.WriteFile(first, []byte("DONE\nDO"), 0o644); err != nil {
		t.Fatal(err)
	}
	code, got, stderr := gamequery([]byte("NE\n"), "decode", "wztext.Stream", first, "-")
	if code != exitOK || strings.Count(got, "wztext.Done") != 2 {
		t.Errorf("exit code %d, %s%s", code, got, stderr)
	}
}

func TestEncodeRefusesBrokenLines(t *testing.T) {
	for _, tt := range []struct{ lines, err string }{
		{`{"message":"wztext.Done"} {"message":"wztext.Dune"}`, `message 2: member "message": "wztext.Dune" is not one`},
		{`{"port":1}`, `message 1: member "message" has to name`},
		{`[]`, "message 1: json"},
		{`{"message":"wztext.StartGame","port":0}`, "message 1: wzproposal: port: invalid value: is 0"},
		{`{"message":"wztext.Done","error":{},"frame":"0"}`, "message 1: encoding/hex"},
		{`{"message":`, "message 1: unexpected EOF"},
	} {
		code, stdout, stderr := gamequery([]byte(tt.lines), "encode", "wztext.Stream")
		if code != exitFailed || stdout != "" || !strings.Contains(stderr, tt.err) {
			t.Errorf("%s: exit code %d, output %q, error %s", tt.lines, code, stdout, stderr)
		}
	}
}

// checkLine checks that a line is an object that begins with the name of the message
// and has no duplicate members.
func checkLine(t *testing.T, line string) {
	t.Helper()
	if !strings.HasPrefix(line, `{"message":"`) {
		t.Errorf("%s does not begin with the name", line)
	}
	dec := json.NewDecoder(strings.NewReader(line))
	if _, err := dec.Token(); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	seen := map[string]bool{}
	for dec.More() {
		var value json.RawMessage
		key, err := dec.Token()
		if err == nil {
			err = dec.Decode(&value)
		}
		if name, _ := key.(string); err != nil || seen[name] {
			t.Fatalf("%s: member %v twice, or %v", line, key, err)
		} else {
			seen[name] = true
		}
	}
}
