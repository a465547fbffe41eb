package main

import (
	"strings"
	"testing"
)

const gamespy2Golden = "../../gamespy2/testdata/golden/"

// The packets of an answer are decoded in any order, and -packets splits the answer
// again.
func TestGameSpy2JoinsSplitAnswers(t *testing.T) {
	first, last := gamespy2Golden+"tiny_v3split_p0.hex", gamespy2Golden+"tiny_v3split_p1.hex"
	code, text, stderr := gamequery(nil, "decode", "gamespy2.Response", last, first)
	if code != exitOK || strings.Contains(text, `"partial": true`) || !strings.Contains(text, `"x y"`) {
		t.Fatalf("exit code %d, %s%s", code, stderr, text)
	}
	code, packets, stderr := gamequery([]byte(text), "encode", "-packets", "gamespy2.Response")
	if code != exitOK || strings.Count(packets, "\n") != 1 {
		t.Errorf("encode exits with %d, %s, and gives %q", code, stderr, packets)
	}

	code, text, stderr = gamequery(nil, "decode", "-part", "gamespy2.Response", last)
	if code != exitOK || !strings.Contains(text, `"partial": true`) {
		t.Errorf("a part: exit code %d, %s%s", code, stderr, text)
	}
	code, _, stderr = gamequery(nil, "decode", "gamespy2.Response", last)
	if code != exitFailed || !strings.HasSuffix(stderr, ": unsupported: the response is split\n") {
		t.Errorf("a part without -part: exit code %d, %s", code, stderr)
	}
}

func TestFlagsSayWhatWasAsked(t *testing.T) {
	query := []byte("\xfe\xfd\x00abcd\x00\x00\x00\x07\xff\x00\x00")
	_, without, _ := gamequery(query, "decode", "gamespy2.Request", "-")
	_, with, _ := gamequery(query, "decode", "-challenge", "gamespy2.Request", "-")
	if !strings.Contains(without, `"hasChallenge": false`) || !strings.Contains(with, `"challenge": 7`) {
		t.Errorf("without -challenge:\n%s\nwith it:\n%s", without, with)
	}
	// An empty table for players and teams, or for teams only.
	answer := []byte("\x00abcd\x00\x00\x00")
	_, text, stderr := gamequery(answer, "decode", "-sections", "teams", "gamespy2.Response", "-")
	if !strings.Contains(text, `"sections": 4`) {
		t.Errorf("-sections teams: %s%s", stderr, text)
	}
	_, text, stderr = gamequery([]byte("\x00abcdA\x00B\x00"), "decode", "-keys", "2", "gamespy2.Values", "-")
	if !strings.Contains(text, `"B"`) {
		t.Errorf("-keys 2: %s%s", stderr, text)
	}
}
