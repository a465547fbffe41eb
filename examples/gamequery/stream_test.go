package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStream(t *testing.T) {
	for _, tt := range []struct {
		name, message, in string
		lines             []string
		encoded           string // if not in
		err               string // that ends it
	}{
		{
			name:    "requests and answers",
			message: "wztext.Stream",
			in:      "STARTGAME\t2100\nCOUNT\t1\n10.0.0.1\t2100\tDuel\tRush\t4\topen\nDONE\n",
			lines: []string{
				`{"message":"wztext.StartGame","port":2100}`,
				`{"message":"wztext.GameList","games":[{"ip":"10.0.0.1","port":2100,"name":"Duel","map":"Rush","maxPlayers":4,"status":"open"}]}`,
				`{"message":"wztext.Done"}`,
			},
		},
		{
			name:    "a broken message in the middle",
			message: "wztext.Stream",
			in:      "DONE\nSTARTGAME\t0\nDONE\n",
			lines: []string{
				`{"message":"wztext.Done"}`,
				`{"message":"wztext.StartGame","error":{"field":"port","offset":15,"kind":"invalid value"},"frame":"535441525447414d4509300a"}`,
				`{"message":"wztext.Done"}`,
			},
		},
		{
			name:    "ends in a message",
			message: "wztext.Stream",
			in:      "DONE\nSTARTGAME\t21",
			lines:   []string{`{"message":"wztext.Done"}`},
			encoded: "DONE\n",
			err:     "wztext: port at byte 15: truncated",
		},
		{
			name:    "a line without end",
			message: "wztext.Stream",
			in:      "DONE\n" + strings.Repeat("x", 5000),
			lines:   []string{`{"message":"wztext.Done"}`},
			encoded: "DONE\n",
			err:     "wztext: message at byte 5: limit exceeded",
		},
		{name: "nothing", message: "wztext.Stream"},
	} {
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

func TestExplainStream(t *testing.T) {
	code, got, stderr := gamequery([]byte("DONE\nSTARTGAME\t0\nDO"), "explain", "wztext.Stream", "-")
	want := `# wztext.Done, 5 bytes from 0
44 4f 4e 45                                     # 0+4 command = "DONE"
0a                                              # 4+1 lineEnd = 0a
# wztext.StartGame, 12 bytes from 5
53 54 41 52 54 47 41 4d 45 09                   # 5+10 command = "STARTGAME"
30                                              # 15+1 port = "0"
0a                                              # 16+1 port
# wztext: port at byte 15: invalid value
# wztext.Unknown, 2 bytes from 17
44 4f                                           # 17+2 command
# wztext: command at byte 17: truncated
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if code != exitFailed || stderr != "gamequery: wztext: port at byte 15: invalid value\n" {
		t.Errorf("exit code %d, standard error %q", code, stderr)
	}
}

// Several files are the pieces of one stream, wherever it was cut.
func TestStreamOfPieces(t *testing.T) {
	first := filepath.Join(t.TempDir(), "first")
	if err := os.WriteFile(first, []byte("DONE\nDO"), 0o644); err != nil {
		t.Fatal(err)
	}
	code, got, stderr := gamequery([]byte("NE\n"), "decode", "wztext.Stream", first, "-")
	if code != exitOK || strings.Count(got, "wztext.Done") != 2 {
		t.Errorf("exit code %d, %s%s", code, got, stderr)
	}
}

func TestEncodeBrokenLines(t *testing.T) {
	for _, tt := range []struct{ lines, err string }{
		{`{"message":"wztext.Done"} {"message":"wztext.Dune"}`, `message 2: member "message": "wztext.Dune" is not one`},
		{`{"port":1}`, `message 1: member "message" has to name`},
		{`[]`, "message 1: json"},
		{`{"message":"wztext.StartGame","port":0}`, "message 1: wztext: port: invalid value"},
		{`{"message":"wztext.Done","error":{},"frame":"0"}`, "message 1: encoding/hex"},
		{`{"message":`, "message 1: unexpected EOF"},
	} {
		code, stdout, stderr := gamequery([]byte(tt.lines), "encode", "wztext.Stream")
		if code != exitFailed || stdout != "" || !strings.Contains(stderr, tt.err) {
			t.Errorf("%s: exit code %d, output %q, error %s", tt.lines, code, stdout, stderr)
		}
	}
}

// checkLine checks that a line is an object that begins with its name and has
// each member once.
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
