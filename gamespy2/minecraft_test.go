package gamespy2_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/codectest"
)

func TestStatRequest(t *testing.T) {
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

func TestBasicStat(t *testing.T) {
	want := gamespy2.BasicStat{ID: testID, MOTD: "a", GameType: "SMP", Map: "w", NumPlayers: 2, MaxPlayers: 20,
		HostPort: 25565, HostIP: "b"}
	const head = "\x00\x10\x20\x30\x40a\x00SMP\x00w\x00"
	basicStatCodec.Table(t, []codectest.Case[gamespy2.BasicStat]{
		{Name: "the port is little-endian", In: head + "2\x0020\x00\xdd\x63b\x00", Want: want},
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
		NumPlayers: int32(len(players)), MaxPlayers: 20, HostPort: 25565, HostIP: "127.0.0.1", Players: players,
	}
}

// The full stat has the bytes that Minecraft sends.
func TestMinecraftFullStat(t *testing.T) {
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
		got, err := m.Minecraft()
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	}
}

func TestMinecraftBasicStat(t *testing.T) {
	b := mustAppend(t, minecraftServer("Ann").BasicStat(testID))
	if want := "\x00\x10\x20\x30\x40\xa7aReef\x00SMP\x00world\x001\x0020\x00\xdd\x63127.0.0.1\x00"; string(b) != want {
		t.Errorf("got %q, want %q", b, want)
	}
}

func TestMinecraftRefusals(t *testing.T) {
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
	m := minecraftServer().Response(testID)
	for i, value := range map[int]string{6: "two", 8: "65536"} {
		bad := m
		bad.Info = slices.Clone(m.Info)
		bad.Info[i].Value = value
		_, err := bad.Minecraft()
		wantError(t, err, lobbywire.ErrInvalid, "info."+m.Info[i].Key, -1)
	}
}
