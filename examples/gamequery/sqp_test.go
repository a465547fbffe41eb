package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A long answer is encoded as several packets, which are decoded in any order.
func TestSQPJoinsSplitAnswers(t *testing.T) {
	rules := strings.Repeat(`{"key":"`+strings.Repeat("k", 200)+`","type":"uint16","value":7},`, 20)
	want := `{"token":7,"version":1,"serverRules":[` + strings.TrimSuffix(rules, ",") + `]}`
	code, lines, stderr := gamequery([]byte(want), "encode", "-packets", "sqp.QueryResponse")
	if code != exitOK {
		t.Fatal(stderr)
	}
	args := []string{"decode", "-chunks", "serverRules", "sqp.QueryResponse"}
	for i, line := range strings.Fields(lines) {
		path := filepath.Join(t.TempDir(), "packet"+string(rune('0'+i))+".hex")
		if err := os.WriteFile(path, []byte(line), 0o644); err != nil {
			t.Fatal(err)
		}
		args = append(args, path)
	}
	paths := args[4:]
	if len(paths) != 3 {
		t.Fatalf("%d packets, want 3", len(paths))
	}
	slices.Reverse(paths)
	code, decoded, stderr := gamequery(nil, args...)
	if code != exitOK {
		t.Fatal(stderr)
	}
	_, whole, _ := gamequery([]byte(want), "encode", "sqp.QueryResponse")
	_, again, _ := gamequery([]byte(decoded), "encode", "sqp.QueryResponse")
	if whole == "" || whole != again {
		t.Error("the joined answer does not encode to that of the start")
	}

	code, explained, stderr := gamequery(nil, append([]string{"explain"}, args[1:]...)...)
	if code != exitOK || strings.Count(explained, "currentPacket") != 3 {
		t.Errorf("explain exits with %d, %s", code, stderr)
	}

	code, _, stderr = gamequery(nil, args[:len(args)-1]...)
	wantErr := "gamequery: sqp: body at byte 11: truncated; packets missing, counted from 0: [0]\n"
	if diff := cmp.Diff(wantErr, stderr); code != exitFailed || diff != "" {
		t.Errorf("one packet missing: exit code %d (-want +got):\n%s", code, diff)
	}
}

func TestSQPStrictRefusesMore(t *testing.T) {
	const surplus = "../../sqp/testdata/golden/answer_surplus.hex"
	code, _, _ := gamequery(nil, "decode", "-chunks=2", "sqp.QueryResponse", surplus)
	strictCode, _, stderr := gamequery(nil, "decode", "-chunks=2", "-strict", "sqp.QueryResponse", surplus)
	if code != exitOK || strictCode != exitFailed || !strings.Contains(stderr, "trailing data") {
		t.Errorf("exit code %d, strictly %d with %q", code, strictCode, stderr)
	}
}
