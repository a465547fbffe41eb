package wzhttp_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/internal/wire/wirejson"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

const (
	key  = "A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=" // of the seed 00 01 .. 1f
	line = `{"id":"G7K2Q","v":"4.7.0","netv":[16384,104],"name":"Anna's room","host":{"name":"Anna","pk":"` + key +
		`"},"map":["Sk-Rush",""],` +
		`"players":{"cur":1,"max":4},"specs":{"cur":0,"max":2},"ally":2,"lim":0,"conn":["tcp:ip4","tcp:ip6"]}`
)

// game returns the game of line, after changes.
func game(changes ...func(*wzhttp.Game)) wzhttp.Game {
	g := wzhttp.Game{
		ID: "G7K2Q",
		Room: wzhttp.Room{
			Version: "4.7.0", Netcode: wzhttp.Netcode47(), Name: "Anna's room",
			Host: wzhttp.Player{Name: "Anna", PublicKey: key}, Map: wzhttp.Map{Name: "Sk-Rush"},
			Players: wzhttp.Seats{Current: 1, Max: 4}, Spectators: wzhttp.Seats{Max: 2},
			Alliances: wzhttp.AlliancesTeams,
		},
		Connections: []wzhttp.ConnectionType{wzhttp.TCP4, wzhttp.TCP6},
	}
	for _, change := range changes {
		change(&g)
	}
	return g
}

// replace returns line with old replaced.
func replace(old, new string) string {
	if !strings.Contains(line, old) {
		return "no " + old
	}
	return strings.Replace(line, old, new, 1)
}

// at returns the offset of a text in line.
func at(text string) int { return strings.Index(line, text) }

func TestListHeaderRefusesLongMOTDs(t *testing.T) {
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "long message of the day", Value: wzhttp.ListHeader{MOTD: strings.Repeat("a", wzhttp.MaxMOTD+1)},
			Err: lobbywire.ErrTooLarge, Field: "motd"},
		{Name: "type in Extra", Value: wzhttp.ListHeader{Extra: extra("type", "1")},
			Err: lobbywire.ErrInvalid, Field: "extra"},
	})
}

