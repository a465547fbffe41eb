package gamespy2_test

import (
	"encoding"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/test/golden"
)

// part returns a packet with testID.
func part(number uint8, last bool, body string) gamespy2.Packet {
	return gamespy2.Packet{ID: testID, Number: number, Last: last, Body: []byte(body)}
}

func TestAssemblerJoinsCutPackets(t *testing.T) {
	whole := answer(gamespy2.Response{
		Split:   true,
		Info:    []gamespy2.KeyValue{{Key: "hostname", Value: "Reef"}, {Key: "mapname", Value: "Strike"}},
		Players: gamespy2.Table{Columns: []string{"player_", "score_"}, Rows: [][]string{{"Ann", "10"}, {"Bo", "20"}}},
		Teams:   gamespy2.Table{Columns: []string{"team_t"}, Rows: [][]string{{"MEC"}}},
	})
	const (
		info   = "\x00hostname\x00Reef\x00mapname\x00Strike\x00\x00"
		names  = "player_\x00\x00Ann\x00Bo\x00\x00"
		scores = "score_\x00\x0010\x0020\x00\x00\x00"
		teams  = "\x02team_t\x00\x00MEC\x00\x00\x00"
	)
	for _, tt := range []struct {
		name          string
		first, second string
	}{
		{"in a value", info + "\x01player_\x00\x00Ann\x00B\x00", "\x01player_\x00\x01Bo\x00\x00" + scores + teams},
		{"in a value that is whole", info + "\x01player_\x00\x00Ann\x00Bo\x00",
			"\x01player_\x00\x01Bo\x00\x00" + scores + teams},
		{"before the first byte of a value", info + "\x01player_\x00\x00Ann\x00\x00",
			"\x01player_\x00\x01Bo\x00\x00" + scores + teams},
		{"in a value, without zero byte", info + "\x01player_\x00\x00Ann\x00B",
			"\x01player_\x00\x01Bo\x00\x00" + scores + teams},
		{"in a value, with more repeated", info + "\x01player_\x00\x00Ann\x00B\x00",
			"\x01player_\x00\x00Ann\x00Bo\x00\x00" + scores + teams},
		{"in the last value of a section", info + "\x01" + names + "score_\x00\x0010\x002\x00",
			"\x01score_\x00\x0120\x00\x00\x00" + teams},
		{"after the first row of a column", info + "\x01player_\x00\x00", "\x01" + names + scores + teams},
		{"after a first row that is not 0", info + "\x01player_\x00\x00Ann\x00\x00score_\x00\x01",
			"\x01player_\x00\x00Ann\x00Bo\x00\x00" + scores + teams},
		{"in a column name", info + "\x01" + names + "sco\x00", "\x01" + scores + teams},
		{"before the first byte of a column name", info + "\x01" + names + "\x00", "\x01" + scores + teams},
		{"after a column name", info + "\x01" + names + "score_\x00", "\x01" + scores + teams},
		{"after a section byte", info + "\x01", "\x01" + names + scores + teams},
		{"before the end of a section", info + "\x01" + names + scores[:len(scores)-1], teams},
		{"in the first column name of the teams", info + "\x01" + names + scores + "\x02te\x00", teams},
		{"between sections", info + "\x01" + names + scores, teams},
		{"in a key", "\x00hostname\x00Reef\x00map\x00", "\x00mapname\x00Strike\x00\x00\x01" + names + scores + teams},
		{"before the first byte of a key", "\x00hostname\x00Reef\x00\x00",
			"\x00mapname\x00Strike\x00\x00\x01" + names + scores + teams},
		{"after a key", "\x00hostname\x00Reef\x00mapname\x00",
			"\x00mapname\x00Strike\x00\x00\x01" + names + scores + teams},
		{"in a value of info", "\x00hostname\x00Reef\x00mapname\x00Str\x00",
			"\x00mapname\x00Strike\x00\x00\x01" + names + scores + teams},
		{"before the first byte of a value of info", "\x00hostname\x00Reef\x00mapname\x00\x00",
			"\x00mapname\x00Strike\x00\x00\x01" + names + scores + teams},
		{"before the end of info", "\x00hostname\x00Reef\x00mapname\x00Strike\x00",
			"\x00mapname\x00Strike\x00\x00\x01" + names + scores + teams},
	} {
		t.Run(tt.name, func(t *testing.T) {
			packets := [][]byte{mustAppend(t, part(0, false, tt.first)), mustAppend(t, part(1, true, tt.second))}
			deliver(t, whole, packets, nil)
			deliver(t, whole, packets, []byte{1})
			deliver(t, whole, packets, []byte{0, 0})
		})
	}
}

