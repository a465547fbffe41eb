package gamespy2_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

// wantError checks the kind, field and offset of err.
func wantError(t *testing.T, err, kind error, field string, offset int) {
	t.Helper()
	var e *lobbywire.Error
	if !errors.As(err, &e) || !errors.Is(err, kind) || e.Field != field || e.Offset != offset {
		t.Errorf("got error %v, want %v in %q at byte %d", err, kind, field, offset)
	}
}

// noTable returns a table that is empty or not in the response.
func noTable() gamespy2.Table {
	return gamespy2.Table{Columns: []string{}, Rows: [][]string{}}
}

// answer returns m with the fields that every parsed response has.
func answer(m gamespy2.Response) gamespy2.Response {
	m.ID = testID
	if m.Split {
		m.Sections = gamespy2.AllSections
	}
	if m.Info == nil {
		m.Info = []gamespy2.KeyValue{}
	}
	for _, table := range []*gamespy2.Table{&m.Players, &m.Teams} {
		if table.Columns == nil {
			*table = noTable()
		}
		if table.Rows == nil {
			table.Rows = [][]string{}
		}
	}
	return m
}

const plainHead = "\x00\x10\x20\x30\x40"

func TestPlainResponseAcceptsItsFormsOnly(t *testing.T) {
	info := []gamespy2.KeyValue{{Key: "a", Value: "1"}, {Key: "b", Value: ""}}
	players := gamespy2.Table{Columns: []string{"player_", "ping_"}, Rows: [][]string{{"x", "1"}, {"y", ""}}}
	teams := gamespy2.Table{Columns: []string{"team_t"}, Rows: [][]string{{"MEC"}}}
	const (
		infoBytes    = "a\x001\x00b\x00\x00\x00"
		playersBytes = "\x00\x02player_\x00ping_\x00\x00x\x001\x00y\x00\x00"
		teamsBytes   = "\x00\x01team_t\x00\x00MEC\x00"
	)
	responseCodec.Table(t, []codectest.Case[gamespy2.Response]{
		{Name: "all sections", In: plainHead + infoBytes + playersBytes + teamsBytes,
			Want: answer(gamespy2.Response{Sections: gamespy2.AllSections, Info: info, Players: players,
				Teams: teams})},
		{Name: "info", In: plainHead + infoBytes,
			Want: answer(gamespy2.Response{Sections: gamespy2.SectionInfo, Info: info})},
		{Name: "no keys", In: plainHead + "\x00", Want: answer(gamespy2.Response{Sections: gamespy2.SectionInfo})},
		{Name: "info and players", In: plainHead + infoBytes + playersBytes,
			Want: answer(gamespy2.Response{Sections: gamespy2.SectionInfo | gamespy2.SectionPlayers, Info: info,
				Players: players})},
		{Name: "info and teams", In: plainHead + infoBytes + teamsBytes,
			Want: answer(gamespy2.Response{Sections: gamespy2.SectionInfo | gamespy2.SectionTeams, Info: info,
				Teams: teams})},
		{Name: "players", In: plainHead + playersBytes,
			Want: answer(gamespy2.Response{Sections: gamespy2.SectionPlayers, Players: players})},
		{Name: "players and teams", In: plainHead + playersBytes + teamsBytes,
			Want: answer(gamespy2.Response{Sections: gamespy2.SectionPlayers | gamespy2.SectionTeams, Players: players,
				Teams: teams})},
		{Name: "teams", In: plainHead + teamsBytes,
			Want: answer(gamespy2.Response{Sections: gamespy2.SectionTeams, Teams: teams})},
		{Name: "columns without rows", In: plainHead + "\x00\x00player_\x00\x00",
			Want: answer(gamespy2.Response{Sections: gamespy2.SectionPlayers,
				Players: gamespy2.Table{Columns: []string{"player_"}}})},
		{Name: "no columns", In: plainHead + "\x00\x00\x00\x00\x00\x00",
			Want: answer(gamespy2.Response{Sections: gamespy2.SectionPlayers | gamespy2.SectionTeams})},
		{Name: "rows of no columns", In: plainHead + "\x00\x05\x00", Differs: true,
			Want: answer(gamespy2.Response{Sections: gamespy2.SectionPlayers}), Strict: lobbywire.ErrInvalid},
		{Name: "a zero byte before the players", In: plainHead + infoBytes + "\x00" + playersBytes, Differs: true,
			Want: answer(gamespy2.Response{Sections: gamespy2.SectionInfo | gamespy2.SectionPlayers, Info: info,
				Players: players}), Strict: lobbywire.ErrInvalid},
		{Name: "bytes after the teams", In: plainHead + playersBytes + teamsBytes + "more", Refused: true,
			Want: answer(gamespy2.Response{Sections: gamespy2.SectionPlayers | gamespy2.SectionTeams, Players: players,
				Teams: teams, Partial: true}), Strict: lobbywire.ErrTrailing},

		{Name: "empty datagram", In: "", Err: lobbywire.ErrTruncated, Field: "type", Offset: 0},
		{Name: "five bytes", In: plainHead, Err: lobbywire.ErrTruncated, Field: "info.end", Offset: 5},
		{Name: "cut in a key", In: plainHead + "ho", Err: lobbywire.ErrTruncated, Field: "info[0].key", Offset: 5},
		{Name: "cut in a value", In: plainHead + "a\x001",
			Err: lobbywire.ErrTruncated, Field: "info[0].value", Offset: 7},
		{Name: "cut before the end of info", In: plainHead + "a\x001\x00",
			Err: lobbywire.ErrTruncated, Field: "info.end", Offset: 9},
		{Name: "cut in a column", In: plainHead + "\x00\x02pl",
			Err: lobbywire.ErrTruncated, Field: "players.columns[0].name", Offset: 7},
		{Name: "challenge response", In: "\x09\x10\x20\x30\x400\x00",
			Err: lobbywire.ErrInvalid, Field: "type", Offset: 0},
		{Name: "more columns than allowed", In: plainHead + "\x00\x00" + strings.Repeat("a_\x00", 65),
			Err: lobbywire.ErrTooLarge, Field: "players.columns[64].name", Offset: 199},
		{Name: "more values than allowed", In: plainHead + "\x00\xff" + strings.Repeat("a_\x00", 64) + "b",
			Err: lobbywire.ErrTooLarge, Field: "players.count", Offset: 5},
	})
}

