package warzonegames_test

import (
	"encoding/json"
	"net/netip"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lobbywire/lobbywire/internal/messagejson"
	"github.com/lobbywire/lobbywire/internal/test/laws"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamelist"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// early is an entry as lobbyd 0.1.0 has written it.
const early = `{"key":"[2001:db8::1]:2100","id":200,"source":200,"started":true,"verified":true,"withheld":false,
"unreachable":true,"game":{"version":200,"layout":200,"name":"ü:\u0000","size":200,"flags":200,"host":"",
"maxPlayers":200,"currentPlayers":200,"userFlags":[200,200,200,200],"misc":"ü:\u0000",
"secondaryHosts":["ü:\u0000","ü:\u0000"],"extra":"ü:\u0000","hostPort":200,"mapName":"ü:\u0000",
"hostName":"ü:\u0000","versionString":"ü:\u0000","modList":"ü:\u0000","netcodeMajor":200,"netcodeMinor":200,
"private":200,"pure":200,"mods":200,"gameId":0,"limits":200,"os":200,"netcodeWord":200},"tech":"ü:\u0000",
"http":{"session":200,"second":"[2001:db8::1]:2100","publicKey":"ü:\u0000","mapHash":"ü:\u0000",
"mods":[{"name":"ü:\u0000","hash":"ü:\u0000"},{"name":"ü:\u0000","hash":"ü:\u0000"}],
"announced":[{"kind":"ü:\u0000","at":"[2001:db8::1]:2100","status":"ü:\u0000"},{"kind":"ü:\u0000",
"at":"[2001:db8::1]:2100","status":"ü:\u0000"}],"joins":[{"expires":-3,"nonce":"c8c8c8c8c8c8c8c8",
"player":"c8c8c8c8c8c8c8c8"},{"expires":-3,"nonce":"c8c8c8c8c8c8c8c8","player":"c8c8c8c8c8c8c8c8"}]},
"opened":"2026-01-02T12:00:00Z","seen":"2026-01-02T12:00:00Z","expires":"2026-01-02T12:00:00Z",
"latin1":["/game/name","/game/misc","/game/secondaryHosts/0","/game/secondaryHosts/1","/game/extra",
"/game/mapName","/game/hostName","/game/versionString","/game/modList","/tech","/http/publicKey",
"/http/mapHash","/http/mods/0/name","/http/mods/0/hash","/http/mods/1/name","/http/mods/1/hash",
"/http/announced/0/kind","/http/announced/0/status","/http/announced/1/kind","/http/announced/1/status"]}`

var entryLaws = laws.Entry[warzonegames.Entry, *warzonegames.Entry]{
	Fix: func(e *warzonegames.Entry) {
		e.Withheld, e.Game.Host, e.Game.GameID = false, "", 0
		for i := range e.Mods {
			e.Mods[i].Extra = nil
		}
	},
	Early:  early,
	Lacks:  func(*warzonegames.Entry) {},
	Within: []string{"game", "http"},
}

func TestEntryObeysTheLaws(t *testing.T) { entryLaws.Test(t) }

// An earlyEntry is an Entry as early versions had it, with the names of its members.
type earlyEntry struct {
	Key                                      netip.AddrPort
	ID                                       uint32
	Source                                   warzonegames.Source
	Started, Verified, Withheld, Unreachable bool
	Game                                     warzone.Game
	Tech                                     string
	HTTP                                     struct {
		Session            uint64
		Second             netip.AddrPort
		PublicKey, MapHash string
		Mods               []wzhttp.Mod
		Announced          []gamelist.AnnouncedAddress
		Joins              []gamelist.UsedToken
	}
	Opened, Seen, Expires time.Time
}

// The form has only members that early versions know, which refuse all others.
func TestEarlyVersionsReadEntries(t *testing.T) {
	e := entryLaws.Filled(t)
	e.Extra = nil
	b, err := e.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	var early earlyEntry
	if err := messagejson.Unmarshal(b, &early); err != nil {
		t.Fatal(err)
	}
	h := early.HTTP
	got := warzonegames.Entry{
		Key: early.Key, ID: early.ID, Source: early.Source, Started: early.Started, Verified: early.Verified,
		Withheld: early.Withheld, Unreachable: early.Unreachable, Game: early.Game, Tech: early.Tech,
		Second: h.Second, PublicKey: h.PublicKey, MapHash: h.MapHash, Mods: h.Mods,
		HTTP:   gamelist.HTTP{Session: h.Session, Announced: h.Announced, Joins: h.Joins},
		Opened: early.Opened, Seen: early.Seen, Expires: early.Expires,
	}
	if diff := cmp.Diff(e, got, cmpopts.EquateComparable(netip.AddrPort{})); diff != "" {
		t.Error(diff)
	}
}

// What a later version has added to an entry stays, also when its host has moved to this node.
func TestStoreKeepsUnknownMembers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := gamestest.Nodes(t, 2)
		extra := map[string]json.RawMessage{"later": []byte("1")}
		e := gamestest.At(1)
		e.Extra = extra
		e = gamestest.Add(t, nodes[0], e)
		b.Flush()
		time.Sleep(time.Second)
		if _, err := nodes[1].ForLobbies().Adopt(e.ID, func(e *warzonegames.Entry) { e.Game.Name = "Moved" }); err != nil {
			t.Fatal(err)
		}
		b.Flush()
		if got, _ := nodes[0].FindID(e.ID); got.Game.Name != "Moved" || !reflect.DeepEqual(got.Extra, extra) {
			t.Errorf("%+v", got)
		}
	})
}