func TestGameAcceptsItsFormsOnly(t *testing.T) {
	sixty := strings.Repeat("a", 60)
	gameCodec.Table(t, []codectest.Case[wzhttp.Game]{
		{Name: "a line", In: line, Want: game()},
		{Name: "all members", In: replace(`"ally":2,"lim":0`, `"ally":0,"blind":4,"lim":7,"private":true`),
			Want: game(func(g *wzhttp.Game) {
				g.Room.Alliances, g.Room.Blind = wzhttp.AlliancesNone, wzhttp.BlindGameSimple
				g.Room.Limits, g.Room.Private = 7, true
			})},
		{Name: "mods", In: replace(`"players"`, `"mods":[{"name":"a","hash":""}],"players"`),
			Want: game(func(g *wzhttp.Game) { g.Room.Mods = []wzhttp.Mod{{Name: "a"}} })},
		{Name: "no mods", In: replace(`"players"`, `"mods":[],"players"`),
			Want: game(func(g *wzhttp.Game) { g.Room.Mods = []wzhttp.Mod{} })},
		{Name: "defaults", In: replace(`"cur":1,`, ``)[:at(`"specs"`)-8] + `"conn":[]}`,
			Want: game(func(g *wzhttp.Game) {
				g.Room.Players.Current, g.Room.Spectators, g.Room.Alliances = 0, wzhttp.Seats{}, 0
				g.Connections = []wzhttp.ConnectionType{}
			}), Strict: lobbywire.ErrInvalid, Differs: true},
		{Name: "zeros that hosts leave out", In: replace(`"lim":0`, `"blind":0,"lim":0,"private":false`),
			Want: game(), Out: line},
		{Name: "unknown members", In: replace(`"ally"`, `"tech":1,"ally"`),
			Want: game(func(g *wzhttp.Game) { g.Extra = extra("tech", "1") }),
			Out:  strings.TrimSuffix(line, "}") + `,"tech":1}`},
		{Name: "a type", In: replace(`{"id"`, `{"type":"game","id"`),
			Want: game(func(g *wzhttp.Game) { g.Type = "game" })},
		{Name: "unknown numbers", In: replace(`"ally":2,"lim":0`, `"ally":9,"blind":9,"lim":255`),
			Want: game(func(g *wzhttp.Game) {
				g.Room.Alliances, g.Room.Blind, g.Room.Limits = 9, 9, 255
			})},
		{Name: "a number above its size", In: replace(`"ally":2`, `"ally":300`),
			Want: game(func(g *wzhttp.Game) { g.Room.Alliances = 44 }), Strict: lobbywire.ErrInvalid, Differs: true},
		{Name: "a number of 64 bits", In: replace(`"ally":2`, `"ally":18446744073709551615`),
			Want: game(func(g *wzhttp.Game) { g.Room.Alliances = 255 }), Strict: lobbywire.ErrInvalid, Differs: true},
		{Name: "a negative number", In: replace(`"cur":1`, `"cur":-1`), Want: game(func(g *wzhttp.Game) {
			g.Room.Players.Current = 1<<32 - 1
		}), Strict: lobbywire.ErrInvalid, Differs: true},
		{Name: "a fraction", In: replace(`"ally":2`, `"ally":4.9`),
			Want: game(func(g *wzhttp.Game) { g.Room.Alliances = 4 }), Strict: lobbywire.ErrInvalid, Differs: true},
		{Name: "a negative fraction", In: replace(`"ally":2`, `"ally":-1.5`),
			Want: game(func(g *wzhttp.Game) { g.Room.Alliances = 255 }), Strict: lobbywire.ErrInvalid, Differs: true},
		{Name: "booleans for numbers", In: replace(`"ally":2,"lim":0`, `"ally":true,"lim":false`),
			Want: game(func(g *wzhttp.Game) { g.Room.Alliances = 1 }), Strict: lobbywire.ErrInvalid, Differs: true},
		{Name: "unknown connections", In: replace(`"tcp:ip6"`, `"udp:ip6"`), Want: game(func(g *wzhttp.Game) {
			g.Connections[1] = "udp:ip6"
		}), Strict: lobbywire.ErrInvalid, Refused: true},
		{Name: "an id that no URL can carry", In: replace(`G7K2Q`, `G/1`),
			Want: game(func(g *wzhttp.Game) { g.ID = "G/1" }), Strict: lobbywire.ErrInvalid, Refused: true},
		{Name: "a long id", In: replace(`G7K2Q`, sixty+sixty),
			Want: game(func(g *wzhttp.Game) { g.ID = sixty + sixty }), Strict: lobbywire.ErrTooLarge, Refused: true},
		{Name: "a long name", In: replace(`Anna's room`, sixty+sixty+sixty), Want: game(func(g *wzhttp.Game) {
			g.Room.Name = sixty + sixty + sixty
		}), Strict: lobbywire.ErrTooLarge, Refused: true},
		{Name: "a long name of a player", In: replace(`"name":"Anna"`, `"name":"`+sixty+`1234"`),
			Want:   game(func(g *wzhttp.Game) { g.Room.Host.Name = sixty + "1234" }),
			Strict: lobbywire.ErrTooLarge, Refused: true},
		{Name: "a key that is none", In: replace(key, "AAAA"), Want: game(func(g *wzhttp.Game) {
			g.Room.Host.PublicKey = "AAAA"
		}), Strict: lobbywire.ErrInvalid, Refused: true},
		{Name: "a hash that is none", In: replace(`"Sk-Rush",""`, `"Sk-Rush","AB"`),
			Want: game(func(g *wzhttp.Game) { g.Room.Map.Hash = "AB" }), Strict: lobbywire.ErrInvalid, Refused: true},
		{Name: "a CR", In: line + "\r", Want: game(), Out: line},

		{Name: "the type of a header", In: replace(`{"id"`, `{"type":"header","id"`),
			Err: lobbywire.ErrInvalid, Field: "type", Offset: 8},
		{Name: "a type that is no text", In: replace(`{"id"`, `{"type":1,"id"`),
			Err: lobbywire.ErrInvalid, Field: "type", Offset: 8},
		{Name: "numbers of more than 64 bits", In: replace(`"ally":2`, `"ally":1e20`),
			Err: lobbywire.ErrInvalid, Field: "ally", Offset: at(`"ally"`) + 7},
		{Name: "null", In: replace(`"ally":2`, `"ally":null`),
			Err: lobbywire.ErrInvalid, Field: "ally", Offset: at(`"ally"`) + 7},
		{Name: "one number of two", In: replace(`[16384,104]`, `[16384]`),
			Err: lobbywire.ErrInvalid, Field: "netv", Offset: at(`[16384`)},
		{Name: "three numbers", In: replace(`[16384,104]`, `[16384,104,1]`),
			Err: lobbywire.ErrInvalid, Field: "netv", Offset: at(`[16384`)},
		{Name: "a map without a hash", In: replace(`["Sk-Rush",""]`, `["Sk-Rush"]`),
			Err: lobbywire.ErrInvalid, Field: "map", Offset: at(`["Sk`)},
		{Name: "a map with more", In: replace(`["Sk-Rush",""]`, `["Sk-Rush","",{}]`),
			Err: lobbywire.ErrInvalid, Field: "map", Offset: at(`["Sk`)},
		{Name: "no key", In: replace(`,"pk":"`+key+`"`, ``),
			Err: lobbywire.ErrInvalid, Field: "host.pk", Offset: at(`,"pk"`)},
		{Name: "no capacity", In: replace(`,"max":4`, ``),
			Err: lobbywire.ErrInvalid, Field: "players.max", Offset: at(`,"max":4`)},
		{Name: "a connection that is no text", In: replace(`"tcp:ip6"`, `6`),
			Err: lobbywire.ErrInvalid, Field: "conn[1]", Offset: at(`"tcp:ip6"`)},
		{Name: "a mod without a hash", In: replace(`"players"`, `"mods":[{"name":"a"}],"players"`),
			Err: lobbywire.ErrInvalid, Field: "mods[0].hash", Offset: at(`"players"`) + 19},
		{Name: "a member again", In: replace(`"ally":2`, `"ally":3,"ally":2`),
			Want: game(), Out: line, Strict: lobbywire.ErrInvalid},
		{Name: "an object again", In: replace(`"ally":2`, `"ally":2,"players":{"max":4}`),
			Want: game(func(g *wzhttp.Game) { g.Room.Players.Current = 0 }), Strict: lobbywire.ErrInvalid, Differs: true},
		{Name: "arrays again", In: replace(`"ally":2`, `"ally":2,"mods":[{"name":"a","hash":""}],"mods":[],"conn":[]`),
			Want: game(func(g *wzhttp.Game) { g.Room.Mods = []wzhttp.Mod{} }), Strict: lobbywire.ErrInvalid, Differs: true},
		{Name: "an unknown member again", In: replace(`"ally"`, `"x":1,"x":2,"ally"`),
			Want:   game(func(g *wzhttp.Game) { g.Extra = extra("x", "2") }),
			Strict: lobbywire.ErrInvalid, Differs: true},
		{Name: "a member of an unknown one again", In: replace(`"ally"`, `"x":{"y":1,"y":2},"ally"`),
			Want:   game(func(g *wzhttp.Game) { g.Extra = extra("x", `{"y":1,"y":2}`) }),
			Strict: lobbywire.ErrInvalid, Refused: true},
		{Name: "unknown members nested deep", In: replace(`"ally"`, `"x":`+deep(200)+`,"ally"`),
			Want:   game(func(g *wzhttp.Game) { g.Extra = extra("x", deep(200)) }),
			Strict: lobbywire.ErrTooLarge, Refused: true},
		{Name: "a member again that is invalid", In: replace(`"ally":2`, `"ally":null,"ally":2`),
			Err: lobbywire.ErrInvalid, Field: "ally", Offset: at(`"ally"`) + 7},
		{Name: "unknown members nested too deep", In: replace(`"ally"`, `"x":`+deep(wirejson.MaxLooseDepth+1)+`,"ally"`),
			Err: lobbywire.ErrTooLarge, Field: "extra", Offset: at(`"ally"`) + 4},
	})
	mods := make([]wzhttp.Mod, wzhttp.MaxMods+1)
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "no id", Value: game(func(g *wzhttp.Game) { g.ID = "" }), Err: lobbywire.ErrInvalid, Field: "id"},
		{Name: "the type of a header", Value: game(func(g *wzhttp.Game) { g.Type = "header" }),
			Err: lobbywire.ErrInvalid, Field: "type"},
		{Name: "many mods", Value: game(func(g *wzhttp.Game) { g.Room.Mods = mods }),
			Err: lobbywire.ErrTooLarge, Field: "mods"},
		{Name: "a hash of a mod", Value: game(func(g *wzhttp.Game) { g.Room.Mods = []wzhttp.Mod{{}, {Hash: "x"}} }),
			Err: lobbywire.ErrInvalid, Field: "mods[1].hash"},
		{Name: "a hash of a map", Value: game(func(g *wzhttp.Game) { g.Room.Map.Hash = "x" }),
			Err: lobbywire.ErrInvalid, Field: "map[1]"},
		{Name: "a name that is not UTF-8", Value: game(func(g *wzhttp.Game) { g.Room.Map.Name = "\xff" }),
			Err: lobbywire.ErrInvalid, Field: "map[0]"},
		{Name: "a key of the host", Value: game(func(g *wzhttp.Game) { g.Room.Host.PublicKey = key[1:] }),
			Err: lobbywire.ErrInvalid, Field: "host.pk"},
		{Name: "a connection", Value: game(func(g *wzhttp.Game) { g.Connections[0] = "tcp:ip9" }),
			Err: lobbywire.ErrInvalid, Field: "conn"},
		{Name: "a member again", Value: game(func(g *wzhttp.Game) { g.Extra = extra("lim", "1") }),
			Err: lobbywire.ErrInvalid, Field: "extra"},
		{Name: "a member of a part again", Value: game(func(g *wzhttp.Game) {
			g.Room.Players.Extra = extra("max", "1")
		}), Err: lobbywire.ErrInvalid, Field: "players.extra"},
		{Name: "a member that is no JSON", Value: game(func(g *wzhttp.Game) { g.Extra = extra("x", "{") }),
			Err: lobbywire.ErrInvalid, Field: "extra"},
		{Name: "a large body", Value: game(func(g *wzhttp.Game) {
			g.Room.Map.Name = strings.Repeat("a", wzhttp.MaxBody)
		}), Err: lobbywire.ErrTooLarge, Field: ""},
	})
}

