package lobbywire_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
)

// JSON leaves out what is unknown, keeps what is zero, and restores both.
func TestViewJSONLeavesOutTheUnknown(t *testing.T) {
	for _, tt := range []struct {
		name string
		view lobbywire.View
		json string
	}{
		{"unknown", lobbywire.View{}, `{}`},
		{
			"zero",
			lobbywire.View{
				Players: new(0), Bots: new(0), Max: new(0), Password: new(false),
				Roster: []lobbywire.Player{}, Teams: []lobbywire.Team{}, Rules: []lobbywire.Rule{},
			},
			`{"players":0,"bots":0,"max":0,"password":false,"roster":[],"teams":[],"rules":[]}`,
		},
		{
			"all",
			lobbywire.View{
				Name: "Duel", Game: "g", Map: "Rush", Mode: "ctf", Version: "1.0", Host: "192.0.2.1", Port: 7777,
				Players: new(3), Bots: new(1), Max: new(8), Password: new(true),
				Roster: []lobbywire.Player{{}, {Name: "Ada", Score: new(-7), Ping: new(0), Team: "2", Bot: new(false)},
					{Kills: new(0), Deaths: new(4), Rules: []lobbywire.Rule{{Key: "skill_", Value: "9"}}}},
				Teams: []lobbywire.Team{{}, {Name: "Red", Score: new(0)}},
				Rules: []lobbywire.Rule{{Key: "limit", Value: ""}},
			},
			`{"name":"Duel","game":"g","map":"Rush","mode":"ctf","version":"1.0","host":"192.0.2.1","port":7777,` +
				`"players":3,"bots":1,"max":8,"password":true,` +
				`"roster":[{},{"name":"Ada","score":-7,"ping":0,"team":"2","bot":false},` +
				`{"kills":0,"deaths":4,"rules":[{"key":"skill_","value":"9"}]}],` +
				`"teams":[{},{"name":"Red","score":0}],"rules":[{"key":"limit","value":""}]}`,
		},
	} {
		got, err := json.Marshal(tt.view)
		if err != nil || string(got) != tt.json {
			t.Errorf("%s: %s, %v, want %s", tt.name, got, err, tt.json)
		}
		var back lobbywire.View
		if err := json.Unmarshal(got, &back); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if diff := cmp.Diff(tt.view, back); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestViewAddressNeedsHostAndPort(t *testing.T) {
	for _, tt := range []struct {
		view       lobbywire.View
		host, want string
	}{
		{lobbywire.View{}, "", ""},
		{lobbywire.View{}, "192.0.2.1", ""},
		{lobbywire.View{Port: 7777}, "", ""},
		{lobbywire.View{Port: 7777}, "192.0.2.1", "192.0.2.1:7777"},
		{lobbywire.View{Port: 7777}, "2001:db8::1", "[2001:db8::1]:7777"},
		{lobbywire.View{Host: "game.example.org", Port: 7777}, "192.0.2.1", "game.example.org:7777"},
		{lobbywire.View{Host: "2001:db8::2", Port: 65535}, "", "[2001:db8::2]:65535"},
		{lobbywire.View{Host: "[2001:db8::2]", Port: 65535}, "", "[2001:db8::2]:65535"},
		{lobbywire.View{Port: 7777}, "[2001:db8::1]", "[2001:db8::1]:7777"},
		{lobbywire.View{Port: 7777}, "fe80::1%eth0", "[fe80::1%eth0]:7777"},
	} {
		if got := tt.view.Address(tt.host); got != tt.want {
			t.Errorf("%+v with %q: %q, want %q", tt.view, tt.host, got, tt.want)
		}
	}
}

func TestUTF8DecodesWindows1252(t *testing.T) {
	for _, tt := range []struct{ name, s, want string }{
		{"ASCII", "Duel\x01", "Duel\x01"},
		{"UTF-8", "München", "München"},
		{"Latin-1", "M\xfcnchen", "München"},
		{"Windows-1252", "\x95 In \x99 \x80\x9f", "• In ™ €Ÿ"},
		{"Windows-1252 in a clan tag", "\xa7 M\xfcller \xa7", "§ Müller §"},
		{"Windows-1252 with two bytes that would be UTF-8", "\xc3\xa9 \x99", "Ã© ™"},
		{"undefined bytes of Windows-1252", "\x81\x8d\x8f\x90\x9d", "\u0081\u008d\u008f\u0090\u009d"},
		{"UTF-8 cut within a character", "Düsseldorf M\xc3", "Düsseldorf M\ufffd"},
		{"UTF-8 cut within four bytes", "ü\xf0\x9f\x98", "ü\ufffd"},
		{"ASCII, then a character cut", "M\xc3", "MÃ"},
	} {
		if got := lobbywire.UTF8(tt.s); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
