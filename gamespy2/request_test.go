package gamespy2_test

import (
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

func TestRequestAcceptsItsFormsOnly(t *testing.T) {
	all := gamespy2.All()
	requestCodec.Table(t, []codectest.Case[gamespy2.Request]{
		{Name: "all sections, plain", In: "\xfe\xfd\x00\x10\x20\x30\x40\xff\xff\xff",
			Want: gamespy2.Request{ID: testID, Info: all, Players: all, Teams: all}},
		{Name: "all sections, split", In: "\xfe\xfd\x00\x10\x20\x30\x40\xff\xff\xff\x01",
			Want: gamespy2.Request{ID: testID, Info: all, Players: all, Teams: all, Flags: gamespy2.FlagSplit}},
		{Name: "no sections", In: "\xfe\xfd\x00\x10\x20\x30\x40\x00\x00\x00", Want: gamespy2.Request{ID: testID}},
		{Name: "listed keys", In: "\xfe\xfd\x00\x10\x20\x30\x40\x02\x01\x05\x01\x15\x01\xfd",
			Want: gamespy2.Request{
				ID:      testID,
				Info:    gamespy2.Keys(gamespy2.KeyHostname, gamespy2.KeyMapName),
				Players: gamespy2.Keys(21),
				Teams:   gamespy2.Keys(253),
			}},
		{Name: "as many keys as fit", In: "\xfe\xfd\x00\x10\x20\x30\x40\xf5" + strings.Repeat("\x07", 245) + "\x00\x00",
			Want: gamespy2.Request{ID: testID, Info: gamespy2.Keys(repeat(7, 245)...)}},
		{Name: "as many team keys as fit, and flags ignored beyond the limit",
			In:   "\xfe\xfd\x00\x10\x20\x30\x40\x00\x00\xf5" + strings.Repeat("\x07", 245),
			Want: gamespy2.Request{ID: testID, Teams: gamespy2.Keys(repeat(7, 245)...)}},
		{Name: "unassigned flags", In: "\xfe\xfd\x00\x10\x20\x30\x40\xff\x00\x00\xfe",
			Want: gamespy2.Request{ID: testID, Info: all, Flags: 0xfe}},
		{Name: "flags of 0", In: "\xfe\xfd\x00\x10\x20\x30\x40\xff\x00\x00\x00", Differs: true,
			Want: gamespy2.Request{ID: testID, Info: all}},
		{Name: "challenge", In: "\xfe\xfd\x09\x10\x20\x30\x40",
			Want: gamespy2.Request{Type: gamespy2.TypeChallenge, ID: testID}},
		{Name: "challenge with more bytes", In: "\xfe\xfd\x09\x10\x20\x30\x40\x00\x00\x00\x00", Differs: true,
			Want: gamespy2.Request{Type: gamespy2.TypeChallenge, ID: testID}, Strict: lobbywire.ErrTrailing},
		{Name: "echo", In: "\xfe\xfd\x02\x10\x20\x30\x40ab",
			Want: gamespy2.Request{Type: gamespy2.TypeEcho, ID: testID, Data: gamespy2.MakeEchoData([]byte("ab"))}},
		{Name: "echo without data", In: "\xfe\xfd\x02\x10\x20\x30\x40",
			Want: gamespy2.Request{Type: gamespy2.TypeEcho, ID: testID}},
		{Name: "echo with more data than come back", In: "\xfe\xfd\x02\x10\x20\x30\x40" + strings.Repeat("x", 33),
			Differs: true,
			Want: gamespy2.Request{Type: gamespy2.TypeEcho, ID: testID,
				Data: gamespy2.MakeEchoData([]byte(strings.Repeat("x", 32)))}, Strict: lobbywire.ErrTrailing},

		{Name: "empty datagram", In: "", Err: lobbywire.ErrTruncated, Field: "magic", Offset: 0},
		{Name: "half of the magic", In: "\xfe", Err: lobbywire.ErrTruncated, Field: "magic", Offset: 0},
		{Name: "a byte of another protocol", In: "\xff", Err: lobbywire.ErrInvalid, Field: "magic", Offset: 0},
		{Name: "wrong second byte", In: "\xfe\xfe", Err: lobbywire.ErrInvalid, Field: "magic", Offset: 0},
		{Name: "five bytes", In: "\xfe\xfd\x00\x10\x20", Err: lobbywire.ErrTruncated, Field: "id", Offset: 3},
		{Name: "message of a master", In: "\xfe\xfd\x01", Err: lobbywire.ErrUnsupported, Field: "type", Offset: 2},
		{Name: "query without selectors", In: "\xfe\xfd\x00\x10\x20\x30\x40",
			Err: lobbywire.ErrTruncated, Field: "info", Offset: 7},
		{Name: "query with one selector", In: "\xfe\xfd\x00\x10\x20\x30\x40\xff",
			Err: lobbywire.ErrTruncated, Field: "players", Offset: 8},
		{Name: "query with two selectors", In: "\xfe\xfd\x00\x10\x20\x30\x40\xff\xff",
			Err: lobbywire.ErrTruncated, Field: "teams", Offset: 9},
		{Name: "keys beyond the end", In: "\xfe\xfd\x00\x10\x20\x30\x40\x00\x00\x03\x01\x02",
			Err: lobbywire.ErrTruncated, Field: "teams", Offset: 9},
		{Name: "more keys than a request can hold", In: "\xfe\xfd\x00\x10\x20\x30\x40\xf6",
			Err: lobbywire.ErrTooLarge, Field: "info", Offset: 7},
		{Name: "one team key too many", In: "\xfe\xfd\x00\x10\x20\x30\x40\x00\x00\xf6",
			Err: lobbywire.ErrTooLarge, Field: "teams", Offset: 9},
		{Name: "256 bytes", In: "\xfe\xfd\x09\x10\x20\x30\x40" + strings.Repeat("\x00", 249),
			Err: lobbywire.ErrTooLarge, Offset: 255},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "answer type", Value: gamespy2.Request{Type: gamespy2.TypeEchoResponse},
			Err: lobbywire.ErrUnsupported, Field: "type"},
		{Name: "too many info keys", Value: gamespy2.Request{Info: gamespy2.Keys(repeat(1, 246)...)},
			Err: lobbywire.ErrTooLarge, Field: "info"},
		{Name: "too many player keys", Value: gamespy2.Request{Players: gamespy2.Keys(repeat(1, 300)...)},
			Err: lobbywire.ErrTooLarge, Field: "players"},
		{Name: "too many keys together",
			Value: gamespy2.Request{Info: gamespy2.Keys(repeat(1, 200)...), Teams: gamespy2.Keys(repeat(1, 46)...)},
			Err:   lobbywire.ErrTooLarge},
		{Name: "too much echo data",
			Value: gamespy2.Request{Type: gamespy2.TypeEcho, Data: gamespy2.MakeEchoData(make([]byte, 33))},
			Err:   lobbywire.ErrTooLarge, Field: "data"},
	})
}