// deep returns objects nested in each other.
func deep(n int) string { return strings.Repeat(`{"a":`, n-1) + "{}" + strings.Repeat("}", n-1) }

// A repeated array allocates no room for the rest of the line each time.
func TestRepeatedArraysAllocateLittle(t *testing.T) {
	for _, text := range []string{
		replace(`"ally"`, strings.Repeat(`"mods":[],`, 3000)+`"x":[{}`+strings.Repeat(",{}", 7000)+`],"ally"`),
		replace(`"ally"`, strings.Repeat(`"mods":[{"name":"a","hash":""}],`, 1500)+`"ally"`),
		replace(`"ally"`, `"x":`+deep(900)+`,"ally"`),
	} {
		gameCodec.CheckMemory(t, []byte(text))
	}
}

// extra returns one unknown member.
func extra(name, value string) map[string]json.RawMessage {
	return map[string]json.RawMessage{name: json.RawMessage(value)}
}

func TestBodiesAboveTheLimitAreRefused(t *testing.T) {
	for _, limit := range []int{len(line), len(line) - 1, -1} {
		_, err := wzhttp.Options{MaxBody: limit}.ParseGame([]byte(line))
		if (err == nil) != (limit == len(line)) {
			t.Errorf("limit %d, body of %d bytes: %v", limit, len(line), err)
		}
	}
}