// In a packet that is cut later, the text after an empty value is a value, although it does not
// end like the name of a column.
func TestAssemblerKeepsEmptyValuesBetweenOthers(t *testing.T) {
	whole := answer(gamespy2.Response{
		Split: true, Info: []gamespy2.KeyValue{{Key: "hostname", Value: "Reef"}},
		Players: gamespy2.Table{Columns: []string{"player_"}, Rows: [][]string{{"Ann"}, {""}, {"Bo"}, {"Cy"}}},
	})
	deliver(t, whole, [][]byte{
		mustAppend(t, part(0, false, "\x00hostname\x00Reef\x00\x00\x01player_\x00\x00Ann\x00\x00Bo\x00C\x00")),
		mustAppend(t, part(1, true, "\x01player_\x00\x03Cy\x00\x00\x00\x02\x00")),
	}, nil)
}

// The next packet shows whether the last item of a packet was whole: it repeats a cut item,
// and goes on after a whole one.
func TestAssemblerKeepsItemsBetweenCuts(t *testing.T) {
	names := func(names ...string) (t gamespy2.Table) {
		t.Columns = []string{"player_"}
		for _, name := range names {
			t.Rows = append(t.Rows, []string{name})
		}
		return t
	}
	scored := gamespy2.Table{Columns: []string{"player_", "score_"}, Rows: [][]string{{"Ann", "1"}, {"Bo", "2"}}}
	a1b2 := []gamespy2.KeyValue{{Key: "a", Value: "1"}, {Key: "b", Value: "2"}}
	for _, tt := range []struct {
		name    string
		packets []string
		partial bool
		want    gamespy2.Response
	}{
		{"a value", []string{"\x01player_\x00\x00Ann\x00Bo\x00", "\x01player_\x00\x02Cy\x00\x00\x00\x02\x00"}, false,
			gamespy2.Response{Players: names("Ann", "Bo", "Cy")}},
		{"a value in each of three packets", []string{"\x01player_\x00\x00Ann\x00", "\x01player_\x00\x01Bo\x00",
			"\x01player_\x00\x02Cy\x00\x00\x00\x02\x00"}, false, gamespy2.Response{Players: names("Ann", "Bo", "Cy")}},
		{"a value whose column has its end", []string{"\x01player_\x00\x00Ann\x00\x00",
			"\x01player_\x00\x01Bo\x00\x00\x00\x02\x00"}, false, gamespy2.Response{Players: names("Ann", "Bo")}},
		{"the last value of a column", []string{"\x01player_\x00\x00Ann\x00Bo\x00",
			"\x01score_\x00\x001\x002\x00\x00\x00\x02\x00"}, false, gamespy2.Response{Players: scored}},
		{"a value of another column", []string{"\x01player_\x00\x00Ann\x00Bo\x00\x00score_\x00\x001\x00",
			"\x01score_\x00\x012\x00\x00\x00\x02\x00"}, false, gamespy2.Response{Players: scored}},
		{"the last value of the players", []string{"\x01player_\x00\x00Ann\x00", "\x02team_t\x00\x00MEC\x00\x00\x00"}, false,
			gamespy2.Response{Players: names("Ann"),
				Teams: gamespy2.Table{Columns: []string{"team_t"}, Rows: [][]string{{"MEC"}}}}},
		{"the last value of the players, no teams", []string{"\x01player_\x00\x00Ann\x00", "\x02\x00"}, false,
			gamespy2.Response{Players: names("Ann")}},
		{"the value of a key", []string{"\x00a\x001\x00b\x002\x00", "\x00c\x003\x00\x00\x01\x00\x02\x00"}, false,
			gamespy2.Response{Info: append(a1b2[:2:2], gamespy2.KeyValue{Key: "c", Value: "3"})}},
		{"the value of the last key",
			[]string{"\x00a\x001\x00b\x002\x00", "\x01player_\x00\x00Ann\x00\x00\x00\x02\x00"}, false,
			gamespy2.Response{Info: a1b2, Players: names("Ann")}},
		{"the value of the last key, and the end", []string{"\x00a\x001\x00b\x002\x00", "\x00\x00\x01\x00\x02\x00"}, false,
			gamespy2.Response{Info: a1b2}},

		{"a value, and a column that is too short", []string{"\x01player_\x00\x00Ann\x00Bo\x00",
			"\x01score_\x00\x001\x00\x00\x00\x02\x00"}, true,
			gamespy2.Response{Players: gamespy2.Table{Columns: []string{"player_", "score_"},
				Rows: [][]string{{"Ann", "1"}, {"Bo", ""}}}}},
		{"a value, and rows that are missing", []string{"\x01player_\x00\x00Ann\x00Bo\x00",
			"\x01player_\x00\x03Dee\x00\x00\x00\x02\x00"}, true, gamespy2.Response{Players: names("Ann", "Bo", "", "Dee")}},
		{"no value, and no column after it", []string{"\x01player_\x00\x00Ann\x00B\x00", "\x01player_\x00"}, true,
			gamespy2.Response{Players: names("Ann")}},
		{"no value, and nothing after it", []string{"\x01player_\x00\x00Ann\x00B\x00", "\x01"}, true,
			gamespy2.Response{Players: names("Ann")}},
		{"no value of a key, and half a key after it",
			[]string{"\x00a\x001\x00b\x00p10737418\x00", "\x00p1073741828\x003\x00\x00"}, true,
			gamespy2.Response{Info: []gamespy2.KeyValue{{Key: "a", Value: "1"}, {Key: "p1073741828", Value: "3"}}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var a gamespy2.Assembler
			for i := len(tt.packets) - 1; i >= 0; i-- {
				for range 2 {
					if _, err := a.Add(mustAppend(t, part(uint8(i), i == len(tt.packets)-1, tt.packets[i]))); err != nil {
						t.Fatal(err)
					}
				}
			}
			got, err := a.Response()
			if err != nil {
				t.Fatal(err)
			}
			tt.want.Split, tt.want.Partial = true, tt.partial
			if diff := cmp.Diff(answer(tt.want), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Packets that are cut between two values are joined in any order.
func TestAssemblerJoinsValues(t *testing.T) {
	packets := [][]byte{golden.Read(t, "between_values_p0"), golden.Read(t, "between_values_p1")}
	want := answer(gamespy2.Response{
		Split: true,
		Info: []gamespy2.KeyValue{{Key: "hostname", Value: "X"}, {Key: "numplayers", Value: "3"},
			{Key: "maxplayers", Value: "8"}},
		Players: gamespy2.Table{Columns: []string{"player_", "score_"},
			Rows: [][]string{{"Ann", "1"}, {"Bo", "2"}, {"Cy", "3"}}},
	})
	deliver(t, want, packets, nil)
	deliver(t, want, packets, []byte{1})
	deliver(t, want, packets, []byte{0, 0})
}

// Without the packet after it, a value may be cut.
func TestAssemblerDropsItemsBeforeMissingPackets(t *testing.T) {
	var a gamespy2.Assembler
	for _, p := range []gamespy2.Packet{
		part(0, false, "\x01player_\x00\x00Ann\x00B\x00"), part(2, true, "\x01player_\x00\x02Cy\x00\x00\x00\x02\x00"),
	} {
		if _, err := a.Add(mustAppend(t, p)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := a.Response()
	want := answer(gamespy2.Response{Split: true, Partial: true, Players: gamespy2.Table{Columns: []string{"player_"},
		Rows: [][]string{{"Ann"}, {""}, {"Cy"}}}})
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestAssemblerRefusesContradictions(t *testing.T) {
	foreign := part(1, false, "\x01")
	foreign.ID[3]++
	for _, tt := range []struct {
		name   string
		a      gamespy2.Assembler
		first  gamespy2.Packet
		second encoding.BinaryAppender
		kind   error
		field  string
		offset int
	}{
		{"another id", gamespy2.Assembler{}, part(0, false, "\x00"), foreign, lobbywire.ErrInvalid, "id", 1},
		{"same number, another body", gamespy2.Assembler{}, part(0, false, "\x00"), part(0, false, "\x01"),
			lobbywire.ErrInvalid, "number", 14},
		{"same number, but the last", gamespy2.Assembler{}, part(0, false, "\x00"), part(0, true, "\x00"),
			lobbywire.ErrInvalid, "number", 14},
		{"a number after the last", gamespy2.Assembler{}, part(1, true, "\x00"), part(2, false, "\x00"),
			lobbywire.ErrInvalid, "number", 14},
		{"a last one before another", gamespy2.Assembler{}, part(2, false, "\x00"), part(1, true, "\x00"),
			lobbywire.ErrInvalid, "number", 14},
		{"another last one", gamespy2.Assembler{}, part(1, true, "\x00"), part(2, true, "\x00"),
			lobbywire.ErrInvalid, "number", 14},
		{"more bytes than allowed", gamespy2.Assembler{MaxAnswer: 4}, part(0, false, "\x00ab"), part(1, false, "ab"),
			lobbywire.ErrTooLarge, "body", 15},
		{"more packets than GameSpy's code sends", gamespy2.Assembler{Options: gamespy2.Options{Strict: true}},
			part(0, false, "\x00"), part(8, false, ""), lobbywire.ErrTooLarge, "number", 14},
		{"the other form", gamespy2.Assembler{}, part(0, false, "\x00"), tinyResponse(false),
			lobbywire.ErrInvalid, "splitnum", 5},
		{"a challenge response", gamespy2.Assembler{}, part(0, false, "\x00"), gamespy2.ChallengeResponse{ID: testID},
			lobbywire.ErrInvalid, "type", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := tt.a
			if _, err := a.Add(mustAppend(t, tt.first)); err != nil {
				t.Fatal(err)
			}
			before := a.Missing()
			done, err := a.Add(mustAppend(t, tt.second))
			wantError(t, err, tt.kind, tt.field, tt.offset)
			if diff := cmp.Diff(before, a.Missing()); done || diff != "" {
				t.Errorf("done %v, missing (-before +after):\n%s", done, diff)
			}
		})
	}
	var a gamespy2.Assembler
	if _, err := a.Add(mustAppend(t, tinyResponse(false))); err != nil {
		t.Fatal(err)
	}
	_, err := a.Add(mustAppend(t, part(0, true, "\x00")))
	wantError(t, err, lobbywire.ErrInvalid, "splitnum", 5)
}

func TestAssemblerListsMissingPackets(t *testing.T) {
	var a gamespy2.Assembler
	if a.Missing() != nil {
		t.Errorf("missing %v before the first packet", a.Missing())
	}
	if _, err := a.Response(); !errors.Is(err, lobbywire.ErrTruncated) {
		t.Errorf("response before the first packet: %v", err)
	}
	for _, tt := range []struct {
		p    gamespy2.Packet
		want []int
	}{
		{part(2, false, "\x01"), []int{0, 1, 3}},
		{part(0, false, "\x00"), []int{1, 3}},
		{part(4, true, "\x02"), []int{1, 3}},
		{part(3, false, "\x01"), []int{1}},
		{part(3, false, "\x01"), []int{1}},
		{part(1, false, "\x01"), nil},
	} {
		done, err := a.Add(mustAppend(t, tt.p))
		if err != nil || done != (tt.want == nil) {
			t.Fatalf("packet %d: done %v, error %v", tt.p.Number, done, err)
		}
		if diff := cmp.Diff(tt.want, a.Missing()); diff != "" {
			t.Errorf("missing after packet %d (-want +got):\n%s", tt.p.Number, diff)
		}
	}
}

// The error of a response names the packet.
func TestAssemblerNamesThePacket(t *testing.T) {
	var a gamespy2.Assembler
	for _, p := range []gamespy2.Packet{part(0, false, "\x00\x00"), part(1, true, "\x01"+columnsOfOne(65))} {
		if _, err := a.Add(mustAppend(t, p)); err != nil {
			t.Fatal(err)
		}
	}
	_, err := a.Response()
	wantError(t, err, lobbywire.ErrTooLarge, "packets[1].players.columns[64].name", 528)
}

// Clients query some games for info, players and teams separately, with different
// ids.
func TestAssemblerJoinsPlainAnswers(t *testing.T) {
	whole := tinyResponse(false)
	info, tables := whole, whole
	info.Sections, info.Players, info.Teams = gamespy2.SectionInfo, noTable(), noTable()
	tables.Sections, tables.Info = gamespy2.SectionPlayers|gamespy2.SectionTeams, []gamespy2.KeyValue{}
	tables.ID = [4]byte{9}
	players, teams := tables, tables
	players.Sections, players.Teams = gamespy2.SectionPlayers, noTable()
	teams.Sections, teams.Players = gamespy2.SectionTeams, noTable()
	for _, tt := range []struct {
		name  string
		parts []gamespy2.Response
	}{
		{"one", []gamespy2.Response{whole}},
		{"two", []gamespy2.Response{info, tables}},
		{"two, the other order", []gamespy2.Response{tables, info}},
		{"three", []gamespy2.Response{teams, info, players}},
		{"three, some twice", []gamespy2.Response{info, info, players, teams, players}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := gamespy2.Assembler{Options: gamespy2.Options{Sections: gamespy2.AllSections}}
			var b gamespy2.Assembler
			seen := gamespy2.Sections(0)
			for _, m := range tt.parts {
				seen |= m.Sections
				done, err := a.Add(mustAppend(t, m))
				if err != nil || done != (seen == gamespy2.AllSections) {
					t.Fatalf("%v: done %v, error %v", m.Sections, done, err)
				}
				if done, err := b.Add(mustAppend(t, m)); err != nil || !done {
					t.Fatalf("%v, no sections asked for: done %v, error %v", m.Sections, done, err)
				}
			}
			got, err := a.Response()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(whole, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}

	for _, tt := range []struct {
		field  string
		change func(m *gamespy2.Response)
	}{
		{"info", func(m *gamespy2.Response) { m.Info = m.Info[:1] }},
		{"players", func(m *gamespy2.Response) { m.Players.Rows = m.Players.Rows[:1] }},
		{"teams", func(m *gamespy2.Response) { m.Teams.Columns = []string{"a_t", "b_t"} }},
	} {
		var a gamespy2.Assembler
		if _, err := a.Add(mustAppend(t, whole)); err != nil {
			t.Fatal(err)
		}
		other := whole
		tt.change(&other)
		_, err := a.Add(mustAppend(t, other))
		wantError(t, err, lobbywire.ErrInvalid, tt.field, 5)
	}
}

// A table without columns may be of players or of teams. It contradicts neither.
func TestAssemblerJoinsTablesWithoutColumns(t *testing.T) {
	const nothing = plainHead + "\x00\x00\x00"
	players := plainHead + "\x00\x01player_\x00\x00Ann\x00"
	for _, order := range [][]string{{nothing, players}, {players, nothing}, {nothing, players, nothing}} {
		var a gamespy2.Assembler
		for _, b := range order {
			if _, err := a.Add([]byte(b)); err != nil {
				t.Fatal(err)
			}
		}
		got, err := a.Response()
		if err != nil || len(got.Players.Rows) != 1 {
			t.Errorf("%q: %+v, %v", order, got, err)
		}
	}
}

// An Assembler accepts a response of one packet, too.
func TestAssemblerAgreesWithParseResponse(t *testing.T) {
	for _, f := range golden.Load(t) {
		want, err := gamespy2.ParseResponse(f.Data)
		if err != nil {
			continue
		}
		var a gamespy2.Assembler
		if done, err := a.Add(f.Data); !done || err != nil {
			t.Fatalf("%s: done %v, error %v", f.Name, done, err)
		}
		got, err := a.Response()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-parsed +assembled):\n%s", f.Name, diff)
		}
	}
}

// The two packets in the golden files are the response tiny_v3.
func TestAssemblerJoinsGoldenPackets(t *testing.T) {
	want, err := gamespy2.ParseResponse(golden.Read(t, "tiny_v3"))
	if err != nil {
		t.Fatal(err)
	}
	packets := [][]byte{golden.Read(t, "tiny_v3split_p0"), golden.Read(t, "tiny_v3split_p1")}
	deliver(t, want, packets, nil)
	deliver(t, want, packets, []byte{1})
}

func TestAssemblerTakes128Packets(t *testing.T) {
	m := bf2Response(64)
	packets := gamespy2.CutInto(m, 210)
	if len(packets) > 128 {
		t.Fatalf("%d packets", len(packets))
	}
	// The other packets are empty, except the last one.
	last := packets[len(packets)-1]
	last[14] &= 0x7f
	for n := len(packets); n < 127; n++ {
		packets = append(packets, mustAppend(t, part(uint8(n), false, "")))
	}
	packets = append(packets, mustAppend(t, part(127, true, strings.Repeat("\x00", 3))))
	deliver(t, m, packets, []byte{127, 3})
}

// A full stat of Minecraft is the only packet if its number is none, and whole if it has its end.
func TestAssemblerTakesFullStats(t *testing.T) {
	const (
		mark    = plainHead + "splitnum\x00"
		info    = "\x00hostname\x00Reef\x00gametype\x00SMP\x00game_id\x00MINECRAFTPE\x00\x00"
		players = "\x01player_\x00\x00Ann\x00\x00"
	)
	for _, tt := range []struct {
		name, in      string
		done, partial bool
	}{
		{"a question mark as the number", mark + "?" + info + players, true, false},
		{"nobody", mark + "?" + info + "\x01player_\x00\x00\x00", true, false},
		{"without the end", mark + "?" + info + "\x01player_\x00\x00Ann\x00", true, true},
		{"one of several", mark + "\x01" + info + players, false, true},
		{"another game", mark + "?\x00hostname\x00Reef\x00\x00" + players, false, true},
	} {
		var a gamespy2.Assembler
		done, err := a.Add([]byte(tt.in))
		if done != tt.done || err != nil {
			t.Errorf("%s: done %v, %v", tt.name, done, err)
		}
		m, err := a.Response()
		if m.Partial != tt.partial || len(m.Info) == 0 || err != nil {
			t.Errorf("%s: partial %v, %d keys, %v", tt.name, m.Partial, len(m.Info), err)
		}
	}
	strict := gamespy2.Assembler{Options: gamespy2.Options{Strict: true}}
	if _, err := strict.Add([]byte(mark + "?" + info + players)); !errors.Is(err, lobbywire.ErrTooLarge) {
		t.Errorf("strict: %v", err)
	}
}

// The only packet of Just Cause 2 Multiplayer is whole, unless its table is not.
func TestAssemblerTakesJustCause2(t *testing.T) {
	const head = plainHead + "splitnum\x00\x00\x00a\x001\x00\x00"
	for _, tt := range []struct {
		name, in string
		strict   bool
		done     bool
		players  [][]string
	}{
		{"two players", head + "\x00\x02Ann\x007\x00\x00\x29\x00\x00\x01\x00", false, true,
			[][]string{{"Ann", "7", "41"}, {"", "", "256"}}},
		{"nobody", head + "\x00\x00", false, true, [][]string{}},
		{"strict", head + "\x00\x00", true, false, nil},
		{"fewer players than counted", head + "\x00\x02Ann\x007\x00\x00\x29", false, false, nil},
		{"more players than counted", head + "\x00\x00Ann\x007\x00\x00\x29", false, false, nil},
		{"65535 players", head + "\xff\xff", false, false, nil},
		{"no table", head, false, false, nil},
		{"another game", head + "\x01player_\x00\x00Ann\x00", false, false, nil},
		{"another packet", plainHead + "splitnum\x00\x01\x00a\x001\x00\x00\x00\x00", false, false, nil},
	} {
		a := gamespy2.Assembler{Options: gamespy2.Options{Strict: tt.strict}}
		done, err := a.Add([]byte(tt.in))
		if done != tt.done || err != nil {
			t.Errorf("%s: done %v, %v", tt.name, done, err)
		}
		again, err := a.Add([]byte(tt.in))
		if again != done || err != nil {
			t.Errorf("%s: done %v at the second time, %v", tt.name, again, err)
		}
		m, err := a.Response()
		if tt.strict {
			wantError(t, err, lobbywire.ErrTrailing, "packets[0].", len(head))
			continue
		}
		if err != nil || m.Partial == tt.done {
			t.Errorf("%s: partial %v, %v", tt.name, m.Partial, err)
		}
		if diff := cmp.Diff(tt.players, m.Players.Rows); tt.done && diff != "" {
			t.Errorf("%s: players (-want +got):\n%s", tt.name, diff)
		}
	}
}
