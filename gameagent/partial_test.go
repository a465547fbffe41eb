package gameagent_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/gameagent"
)

var partial = gameagent.Options{Part: true}

func TestPeekToMasterReadsTheTypeAlone(t *testing.T) {
	for in, want := range map[string]gameagent.ToMaster{
		"":          nil,
		"e":         gameagent.ListRequest{},
		"e\x01\x02": gameagent.ListRequest{},
		"0":         gameagent.Heartbeat{},

		"0;players;3;x;;challenge;5": gameagent.Heartbeat{},
		"0;players;3;maxplayers;8;level;a;gametype;;version;;gamename;;sessionname;a;challenge;5": nil,
		"0;players;3;maxplayers;8;level;a": nil,
		"q":                                gameagent.Join{},
		"u":                                gameagent.StateChanged{},
		"s":                                nil,
	} {
		if diff := cmp.Diff(want, gameagent.PeekToMaster([]byte(in))); diff != "" {
			t.Errorf("%q: %s", in, diff)
		}
	}
}

func TestIsFromServerRecognizesAnswers(t *testing.T) {
	for in, want := range map[string]bool{
		"":               false,
		"\x02":           false,
		"\x04":           false,
		"\x048":          true,
		"\x04\\status\\": false,
		"0;players;1":    true,
		"player_1\x02a":  true,
		`\status\`:       false,
	} {
		if got := gameagent.IsFromServer([]byte(in)); got != want {
			t.Errorf("%q: %v, want %v", in, got, want)
		}
	}
}

// Only requests and challenges are for a server: what package gamespy1 reads is not.
func TestIsToServerRecognizesRequests(t *testing.T) {
	for in, want := range map[string]bool{
		"":               false,
		"\x01":           true,
		"\x02":           true,
		"\x03":           true,
		"\x04":           true,
		"\x02\\status\\": true,
		"\x05":           false,
		"0;players;1":    false,
		`\status\`:       false,
	} {
		if got := gameagent.IsToServer([]byte(in)); got != want {
			t.Errorf("%q: %v, want %v", in, got, want)
		}
	}
}