func repeat(id gamespy2.KeyID, n int) []gamespy2.KeyID {
	ids := make([]gamespy2.KeyID, n)
	for i := range ids {
		ids[i] = id
	}
	return ids
}

func TestRequestWithChallengeAcceptsItsFormsOnly(t *testing.T) {
	all := gamespy2.All()
	requestCodecWith(gamespy2.Options{Challenge: true}).Table(t, []codectest.Case[gamespy2.Request]{
		{Name: "query", In: "\xfe\xfd\x00\x10\x20\x30\x40\xb3\x41\x2b\x5a\xff\xff\xff\x01",
			Want: gamespy2.Request{ID: testID, HasChallenge: true, Challenge: -1287574694, Info: all, Players: all,
				Teams: all, Flags: gamespy2.FlagSplit}},
		{Name: "challenge of 0", In: "\xfe\xfd\x00\x10\x20\x30\x40\x00\x00\x00\x00\xff\x00\x00",
			Want: gamespy2.Request{ID: testID, HasChallenge: true, Info: all}},
		{Name: "a challenge request has none", In: "\xfe\xfd\x09\x10\x20\x30\x40",
			Want: gamespy2.Request{Type: gamespy2.TypeChallenge, ID: testID}},
		{Name: "query without one", In: "\xfe\xfd\x00\x10\x20\x30\x40\xff\xff\xff\x01",
			Err: lobbywire.ErrTruncated, Field: "info", Offset: 11},
		{Name: "shorter query without one", In: "\xfe\xfd\x00\x10\x20\x30\x40\xff\xff\xff",
			Err: lobbywire.ErrTruncated, Field: "challenge", Offset: 7},
		{Name: "keys that fit only without a challenge", In: "\xfe\xfd\x00\x10\x20\x30\x40\x00\x00\x00\x00\xf2",
			Err: lobbywire.ErrTooLarge, Field: "info", Offset: 11},
	})
}

func TestStrictRequestRefusesTrailingBytes(t *testing.T) {
	requestCodecWith(gamespy2.Options{Strict: true}).Table(t, []codectest.Case[gamespy2.Request]{
		{Name: "query", In: "\xfe\xfd\x00\x10\x20\x30\x40\xff\x00\x00\x01",
			Want: gamespy2.Request{ID: testID, Info: gamespy2.All(), Flags: gamespy2.FlagSplit}},
		{Name: "bytes after a query", In: "\xfe\xfd\x00\x10\x20\x30\x40\xff\x00\x00\x01\x00",
			Err: lobbywire.ErrTrailing, Offset: 11},
		{Name: "bytes after a challenge request", In: "\xfe\xfd\x09\x10\x20\x30\x40\x00",
			Err: lobbywire.ErrTrailing, Offset: 7},
		{Name: "echo with too much data", In: "\xfe\xfd\x02\x10\x20\x30\x40" + strings.Repeat("x", 33),
			Err: lobbywire.ErrTrailing, Offset: 39},
	})
}