func TestKnownSectionsDetermineAPlainResponse(t *testing.T) {
	const zeros = plainHead + "\x00\x00\x00\x00\x00\x00\x00"
	responseCodecWith(gamespy2.Options{Sections: gamespy2.AllSections}).Table(t, []codectest.Case[gamespy2.Response]{
		{Name: "nothing in all sections", In: zeros, Want: answer(gamespy2.Response{Sections: gamespy2.AllSections})},
		{Name: "cut in the header", In: plainHead[:4], Err: lobbywire.ErrTruncated, Field: "id", Offset: 1},
	})
	responseCodecWith(gamespy2.Options{Sections: gamespy2.SectionTeams}).Table(t, []codectest.Case[gamespy2.Response]{
		{Name: "no teams", In: plainHead + "\x00\x00\x00",
			Want: answer(gamespy2.Response{Sections: gamespy2.SectionTeams})},
		{Name: "columns of teams without the usual ending", In: plainHead + "\x00\x01name\x00\x00x\x00",
			Want: answer(gamespy2.Response{Sections: gamespy2.SectionTeams,
				Teams: gamespy2.Table{Columns: []string{"name"}, Rows: [][]string{{"x"}}}})},
		{Name: "65535 rows", In: plainHead + "\xff\xffteam_t\x00",
			Err: lobbywire.ErrTooLarge, Field: "teams.count", Offset: 5},
	})
	responseCodecWith(gamespy2.Options{Strict: true, Sections: gamespy2.SectionPlayers}).Table(t,
		[]codectest.Case[gamespy2.Response]{
			{Name: "bytes after it", In: plainHead + "\x00\x00\x00x", Err: lobbywire.ErrTrailing, Offset: 8},
			{Name: "rows of no columns", In: plainHead + "\x00\x05\x00",
				Err: lobbywire.ErrInvalid, Field: "players.count", Offset: 5, Strict: lobbywire.ErrInvalid},
		})
}

