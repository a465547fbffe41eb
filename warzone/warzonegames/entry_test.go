package warzonegames

import (
	"encoding/json"
	"net/netip"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamelist"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// fullEntry returns an entry with all fields set, except the game's.
func fullEntry() Entry {
	noon := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	return Entry{
		Key: netip.MustParseAddrPort("192.0.2.1:2100"), ID: 5, Source: SourceHTTP,
		Started: true, Verified: true, Withheld: true, Unreachable: true, Game: warzone.Game{Name: "\xfc"}, Tech: "T1",
		Second: netip.MustParseAddrPort("[2001:db8::1]:2100"), PublicKey: "key", MapHash: "hash",
		Mods: []wzhttp.Mod{{Name: "a", Hash: "b"}, {Name: "\xfc"}},
		HTTP: gamelist.HTTP{
			Session: 7,
			Announced: []gamelist.AnnouncedAddress{{Kind: wzhttp.TCP4, At: netip.MustParseAddrPort("192.0.2.1:2100"),
				Status: wzhttp.ValidationSubmitted}},
			Joins: []gamelist.UsedToken{{Expires: 9, Nonce: [8]byte{1, 0xff}, Player: [8]byte{2, 0xff}}},
		},
		Opened: noon, Seen: noon.Add(time.Second), Expires: noon.Add(time.Minute),
		Extra: map[string]json.RawMessage{"x": []byte("1")},
	}
}

// A change of any field makes an entry another one, except of fields that change with
// each request of a host or do not come from it.
func TestEntryIsSame(t *testing.T) {
	e := fullEntry()
	if same := fullEntry(); !e.isSame(&same) {
		t.Error("the same entries are not the same")
	}
	ignored := map[string]bool{"Seen": true, "Expires": true, "Withheld": true}
	check := func(of string, zero func(e *Entry) reflect.Value) {
		other := fullEntry()
		field := zero(&other)
		if field.IsZero() {
			t.Errorf("%s is not set", of)
		}
		field.SetZero()
		if e.isSame(&other) != ignored[of] {
			t.Errorf("%s is compared: %v", of, ignored[of])
		}
	}
	for i := range reflect.TypeFor[Entry]().NumField() {
		check(reflect.TypeFor[Entry]().Field(i).Name,
			func(e *Entry) reflect.Value { return reflect.ValueOf(e).Elem().Field(i) })
	}
	for i := range reflect.TypeFor[gamelist.HTTP]().NumField() {
		check(reflect.TypeFor[gamelist.HTTP]().Field(i).Name,
			func(e *Entry) reflect.Value { return reflect.ValueOf(&e.HTTP).Elem().Field(i) })
	}
}

// An entry that was copied shares no slice, and has at most as many tokens as a game remembers.
func TestEntrySharesNoMemory(t *testing.T) {
	const maxJoins = 128
	e := fullEntry()
	e.HTTP.Joins = make([]gamelist.UsedToken, maxJoins+1)
	e.HTTP.Joins[maxJoins].Expires = 9
	e.Mods[0].Extra = map[string]json.RawMessage{"x": nil}
	c := e
	c.unshare()
	clear(e.Mods)
	clear(e.HTTP.Announced)
	clear(e.HTTP.Joins)
	if want := fullEntry(); !cmp.Equal(c.Mods, want.Mods) || c.HTTP.Announced[0] != want.HTTP.Announced[0] {
		t.Errorf("%+v", c)
	}
	if joins := c.HTTP.Joins; len(joins) != maxJoins || joins[maxJoins-1].Expires != 9 {
		t.Errorf("%d tokens", len(joins))
	}
}
