package gamespy2_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

func TestStatRequestAcceptsItsFormsOnly(t *testing.T) {
	const head = "\xfe\xfd\x00\x00\x00\x00\x01\x00\x91\x29\x5b"
	basic := gamespy2.StatRequest{ID: [4]byte{0, 0, 0, 1}, Challenge: 9513307}
	full := basic
	full.Full = true
	statRequestCodec.Table(t, []codectest.Case[gamespy2.StatRequest]{
		{Name: "basic", In: head, Want: basic},
		{Name: "full, padded with zeros", In: head + "\x00\x00\x00\x00", Want: full},
		{Name: "full, padded with selectors", In: head + "\xff\xff\xff\x01", Want: full, Differs: true},
		{Name: "bytes after the padding", In: head + "\x00\x00\x00\x00\x00", Want: full, Differs: true,
			Strict: lobbywire.ErrTrailing},
		{Name: "cut in the padding", In: head + "\x00\x00\x00",
			Err: lobbywire.ErrTruncated, Field: "padding", Offset: 11},
		{Name: "without challenge", In: head[:7], Err: lobbywire.ErrTruncated, Field: "challenge", Offset: 7},
		{Name: "challenge request", In: "\xfe\xfd\x09\x00\x00\x00\x01",
			Err: lobbywire.ErrInvalid, Field: "type", Offset: 2},
	})
	_, err := gamespy2.Options{Strict: true}.ParseStatRequest([]byte(head + "\x00\x00\x00\x00c"))
	wantError(t, err, lobbywire.ErrTrailing, "", 15)
}

func TestBasicStatAcceptsItsFormsOnly(t *testing.T) {
	want := gamespy2.BasicStat{ID: testID, MOTD: "a", GameType: "SMP", Map: "w", NumPlayers: 2, MaxPlayers: 20,
		HostPort: 25565, HostIP: "b"}
	const head = plainHead + "a\x00SMP\x00w\x00"
	withMOTD := func(motd string) gamespy2.BasicStat {
		m := want
		m.MOTD = motd
		return m
	}
	withType := func(gameType string) gamespy2.BasicStat {
		m := want
		m.GameType = gameType
		return m
	}
	basicStatCodec.Table(t, []codectest.Case[gamespy2.BasicStat]{
		{Name: "the port is little-endian", In: head + "2\x0020\x00\xdd\x63b\x00", Want: want},
		{Name: "zero bytes in the motd", In: plainHead + "\x00a\x00\x00b\x00SMP\x00w\x002\x0020\x00\xdd\x63b\x00",
			Want: withMOTD("\x00a\x00\x00b"), Refused: true, Strict: lobbywire.ErrInvalid},
		{Name: "a motd that looks like a stat", In: plainHead +
			"a\x00b\x00c\x005\x006\x00SMP\x00w\x002\x0020\x00\xdd\x63b\x00",
			Want: withMOTD("a\x00b\x00c\x005\x006"), Refused: true, Strict: lobbywire.ErrTrailing},
		{Name: "another game type", In: plainHead + "a\x00Duel\x00w\x002\x0020\x00\xdd\x63b\x00",
			Want: withType("Duel")},
		{Name: "a world called SMP", In: plainHead + "a\x00Duel\x00SMP\x002\x0020\x00\xdd\x63b\x00",
			Want: func() gamespy2.BasicStat {
				m := withType("Duel")
				m.Map = "SMP"
				return m
			}()},
		{Name: "zero bytes and another game type", In: plainHead + "a\x00b\x00Duel\x00w\x002\x0020\x00\xdd\x63b\x00",
			Err: lobbywire.ErrTruncated, Field: "motd", Offset: 5, Strict: lobbywire.ErrInvalid},
		{Name: "bytes after it", In: head + "2\x0020\x00\xdd\x63b\x00c", Want: want, Differs: true,
			Strict: lobbywire.ErrTrailing},
		{Name: "not a number", In: head + "two\x00", Err: lobbywire.ErrInvalid, Field: "numPlayers", Offset: 13},
		{Name: "cut in the port", In: head + "2\x0020\x00\xdd",
			Err: lobbywire.ErrTruncated, Field: "hostPort", Offset: 18},
		{Name: "cut in the address", In: head + "2\x0020\x00\xdd\x63b",
			Err: lobbywire.ErrTruncated, Field: "hostIp", Offset: 20},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "zero byte in the motd", Value: gamespy2.BasicStat{MOTD: "\x00"},
			Err: lobbywire.ErrInvalid, Field: "motd"},
		{Name: "zero byte in the address", Value: gamespy2.BasicStat{HostIP: "\x00"},
			Err: lobbywire.ErrInvalid, Field: "hostIp"},
	})
	_, err := gamespy2.Options{Strict: true}.ParseBasicStat([]byte(head + "2\x0020\x00\xdd\x63b\x00c"))
	wantError(t, err, lobbywire.ErrTrailing, "", 22)
}