// A response may end anywhere. Everything before is kept, and it is partial.
func TestResponseThatEndsEarlyKeepsItsStart(t *testing.T) {
	const (
		split   = plainHead + "splitnum\x00\x80"
		info    = "\x00a\x001\x00b\x002\x00\x00"
		players = "\x01player_\x00\x00Ann\x00Bo\x00\x00ping_\x00\x001\x002\x00\x00\x00"
	)
	pairs := []gamespy2.KeyValue{{Key: "a", Value: "1"}, {Key: "b", Value: "2"}}
	table := func(columns string, rows ...string) gamespy2.Table {
		t := gamespy2.Table{Columns: strings.Fields(columns), Rows: [][]string{}}
		for _, row := range rows {
			t.Rows = append(t.Rows, strings.Split(row, "|"))
		}
		return t
	}
	ann := table("player_ ping_", "Ann|1", "Bo|2")
	for _, tt := range []struct {
		name, in string
		want     gamespy2.Response
	}{
		{"in a key", split + "\x00a\x001\x00hos", gamespy2.Response{Info: pairs[:1]}},
		{"after a key", split + "\x00a\x001\x00host\x00", gamespy2.Response{Info: pairs[:1]}},
		{"in a value of info", split + "\x00a\x001\x00host\x00Ree", gamespy2.Response{Info: pairs[:1]}},
		{"before the end of info", split + "\x00a\x001\x00", gamespy2.Response{Info: pairs[:1]}},
		{"after the byte of a section", split + info + "\x01", gamespy2.Response{Info: pairs}},
		{"in a column name", split + info + "\x01pla", gamespy2.Response{Info: pairs}},
		{"after a column name", split + info + "\x01player_\x00", gamespy2.Response{Info: pairs}},
		{"after the first row of a column", split + info + "\x01player_\x00\x00",
			gamespy2.Response{Info: pairs, Players: table("player_")}},
		{"in a value", split + info + "\x01player_\x00\x00Ann\x00B",
			gamespy2.Response{Info: pairs, Players: table("player_", "Ann", "")}},
		{"in the name of the second column", split + info + players[:22],
			gamespy2.Response{Info: pairs, Players: table("player_", "Ann", "Bo")}},
		{"in a value of the second column", split + info + "\x01player_\x00\x00Ann\x00Bo\x00\x00ping_\x00\x001\x002",
			gamespy2.Response{Info: pairs, Players: table("player_ ping_", "Ann|1", "Bo|")}},
		{"before the end of a column", split + info + players[:len(players)-2],
			gamespy2.Response{Info: pairs, Players: ann}},
		{"before the end of players", split + info + players[:len(players)-1],
			gamespy2.Response{Info: pairs, Players: ann}},
		{"in the name of a team column", split + info + players + "\x02te",
			gamespy2.Response{Info: pairs, Players: ann}},
		{"in a value of a team", split + info + players + "\x02team_t\x00\x00MEC\x00U",
			gamespy2.Response{Info: pairs, Players: ann, Teams: table("team_t", "MEC", "")}},
		{"after a team column", split + info + players + "\x02team_t\x00\x00MEC\x00US\x00\x00score_t",
			gamespy2.Response{Info: pairs, Players: ann, Teams: table("team_t", "MEC", "US")}},

		{"plain: in the row count", plainHead + info[1:] + "\x00",
			gamespy2.Response{Sections: gamespy2.SectionInfo | gamespy2.SectionPlayers, Info: pairs}},
		{"plain: in a column name", plainHead + info[1:] + "\x00\x02player_\x00pi",
			gamespy2.Response{Sections: gamespy2.SectionInfo | gamespy2.SectionPlayers, Info: pairs,
				Players: table("player_")}},
		{"plain: in a row", plainHead + "\x00\x02a_\x00b_\x00\x001\x002\x003\x00fo",
			gamespy2.Response{Sections: gamespy2.SectionPlayers, Players: table("a_ b_", "1|2", "3|")}},
		{"plain: in the first value of a row", plainHead + "\x00\x02a_\x00b_\x00\x001\x002\x00thr",
			gamespy2.Response{Sections: gamespy2.SectionPlayers, Players: table("a_ b_", "1|2", "|")}},
		{"plain: between rows", plainHead + "\x00\x02a_\x00b_\x00\x001\x002\x00",
			gamespy2.Response{Sections: gamespy2.SectionPlayers, Players: table("a_ b_", "1|2")}},
		{"plain: before the teams", plainHead + "\x00\x00\x00\x00\x01team_t\x00\x00",
			gamespy2.Response{Sections: gamespy2.SectionPlayers | gamespy2.SectionTeams, Teams: table("team_t")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.want.Split = strings.HasPrefix(tt.in, split)
			tt.want.Partial = true
			got, err := gamespy2.ParseResponse([]byte(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(answer(tt.want), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			responseCodec.Check(t, []byte(tt.in))
			if _, err := (gamespy2.Options{Strict: true}).ParseResponse([]byte(tt.in)); !errors.Is(err,
				lobbywire.ErrTruncated) {
				t.Errorf("strictly: %v", err)
			}
		})
	}
}

// An empty key with an empty value ends info, and one zero byte is left before the players.
func TestSplitResponseMayHaveASurplusZero(t *testing.T) {
	const in = plainHead + "splitnum\x00\x80\x00a\x001\x00\x00" + "\x00" + "\x01player_\x00\x00Ann\x00\x00\x00\x02\x00"
	responseCodec.Check(t, []byte(in))
	responseCodec.CheckPrefixes(t, []byte(in))
	got, err := gamespy2.ParseResponse([]byte(in))
	want := answer(gamespy2.Response{Split: true, Info: []gamespy2.KeyValue{{Key: "a", Value: "1"}},
		Players: gamespy2.Table{Columns: []string{"player_"}, Rows: [][]string{{"Ann"}}}})
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	_, err = gamespy2.Options{Strict: true}.ParseResponse([]byte(in))
	wantError(t, err, lobbywire.ErrTrailing, "", 21)
}

// A row count that is one too high makes the rest look like a huge table. What comes before is
// kept.
func TestWrongRowCountLeavesWhatComesBefore(t *testing.T) {
	const in = plainHead + "numplayers\x001\x00\x00" + "\x00\x02player_\x00ping_\x00\x00Ann\x0040\x00" +
		"\x00\x02team_t\x00score_t\x00\x00MEC\x000\x00US\x000\x00"
	for _, sections := range []gamespy2.Sections{0, gamespy2.AllSections} {
		codec := responseCodecWith(gamespy2.Options{Sections: sections})
		codec.Check(t, []byte(in))
		codec.CheckPrefixes(t, []byte(in))
		m, err := codec.Parse([]byte(in))
		if err != nil || !m.Partial || len(m.Teams.Columns) > 0 {
			t.Fatalf("sections %v: %+v, %v", sections, m, err)
		}
		want := []lobbywire.Player{{Name: "Ann", Ping: new(40)}}
		if diff := cmp.Diff(want, m.View().Roster); diff != "" {
			t.Errorf("sections %v: roster (-want +got):\n%s", sections, diff)
		}
	}
	_, err := gamespy2.Options{Strict: true}.ParseResponse([]byte(in))
	wantError(t, err, lobbywire.ErrTooLarge, "teams.count", 52)
}

// A client knows which sections it requested. It keeps info that ends early, which
// otherwise looks like the answer to a query that lists keys.
func TestRequestedSectionsThatEndEarlyKeepInfo(t *testing.T) {
	for _, tt := range []struct {
		in   string
		info []gamespy2.KeyValue
	}{
		{"\x00", nil},
		{"a\x001\x00ho", []gamespy2.KeyValue{{Key: "a", Value: "1"}}},
		{"a\x001\x00", []gamespy2.KeyValue{{Key: "a", Value: "1"}}},
		{"a\x001\x00\x00\x00", []gamespy2.KeyValue{{Key: "a", Value: "1"}}},
	} {
		got, err := gamespy2.Options{Sections: gamespy2.AllSections}.ParseResponse([]byte(plainHead + tt.in))
		if diff := cmp.Diff(answer(gamespy2.Response{Sections: gamespy2.AllSections, Info: tt.info, Partial: true}),
			got); err != nil || diff != "" {
			t.Errorf("%q: %v (-want +got):\n%s", tt.in, err, diff)
		}
	}
	_, err := gamespy2.Options{Sections: gamespy2.AllSections}.ParseResponse([]byte(plainHead))
	wantError(t, err, lobbywire.ErrTruncated, "info.end", 5)
}

// Every cut of a response in split form leaves all that a client of the day reads:
// gamedig's rules are the yardstick.
func TestEveryCutKeepsWhatComesBefore(t *testing.T) {
	for name, whole := range map[string]gamespy2.Response{"tiny": tinyResponse(true), "6 players": bf2Response(6),
		"1 player": bf2Response(1)} {
		b := mustPackets(t, whole)[0]
		texts := 0 // that the part before held
		for n := 16; n < len(b); n++ {
			got, err := gamespy2.ParseResponse(b[:n])
			if err != nil {
				t.Fatalf("%s, %d of %d bytes: %v", name, n, len(b), err)
			}
			got.Partial = true // it is not where a part of the response looks whole
			checkPart(t, whole, got)
			info, players := readAsGamedig(b[:n])
			if len(got.Info) < info {
				t.Fatalf("%s, %d of %d bytes: %d keys, gamedig reads %d", name, n, len(b), len(got.Info), info)
			}
			if len(got.Players.Rows) < players {
				t.Fatalf("%s, %d of %d bytes: %d players, gamedig reads %d", name, n, len(b), len(got.Players.Rows),
					players)
			}
			kept := len(got.Info) + len(got.Players.Rows)*len(got.Players.Columns) +
				len(got.Teams.Rows)*len(got.Teams.Columns)
			if kept < texts {
				t.Fatalf("%s, %d of %d bytes: %d values, but %d of %d bytes", name, n, len(b), kept, texts, n-1)
			}
			texts = kept
		}
	}
}

// readAsGamedig returns the number of keys that gamedig reads whole in a response of
// one packet, and the number of players.
func readAsGamedig(packet []byte) (info, players int) {
	b := packet[16:]
	text := func() (s string, whole bool) {
		head, rest, whole := bytes.Cut(b, []byte{0})
		b = rest
		return string(head), whole
	}
	for len(b) > 0 {
		key, _ := text()
		if key == "" {
			break
		}
		if _, whole := text(); whole {
			info++
		}
	}
	for len(b) > 0 {
		if b[0] <= 2 {
			b = b[1:]
			continue
		}
		column, _ := text()
		if len(b) == 0 {
			break
		}
		row := int(b[0])
		b = b[1:]
		for len(b) > 0 {
			value, _ := text()
			if value == "" {
				break
			}
			row++
			if strings.HasSuffix(column, "_") {
				players = max(players, row)
			}
		}
	}
	return info, players
}

// GameSpy's code cuts a plain response to 1400 bytes and sets the last one to 0.
func TestPlainResponseThatTheServerCutIsPartial(t *testing.T) {
	whole := bf2Response(40)
	whole.Split = false
	size := len(mustAppend(t, whole))
	for pad := 0; pad < size-1300; pad += 3 {
		m := whole
		m.Info = slices.Clone(whole.Info)
		m.Info[0].Value += strings.Repeat("x", max(0, gamespy2.MaxPacket-size)+pad)
		b := mustAppend(t, m)
		if len(b) <= gamespy2.MaxPacket+1 {
			continue // whole, or cut in nothing but its last value
		}
		cut := b[:gamespy2.MaxPacket]
		cut[gamespy2.MaxPacket-1] = 0
		got, err := gamespy2.Options{Sections: gamespy2.AllSections}.ParseResponse(cut)
		if err != nil {
			t.Fatalf("%d bytes too many: %v", len(b)-gamespy2.MaxPacket, err)
		}
		if got.Players.Rows == nil || got.Teams.Rows == nil {
			t.Fatalf("%d bytes too many: a table is nil", len(b)-gamespy2.MaxPacket)
		}
		checkPart(t, m, got)
		_, err = gamespy2.Options{Strict: true, Sections: gamespy2.AllSections}.ParseResponse(cut)
		if err == nil {
			t.Fatalf("%d bytes too many: accepted strictly", len(b)-gamespy2.MaxPacket)
		}
	}
}

func TestResponseRefusesWhatTheWireCannotCarry(t *testing.T) {
	plain, split := tinyResponse(false), tinyResponse(true)
	change := func(m gamespy2.Response, f func(m *gamespy2.Response)) gamespy2.Response {
		m.Info = slices.Clone(m.Info)
		for _, table := range []*gamespy2.Table{&m.Players, &m.Teams} {
			table.Columns = slices.Clone(table.Columns)
			table.Rows = slices.Clone(table.Rows)
			for i, row := range table.Rows {
				table.Rows[i] = slices.Clone(row)
			}
		}
		f(&m)
		return m
	}
	var cases []codectest.Refusal
	for _, form := range []struct {
		name string
		m    gamespy2.Response
	}{{"plain", plain}, {"split", split}} {
		refuse := func(name string, kind error, field string, f func(m *gamespy2.Response)) {
			cases = append(cases,
				codectest.Refusal{Name: form.name + ": " + name, Value: change(form.m, f), Err: kind, Field: field})
		}
		refuse("partial", lobbywire.ErrInvalid, "partial", func(m *gamespy2.Response) { m.Partial = true })
		refuse("sections that are not there", lobbywire.ErrInvalid, "sections",
			func(m *gamespy2.Response) { m.Sections = gamespy2.SectionInfo })
		refuse("unknown sections", lobbywire.ErrInvalid, "sections", func(m *gamespy2.Response) { m.Sections |= 8 })
		refuse("empty key", lobbywire.ErrInvalid, "info[1].key", func(m *gamespy2.Response) { m.Info[1].Key = "" })
		refuse("zero byte in a key", lobbywire.ErrInvalid, "info[1].key",
			func(m *gamespy2.Response) { m.Info[1].Key = "a\x00" })
		refuse("long key", lobbywire.ErrTooLarge, "info[1].key",
			func(m *gamespy2.Response) { m.Info[1].Key = strings.Repeat("k", 101) })
		refuse("zero byte in a value", lobbywire.ErrInvalid, "info[0].value",
			func(m *gamespy2.Response) { m.Info[0].Value = "\x00" })
		refuse("empty column name", lobbywire.ErrInvalid, "players.columns[1].name",
			func(m *gamespy2.Response) { m.Players.Columns[1] = "" })
		refuse("zero byte in a column name", lobbywire.ErrInvalid, "teams.columns[0].name",
			func(m *gamespy2.Response) { m.Teams.Columns[0] = "\x00_t" })
		refuse("long column name", lobbywire.ErrTooLarge, "players.columns[0].name",
			func(m *gamespy2.Response) { m.Players.Columns[0] = strings.Repeat("p", 100) + "_" })
		refuse("row too short", lobbywire.ErrInvalid, "players.rows[1]",
			func(m *gamespy2.Response) { m.Players.Rows[1] = []string{"x"} })
		refuse("row too long", lobbywire.ErrInvalid, "teams.rows[0]",
			func(m *gamespy2.Response) { m.Teams.Rows[0] = []string{"x", "y", "z"} })
		refuse("rows of no columns", lobbywire.ErrInvalid, "players.rows[0]",
			func(m *gamespy2.Response) { m.Players = gamespy2.Table{Rows: [][]string{{}}} })
		refuse("zero byte in a row", lobbywire.ErrInvalid, "players.rows[0].value",
			func(m *gamespy2.Response) { m.Players.Rows[0][1] = "\x00" })
		refuse("empty value in a first column", lobbywire.ErrInvalid, "players.rows[1].value",
			func(m *gamespy2.Response) { m.Players.Rows[1][0] = "" })
		refuse("more than a datagram", lobbywire.ErrTooLarge, "",
			func(m *gamespy2.Response) { m.Info[0].Value = strings.Repeat("x", 65507) })
	}
	refuse := func(name string, kind error, field string, m gamespy2.Response, f func(m *gamespy2.Response)) {
		cases = append(cases, codectest.Refusal{Name: name, Value: change(m, f), Err: kind, Field: field})
	}
	refuse("plain: first key splitnum, which is the other form", lobbywire.ErrInvalid, "info[0].key", plain,
		func(m *gamespy2.Response) { m.Info[0].Key = "splitnum" })
	refuse("plain: first column that looks like a row count and player_", lobbywire.ErrInvalid,
		"players.columns[0].name", plain, func(m *gamespy2.Response) {
			m.Players = gamespy2.Table{Columns: []string{"\x02player_"}}
		})
	refuse("plain: 65536 rows", lobbywire.ErrTooLarge, "teams.count", plain, func(m *gamespy2.Response) {
		m.Teams.Rows = slices.Repeat(m.Teams.Rows, 65536)
	})
	refuse("split: empty value", lobbywire.ErrInvalid, "players.rows[1].value", split,
		func(m *gamespy2.Response) { m.Players.Rows[1][1] = "" })
	refuse("split: empty value of a team", lobbywire.ErrInvalid, "teams.rows[0].value", split,
		func(m *gamespy2.Response) { m.Teams.Rows[0][1] = "" })
	refuse("split: value that looks like a key after a missing value", lobbywire.ErrInvalid, "info[1].value", split,
		func(m *gamespy2.Response) { m.Info[1].Value = "p268435999" })
	refuse("split: value that a cut makes a key", lobbywire.ErrInvalid, "info[1].value", split,
		func(m *gamespy2.Response) { m.Info[1].Value = "p268435999x" })
	refuse("split: column without ending", lobbywire.ErrInvalid, "players.columns[1].name", split,
		func(m *gamespy2.Response) { m.Players.Columns[1] = "score" })
	refuse("split: column of the other table", lobbywire.ErrInvalid, "players.columns[1].name", split,
		func(m *gamespy2.Response) { m.Players.Columns[1] = "score_t" })
	refuse("split: player column among teams", lobbywire.ErrInvalid, "teams.columns[0].name", split,
		func(m *gamespy2.Response) { m.Teams.Columns[0] = "team_" })
	refuse("split: column twice", lobbywire.ErrInvalid, "players.columns[1].name", split,
		func(m *gamespy2.Response) { m.Players.Columns[1] = "player_" })
	refuse("split: column that starts like a section", lobbywire.ErrInvalid, "players.columns[0].name", split,
		func(m *gamespy2.Response) { m.Players.Columns[0] = "\x02_" })
	codectest.Refusals(t, cases)
}

func TestSplitResponseAcceptsItsFormsOnly(t *testing.T) {
	const head = plainHead + "splitnum\x00"
	ann := gamespy2.Table{Columns: []string{"player_", "ping_"}, Rows: [][]string{{"Ann", "1"}, {"Bo", "2"}}}
	const annBytes = "\x01player_\x00\x00Ann\x00Bo\x00\x00ping_\x00\x001\x002\x00\x00\x00"
	responseCodec.Table(t, []codectest.Case[gamespy2.Response]{
		{Name: "nothing", In: head + "\x80\x00\x00\x01\x00\x02\x00", Want: answer(gamespy2.Response{Split: true})},
		{Name: "no sections", In: head + "\x80", Want: answer(gamespy2.Response{Split: true}), Differs: true,
			Strict: lobbywire.ErrTruncated},
		{Name: "players", In: head + "\x80\x00\x00" + annBytes + "\x02\x00",
			Want: answer(gamespy2.Response{Split: true, Players: ann})},
		{Name: "an unknown section", In: head + "\x80" + annBytes + "\x03\x00",
			Want: answer(gamespy2.Response{Split: true, Players: ann, Partial: true}), Refused: true,
			Strict: lobbywire.ErrTrailing},
		{Name: "the same section twice", In: head + "\x80" + annBytes + annBytes,
			Want: answer(gamespy2.Response{Split: true, Players: ann, Partial: true}), Refused: true,
			Strict: lobbywire.ErrTrailing},
		{Name: "columns in the wrong section",
			In:   head + "\x80\x02player_\x00\x00Ann\x00Bo\x00\x00ping_\x00\x001\x002\x00\x00\x00",
			Want: answer(gamespy2.Response{Split: true, Players: ann}), Differs: true},
		{Name: "a name over 100 bytes", In: head + "\x80" + annBytes[:len(annBytes)-1] + strings.Repeat("x", 101),
			Want: answer(gamespy2.Response{Split: true, Players: ann, Partial: true}), Refused: true,
			Strict: lobbywire.ErrTooLarge},

		{Name: "cut before the number", In: head, Err: lobbywire.ErrTruncated, Field: "number", Offset: 14},
		{Name: "first of several packets", In: head + "\x00\x00",
			Err: lobbywire.ErrUnsupported, Field: "number", Offset: 14},
		{Name: "last of several packets", In: head + "\x81\x02\x00",
			Err: lobbywire.ErrUnsupported, Field: "number", Offset: 14},
		{Name: "more columns than allowed", In: head + "\x80\x01" + columnsOfOne(65),
			Err: lobbywire.ErrTooLarge, Field: "players.columns[64].name", Offset: 528},
		{Name: "more values than allowed", In: head + "\x80\x01a_\x00\x00" + strings.Repeat("x\x00", 1<<14) + "y\x00",
			Err: lobbywire.ErrTooLarge, Field: "players.columns[0].value", Offset: 20 + 2<<14},
	})
}

// columnsOfOne returns columns of one row each.
func columnsOfOne(n int) string {
	s := ""
	for i := range n {
		s += fmt.Sprintf("%02d_\x00\x00x\x00\x00", i)
	}
	return s
}

func TestStrictSplitResponseRefusesMissingEnds(t *testing.T) {
	const head = plainHead + "splitnum\x00"
	responseCodecWith(gamespy2.Options{Strict: true}).Table(t, []codectest.Case[gamespy2.Response]{
		{Name: "all ends", In: head + "\x80\x00a\x001\x00\x00\x01p_\x00\x00x\x00\x00\x00\x02\x00",
			Want: answer(gamespy2.Response{
				Split:   true,
				Info:    []gamespy2.KeyValue{{Key: "a", Value: "1"}},
				Players: gamespy2.Table{Columns: []string{"p_"}, Rows: [][]string{{"x"}}},
			})},
		{Name: "end of info missing", In: head + "\x80\x00a\x001\x00",
			Err: lobbywire.ErrTruncated, Field: "info.end", Offset: 20},
		{Name: "end of a column missing", In: head + "\x80\x01p_\x00\x00x\x00",
			Err: lobbywire.ErrTruncated, Field: "players.columns[0].end", Offset: 22},
		{Name: "end of the players missing", In: head + "\x80\x01p_\x00\x00x\x00\x00",
			Err: lobbywire.ErrTruncated, Field: "players.end", Offset: 23},
		{Name: "teams missing", In: head + "\x80\x00\x00\x01\x00",
			Err: lobbywire.ErrTruncated, Field: "section", Offset: 19},
		{Name: "bytes after it", In: head + "\x80\x00\x00\x01\x00\x02\x00x", Err: lobbywire.ErrTrailing, Offset: 21},
		{Name: "end of the players missing before the teams", In: head + "\x80\x01p_\x00\x00x\x00\x00\x02\x00",
			Err: lobbywire.ErrInvalid, Field: "players.end", Offset: 23},
		{Name: "unknown section", In: head + "\x80\x00\x00\x07", Err: lobbywire.ErrTrailing, Offset: 17},
		{Name: "long key", In: head + "\x80\x00" + strings.Repeat("k", 101) + "\x00",
			Err: lobbywire.ErrTooLarge, Field: "info[0].key", Offset: 16},
		{Name: "long column name", In: head + "\x80\x01" + strings.Repeat("k", 101) + "\x00",
			Err: lobbywire.ErrTooLarge, Field: "players.columns[0].name", Offset: 16},
		{Name: "column name without ending", In: head + "\x80\x01p\x00\x00x\x00\x00\x00\x02\x00",
			Err: lobbywire.ErrInvalid, Field: "players.columns[0].name", Offset: 16},
		{Name: "later column that starts after row 0",
			In:  head + "\x80\x01p_\x00\x00x\x00\x00q_\x00\x01y\x00\x00\x00\x02\x00",
			Err: lobbywire.ErrInvalid, Field: "players.columns[1].start", Offset: 26},
		{Name: "value missing before the next property", In: head + "\x80\x00a\x00p268435999\x000\x00\x00\x01\x00\x02\x00",
			Err: lobbywire.ErrInvalid, Field: "info[0].value", Offset: 18},
	})
}

// A zero byte in a column may be an empty value, by the bytes that follow it.
func TestEmptyValuesAreKeptInColumns(t *testing.T) {
	const head = plainHead + "splitnum\x00\x80\x01"
	row := func(values ...string) []string { return values }
	for _, tt := range []struct {
		name, in string
		columns  []string
		rows     [][]string
	}{
		{"at the end of a column", "a_\x00\x00x\x00\x00\x00\x00b_\x00\x001\x002\x003\x00\x00\x00\x02\x00",
			[]string{"a_", "b_"}, [][]string{row("x", "1"), row("", "2"), row("", "3")}},
		{"a whole column", "a_\x00\x00x\x00y\x00\x00b_\x00\x00\x00\x00\x00\x00\x02\x00",
			[]string{"a_", "b_"}, [][]string{row("x", ""), row("y", "")}},
		{"between values", "a_\x00\x00x\x00y\x00z\x00\x00b_\x00\x001\x00\x003\x00\x00\x00\x02\x00",
			[]string{"a_", "b_"}, [][]string{row("x", "1"), row("y", ""), row("z", "3")}},
		{"two between values of the first column", "a_\x00\x00x\x00\x00\x00z\x00\x00\x00\x02\x00",
			[]string{"a_"}, [][]string{row("x"), row(""), row(""), row("z")}},
		{"at the start of a column", "a_\x00\x00x\x00y\x00\x00b_\x00\x00\x002\x00\x00\x00\x02\x00",
			[]string{"a_", "b_"}, [][]string{row("x", ""), row("y", "2")}},
		{"at the end of the packet", "a_\x00\x00x\x00y\x00\x00b_\x00\x001\x00\x00\x00\x00",
			[]string{"a_", "b_"}, [][]string{row("x", "1"), row("y", "")}},
		{"a first column at the end of the packet is not padded", "a_\x00\x00x\x00\x00\x00\x00\x00\x00",
			[]string{"a_"}, [][]string{row("x")}},
		{"not more than there are rows",
			"a_\x00\x00x\x00\x00b_\x00\x00\x00\x00\x00\x00c_\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00",
			[]string{"a_", "b_", "c_"}, [][]string{row("x", "", "")}},
		{"a shorter column", "a_\x00\x00x\x00y\x00\x00b_\x00\x001\x00\x00c_\x00\x003\x004\x00\x00\x00\x02\x00",
			[]string{"a_", "b_", "c_"}, [][]string{row("x", "1", "3"), row("y", "", "4")}},
		{"a value that ends like a column, without row 0", "a_\x00\x00x\x00\x00Bob_\x00z\x00\x00\x00\x02\x00",
			[]string{"a_"}, [][]string{row("x"), row(""), row("Bob_"), row("z")}},
		{"the end of the section is missing", "a_\x00\x00x\x00\x00\x02team_t\x00\x00\x00\x00",
			[]string{"a_"}, [][]string{row("x")}},
		{"a column without ending after a full one",
			"a_\x00\x00x\x00\x00b_\x00\x001\x00\x00odd\x00\x002\x00\x00\x00\x02\x00",
			[]string{"a_", "b_", "odd"}, [][]string{row("x", "1", "2")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, err := gamespy2.ParseResponse([]byte(head + tt.in))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(gamespy2.Table{Columns: tt.columns, Rows: tt.rows}, m.Players); diff != "" {
				t.Errorf("players (-want +got):\n%s", diff)
			}
			responseCodec.Check(t, []byte(head+tt.in))
		})
	}
}

func TestLookupFindsTheLastValue(t *testing.T) {
	m := gamespy2.Response{Info: []gamespy2.KeyValue{{Key: "a", Value: "1"}, {Key: "b"}, {Key: "a", Value: "2"}}}
	for _, tt := range []struct {
		key, want string
		wantOK    bool
	}{{"a", "2", true}, {"b", "", true}, {"c", "", false}} {
		if got, ok := m.Lookup(tt.key); got != tt.want || ok != tt.wantOK {
			t.Errorf("%s: got %q, %v", tt.key, got, ok)
		}
	}
}