func TestRequestAsksForSections(t *testing.T) {
	all, some := gamespy2.All(), gamespy2.Keys(24)
	for _, tt := range []struct {
		name      string
		m         gamespy2.Request
		want      gamespy2.Sections
		wantSplit bool
	}{
		{"nothing", gamespy2.Request{}, 0, false},
		{"info", gamespy2.Request{Info: all}, gamespy2.SectionInfo, false},
		{"players and teams", gamespy2.Request{Players: some, Teams: all},
			gamespy2.SectionPlayers | gamespy2.SectionTeams, false},
		{"whatever, split", gamespy2.Request{Info: some, Flags: gamespy2.FlagSplit | 0x80}, gamespy2.AllSections, true},
		{"another flag", gamespy2.Request{Info: some, Flags: 2}, gamespy2.SectionInfo, false},
	} {
		if got := tt.m.Sections(); got != tt.want || tt.m.Split() != tt.wantSplit {
			t.Errorf("%s: sections %v, split %v", tt.name, got, tt.m.Split())
		}
	}
}

func TestKeysHaveNames(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{gamespy2.KeyHostname.String(), "hostname"},
		{gamespy2.KeyMapName.String(), "mapname"},
		{gamespy2.KeyPassword.String(), "password"},
		{gamespy2.KeyID(21).String(), "player_"},
		{gamespy2.KeyID(29).String(), "score_t"},
		{gamespy2.KeyID(32).String(), "region"},
		{gamespy2.KeyID(0).String(), "key(0)"},
		{gamespy2.KeyID(33).String(), "key(33)"},
		{gamespy2.Sections(0).String(), "none"},
		{gamespy2.AllSections.String(), "info|players|teams"},
		{gamespy2.SectionTeams.String(), "teams"},
		{gamespy2.Selector{}.String(), "none"},
		{gamespy2.All().String(), "all"},
		{gamespy2.Keys(1, 6, 5).String(), "1,6,5"},
		{gamespy2.Keys(repeat(1, 246)...).String(), "too many"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
	// The numbers on the wire.
	for k, n := range map[gamespy2.KeyID]int{
		gamespy2.KeyHostname: 1, gamespy2.KeyMapName: 5, gamespy2.KeyGameType: 6, gamespy2.KeyNumPlayers: 8,
		gamespy2.KeyMaxPlayers: 10, gamespy2.KeyPassword: 19, gamespy2.KeyGroupID: 20,
	} {
		if int(k) != n {
			t.Errorf("%v is %d, want %d", k, int(k), n)
		}
	}
}

func TestSelectorSelectsNoneSomeOrAll(t *testing.T) {
	some := gamespy2.Keys(6, 1)
	none, all := gamespy2.Selector{}, gamespy2.All()
	for _, tt := range []struct {
		name      string
		s         gamespy2.Selector
		none, all bool
		len       int
	}{
		{"zero value", none, true, false, 0},
		{"no keys", gamespy2.Keys(), true, false, 0},
		{"all", all, false, true, 0},
		{"keys", some, false, false, 2},
		{"too many keys", gamespy2.Keys(repeat(1, 255)...), false, false, 0},
	} {
		if (tt.s == none) != tt.none || (tt.s == all) != tt.all || tt.s.Len() != tt.len {
			t.Errorf("%s: none %v, all %v, length %d", tt.name, tt.s == none, tt.s == all, tt.s.Len())
		}
	}
	if some.ID(0) != gamespy2.KeyGameType || some.ID(1) != gamespy2.KeyHostname {
		t.Errorf("keys %v, %v", some.ID(0), some.ID(1))
	}
	for _, text := range []string{"", "some", "1,", "256", "-1"} {
		if err := new(gamespy2.Selector).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is taken for a selector", text)
		}
	}
}

func TestRequestRefusesFieldsOfOtherTypes(t *testing.T) {
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "challenge not sent", Value: gamespy2.Request{Challenge: 1},
			Err: lobbywire.ErrInvalid, Field: "challenge"},
		{Name: "challenge", Value: gamespy2.Request{Type: gamespy2.TypeEcho, HasChallenge: true},
			Err: lobbywire.ErrInvalid, Field: "challenge"},
		{Name: "flags", Value: gamespy2.Request{Type: gamespy2.TypeChallenge, Flags: gamespy2.FlagSplit},
			Err: lobbywire.ErrInvalid, Field: "type"},
	})
}