func TestEnumsHaveNames(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{wzhttp.AlliancesNone.String(), "free for all"},
		{wzhttp.AlliancesUnshared.String(), "teams without shared research"},
		{wzhttp.Alliances(4).String(), "alliances(4)"},
		{wzhttp.BlindNone.String(), "none"},
		{wzhttp.BlindGameSimple.String(), "simple blind game"},
		{wzhttp.Blind(255).String(), "blind(255)"},
		{wzhttp.Limits(0).String(), "0x0"},
		{(wzhttp.LimitTanks | wzhttp.LimitVTOLs).String(), "tanks|vtols"},
		{wzhttp.LimitCyborgs.String(), "cyborgs"},
		{wzhttp.Limits(0x12).String(), "cyborgs|0x10"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
	for typ, want := range map[wzhttp.ConnectionType]bool{
		"tcp": true, "tcp:ip4": true, "gns:ip6": true, "tcp:ip9": false, "quic": false, "tcp:": false, "": false,
	} {
		if got := typ.Valid(); got != want {
			t.Errorf("%q: %v", typ, got)
		}
	}
}

// TestPublicKeysAreStrictBase64 changes bytes of a key and compares which keys can be sent with the keys
// that package base64 accepts.
func TestPublicKeysAreStrictBase64(t *testing.T) {
	for at := range len(key) {
		for c := range 256 {
			changed := []byte(key)
			changed[at] = byte(c)
			decoded, err := base64.StdEncoding.Strict().DecodeString(string(changed))
			want := err == nil && len(decoded) == ed25519.PublicKeySize
			_, err = game(func(g *wzhttp.Game) { g.Room.Host.PublicKey = string(changed) }).AppendBinary(nil)
			if got := err == nil; got != want {
				t.Errorf("%q: %v, want %v", changed, got, want)
			}
		}
	}
}