// minecraftServer returns the state of a Minecraft server.
func minecraftServer(players ...string) gamespy2.Minecraft {
	return gamespy2.Minecraft{
		MOTD: "\xa7aReef", GameType: "SMP", Version: "1.20.4", Plugins: "Paper: Map 1.2; Chat 3", Map: "world",
		NumPlayers: new(len(players)), MaxPlayers: new(20), HostPort: new(25565), HostIP: "127.0.0.1", Players: players,
	}
}

// The full stat has the bytes that Minecraft sends.
func TestMinecraftFullStatHasTheBytesOfTheGame(t *testing.T) {
	for _, tt := range []struct {
		players []string
		end     string
	}{
		{[]string{}, "\x01player_\x00\x00\x00"},
		{[]string{"Ann", "Bo"}, "\x01player_\x00\x00Ann\x00Bo\x00\x00"},
	} {
		want := minecraftServer(tt.players...)
		b := mustAppend(t, want.Response(testID))
		wire := "\x00\x10\x20\x30\x40splitnum\x00\x80\x00hostname\x00\xa7aReef\x00gametype\x00SMP\x00" +
			"game_id\x00MINECRAFT\x00" +
			"version\x001.20.4\x00plugins\x00Paper: Map 1.2; Chat 3\x00map\x00world\x00numplayers\x00" +
			strconv.Itoa(len(tt.players)) +
			"\x00maxplayers\x0020\x00hostport\x0025565\x00hostip\x00127.0.0.1\x00\x00" + tt.end
		if diff := cmp.Diff(wire, string(b)); diff != "" {
			t.Errorf("%d players (-want +got):\n%s", len(tt.players), diff)
		}
		m, err := gamespy2.ParseResponse(b)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, m.Minecraft()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// Keys are found whatever texts contain, or the response is Partial.
func TestMinecraftKeysAreFoundBesideZeroBytes(t *testing.T) {
	const head = plainHead + "splitnum\x00\x80\x00"
	const players = "\x00\x01player_\x00\x00Ann\x00\x00"
	info := func(texts ...string) string { return strings.Join(texts, "\x00") + "\x00" }
	const id = "game_id\x00MINECRAFT"
	for _, tt := range []struct {
		name    string
		in      string
		keys    []string // and their values
		partial bool
	}{
		{"none", info("hostname", "a", "gametype", "SMP", id, "map", "w") + players,
			[]string{"hostname", "a", "gametype", "SMP", "game_id", "MINECRAFT", "map", "w"}, false},
		{"in the motd, at its start", info("hostname", "", "a", "gametype", "SMP", id) + players,
			[]string{"hostname", "\x00a", "gametype", "SMP", "game_id", "MINECRAFT"}, false},
		{"an even number", info("hostname", "a", "b", "c", "gametype", "SMP", id) + players,
			[]string{"hostname", "a\x00b\x00c", "gametype", "SMP", "game_id", "MINECRAFT"}, false},
		{"two in a row", info("hostname", "a", "", "", "b", "gametype", "SMP", id) + players,
			[]string{"hostname", "a\x00\x00\x00b", "gametype", "SMP", "game_id", "MINECRAFT"}, false},
		{"nothing else", info("hostname", "", "", "gametype", "SMP", id) + players,
			[]string{"hostname", "\x00", "gametype", "SMP", "game_id", "MINECRAFT"}, false},
		{"keys in the motd",
			info("hostname", "a", "map", "x", "numplayers", "9", "gametype", "SMP", id, "map", "w") + players,
			[]string{"hostname", "a\x00map\x00x\x00numplayers\x009", "gametype", "SMP", "game_id", "MINECRAFT", "map", "w"},
			false},
		{"in plugins", info("hostname", "a", "gametype", "SMP", id, "plugins", "p", "q", "map", "w") + players,
			[]string{"hostname", "a", "gametype", "SMP", "game_id", "MINECRAFT", "plugins", "p\x00q", "map", "w"}, false},
		{"an unknown key", info("hostname", "a", "gametype", "SMP", id, "plugins", "p", "new", "1", "map", "w") + players,
			[]string{"hostname", "a", "gametype", "SMP", "game_id", "MINECRAFT", "plugins", "p", "new", "1", "map", "w"},
			false},
		{"a key as a value", info("hostname", "gametype", "gametype", "map", id, "plugins", "map", "map", "hostip") + players,
			[]string{"hostname", "gametype", "gametype", "map", "game_id", "MINECRAFT", "plugins", "map", "map", "hostip"},
			false},
		{"an unknown key at the end", info("hostname", "a", "gametype", "SMP", id, "hostip", "i", "x", "map") + players,
			[]string{"hostname", "a", "gametype", "SMP", "game_id", "MINECRAFT", "hostip", "i", "x", "map"}, false},
		{"in the last value", info("hostname", "a", "gametype", "SMP", id, "hostip", "i", "j") + players,
			[]string{"hostname", "a", "gametype", "SMP", "game_id", "MINECRAFT", "hostip", "i"}, true},
		{"cut in a value", info("hostname", "a", "b", "gametype", "SMP", id, "map") + "wor",
			[]string{"hostname", "a\x00b", "gametype", "SMP", "game_id", "MINECRAFT"}, true},
		{"of another game", info("hostname", "a", "b", "gametype", "SMP", "game_id", "DUEL") + players,
			[]string{"hostname", "a", "b", "gametype", "SMP", "game_id"}, true},
	} {
		m, err := gamespy2.ParseResponse([]byte(head + tt.in))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		var got []string
		for _, kv := range m.Info {
			got = append(got, kv.Key, kv.Value)
		}
		if diff := cmp.Diff(tt.keys, got); diff != "" || m.Partial != tt.partial {
			t.Errorf("%s: partial %v (-want +got):\n%s", tt.name, m.Partial, diff)
		}
		if strings.HasSuffix(tt.in, players) && (len(m.Players.Rows) != 1 || m.Players.Rows[0][0] != "Ann") {
			t.Errorf("%s: players %q", tt.name, m.Players.Rows)
		}
		if _, err := (gamespy2.Options{Strict: true}).ParseResponse([]byte(head + tt.in)); err == nil {
			t.Errorf("%s: accepted strictly", tt.name)
		}
	}
}

// A key that is repeated thousands of times is kept each time.
func TestMinecraftKeepsRepeatedKeys(t *testing.T) {
	b := []byte(plainHead + "splitnum\x00\x80\x00hostname\x00a\x00game_id\x00MINECRAFT\x00" +
		strings.Repeat("version\x00a\x00", 5000))
	m, err := gamespy2.ParseResponse(b)
	if err != nil || len(m.Info) != 5002 {
		t.Errorf("%d keys, %v", len(m.Info), err)
	}
}

func TestMinecraftBasicStatHasTheBytesOfTheGame(t *testing.T) {
	b := mustAppend(t, minecraftServer("Ann").BasicStat(testID))
	if want := "\x00\x10\x20\x30\x40\xa7aReef\x00SMP\x00world\x001\x0020\x00\xdd\x63127.0.0.1\x00"; string(b) != want {
		t.Errorf("got %q, want %q", b, want)
	}
}

func TestMinecraftRefusesOtherResponses(t *testing.T) {
	change := func(f func(m *gamespy2.Response)) gamespy2.Response {
		m := minecraftServer("Ann").Response(testID)
		f(&m)
		return m
	}
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "keys in another order", Value: change(func(m *gamespy2.Response) {
			m.Info[1], m.Info[2] = m.Info[2], m.Info[1]
		}), Err: lobbywire.ErrInvalid, Field: "info[1].key"},
		{Name: "a key missing", Value: change(func(m *gamespy2.Response) { m.Info = m.Info[:9] }),
			Err: lobbywire.ErrInvalid, Field: "info[9].key"},
		{Name: "another column", Value: change(func(m *gamespy2.Response) { m.Players = tinyResponse(true).Players }),
			Err: lobbywire.ErrInvalid, Field: "players.columns"},
		{Name: "teams", Value: change(func(m *gamespy2.Response) { m.Teams.Columns = []string{"team_t"} }),
			Err: lobbywire.ErrInvalid, Field: "teams"},
		{Name: "zero byte in a name", Value: change(func(m *gamespy2.Response) {
			m.Players.Rows[0] = []string{"\x00"}
		}), Err: lobbywire.ErrInvalid, Field: "players.rows[0].value"},
		{Name: "empty name", Value: change(func(m *gamespy2.Response) { m.Players.Rows[0] = []string{""} }),
			Err: lobbywire.ErrInvalid, Field: "players.rows[0].value"},
	})
}

// A number that cannot be read is unknown. The basic stat has no word for that.
func TestMinecraftNumbersMayBeUnknown(t *testing.T) {
	m := minecraftServer("Ann").Response(testID)
	m.Info = slices.Clone(m.Info)
	m.Info[6].Value, m.Info[7].Value, m.Info[8].Value = "two", " 020", "65536"
	got := m.Minecraft()
	if got.NumPlayers != nil || *got.MaxPlayers != 20 || *got.HostPort != 65536 {
		t.Errorf("%+v", got)
	}
	if b := got.BasicStat(testID); b.NumPlayers != 0 || b.MaxPlayers != 20 || b.HostPort != 0 {
		t.Errorf("basic stat: %+v", b)
	}
}
