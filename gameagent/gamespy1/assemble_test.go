package gamespy1_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
)

// manyPackets are answers as games send them in several packets, and the same in one.
var manyPackets = map[string]struct {
	packets []string
	whole   string
}{
	"Medal of Honor, which counts from 0 and cuts within players": {
		[]string{
			`\gamename\mohaa\hostname\Brest\numplayers\3\maxplayers\24\player_0\a\frags_0\1\queryid\2.0`,
			`\ping_0\5\player_1\b\frags_1\2\ping_1\6\queryid\2.1`,
			`\player_2\c\frags_2\3\ping_2\7\final\\queryid\2.2`,
		},
		`\gamename\mohaa\hostname\Brest\numplayers\3\maxplayers\24\player_0\a\frags_0\1\ping_0\5` +
			`\player_1\b\frags_1\2\ping_1\6\player_2\c\frags_2\3\ping_2\7\final\\queryid\2.0`,
	},
	"Medal of Honor with two packets": {
		[]string{
			`\gamename\mohaa\hostname\Brest\numplayers\1\maxplayers\24\player_0\a\queryid\2.0`,
			`\frags_0\1\ping_0\5\final\\queryid\2.1`,
		},
		`\gamename\mohaa\hostname\Brest\numplayers\1\maxplayers\24\player_0\a\frags_0\1\ping_0\5\final\\queryid\2.0`,
	},
	"Renegade, which sends zero bytes, and the end mark in a packet of its own": {
		[]string{
			`\gamename\ccrenegade\hostname\X\numplayers\1\maxplayers\50\TC\1\queryid\7.1` + "\x00",
			`\team_t0\Nod\player_4\Bob\score_4\20\team_4\0\queryid\7.2` + "\x00",
			`\final\\queryid\7.3` + "\x00",
		},
		`\gamename\ccrenegade\hostname\X\numplayers\1\maxplayers\50\TC\1\team_t0\Nod\player_4\Bob\score_4\20` +
			`\team_4\0\final\\queryid\7.1`,
	},
	"AdminMod of SWAT 4, which cuts between a key and its value": {
		[]string{
			`\statusresponse\0\hostname\X\numplayers\2\maxplayers\16\player_0\a\player_1\b\score_0\eof\`,
			`\statusresponse\1\-1\score_1\2\ping_0\155\eof\`,
			`\statusresponse\2\ping_1\72\queryid\AMv1\final\\eof\`,
		},
		`\hostname\X\numplayers\2\maxplayers\16\player_0\a\player_1\b\score_0\-1\score_1\2\ping_0\155\ping_1\72` +
			`\queryid\AMv1\final\`,
	},
	"Descent 3, which ends all packets, and loses a pair between two": {
		[]string{
			`\gamename\descent3\hostname\Pit\numplayers\3\maxplayers\8\player_0\a\frags_0\1\ping_0\5` +
				`\player_1\b\final\queryid\3.1` + "\x00",
			`\deaths_1\2\ping_1\6\player_2\c\frags_2\3\final\queryid\3.2` + "\x00",
		},
		`\gamename\descent3\hostname\Pit\numplayers\3\maxplayers\8\player_0\a\frags_0\1\ping_0\5` +
			`\player_1\b\deaths_1\2\ping_1\6\player_2\c\frags_2\3\final\queryid\3.1`,
	},
	"Descent 3 with three packets": {
		[]string{
			`\gamename\descent3\hostname\Pit\numplayers\3\player_0\a\final\queryid\3.1` + "\x00",
			`\player_1\b\final\queryid\3.2` + "\x00", `\player_2\c\final\queryid\3.3` + "\x00",
		},
		`\gamename\descent3\hostname\Pit\numplayers\3\player_0\a\player_1\b\player_2\c\final\queryid\3.1`,
	},
	"Descent 3 with one packet": {
		[]string{`\gamename\descent3\hostname\Pit\numplayers\1\player_0\a\final\queryid\3.1` + "\x00"},
		`\gamename\descent3\hostname\Pit\numplayers\1\player_0\a\final\queryid\3.1`,
	},
	"mods of SWAT 4, which number packets without a dot": {
		[]string{
			`\hostname\X\numplayers\2\maxplayers\10\obj_A\0\queryid\1`,
			`\obj_B\0\player_0\Soup\score_0\0\player_1\Duffin\score_1\0\queryid\2\final\`,
		},
		`\hostname\X\numplayers\2\maxplayers\10\obj_A\0\obj_B\0\player_0\Soup\score_0\0\player_1\Duffin\score_1\0` +
			`\final\\queryid\1`,
	},
	"mods of SWAT 4 with three packets": {
		[]string{
			`\hostname\\numplayers\3\player_0\\score_0\1\queryid\1` + "\x00",
			`\player_1\b\score_1\2\queryid\2` + "\x00", `\player_2\c\score_2\3\queryid\3\final\` + "\x00",
		},
		`\hostname\\numplayers\3\player_0\\score_0\1\player_1\b\score_1\2\player_2\c\score_2\3\final\\queryid\1`,
	},
	"mods of SWAT 4 that count from 0": {
		[]string{`\hostname\X\numplayers\1\queryid\0`, `\player_0\a\final\\queryid\1`},
		`\hostname\X\numplayers\1\player_0\a\final\\queryid\0`,
	},
	"one number for all packets": {
		[]string{`\gamename\x\numplayers\1\queryid\5`, `\player_0\a\final\\queryid\5`},
		`\gamename\x\numplayers\1\player_0\a\final\\queryid\5`,
	},
	"a number with one packet": {
		[]string{`\hostname\X\numplayers\1\player_0\a\queryid\7\final\`},
		`\hostname\X\numplayers\1\player_0\a\final\\queryid\7`,
	},
	"AdminMod without eof": {
		[]string{
			`\statusresponse\0\hostname\X\numplayers\2\player_0\A\player_1\queryid\0`,
			`\statusresponse\1\B\score_0\1\score_1\2\queryid\1\final\`,
		},
		`\hostname\X\numplayers\2\player_0\A\player_1\B\score_0\1\score_1\2\final\\queryid\0`,
	},
	"AdminMod without eof, with three packets, and a name like a key": {
		[]string{
			`\statusresponse\0\hostname\X\numplayers\2\player_0\queryid\queryid\0`,
			`\statusresponse\1\player_1\queryid\1`,
			`\statusresponse\2\B\queryid\2\final\`,
		},
		`\hostname\X\numplayers\2\player_0\queryid\player_1\B\final\\queryid\0`,
	},
	"AdminMod with eof and a query ID in each packet": {
		[]string{
			`\statusresponse\0\hostname\X\numplayers\1\player_0\queryid\0\eof\`,
			`\statusresponse\1\A\final\\queryid\1` + "\x00",
		},
		`\hostname\X\numplayers\1\player_0\A\final\\queryid\0`,
	},
	"AdminMod with one packet": {
		[]string{`\statusresponse\0\hostname\X\numplayers\0\maxplayers\16\queryid\AMv1\final\\eof\`},
		`\hostname\X\numplayers\0\maxplayers\16\queryid\AMv1\final\`,
	},
}

// permutations returns all orders of n numbers.
func permutations(n int) (all [][]int) {
	if n == 0 {
		return [][]int{nil}
	}
	for _, p := range permutations(n - 1) {
		for at := range n {
			all = append(all, slices.Insert(slices.Clone(p), at, n-1))
		}
	}
	return all
}

// Packets are joined in whatever order they arrive. The answer is whole when all have
// arrived, and not before.
func TestAssemblerJoinsAnswersOfGames(t *testing.T) {
	for name, tt := range manyPackets {
		want, err := gamespy1.ParseStatus([]byte(tt.whole))
		if err != nil {
			t.Fatal(err)
		}
		for _, order := range permutations(len(tt.packets)) {
			var a gamespy1.Assembler
			for i, at := range order {
				last := i == len(order)-1
				done, err := a.Add([]byte(tt.packets[at]))
				if err != nil || done != last || (a.Missing() == nil) != last {
					t.Errorf("%s: %v: packet %d: done %v, missing %v, %v", name, order, i, done, a.Missing(), err)
				}
				if _, err := a.Status(); !last && !errors.Is(err, lobbywire.ErrTruncated) {
					t.Errorf("%s: %v: after packet %d: %v", name, order, i, err)
				}
			}
			got, err := a.Status()
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Errorf("%s: %v: %v (-want +got):\n%s", name, order, err, diff)
			}
		}
	}
}

// What only looks like a packet of AdminMod is one of another answer.
func TestStatusResponseIsOfAdminModOnly(t *testing.T) {
	for _, in := range []string{
		`\statusresponse\0\hostname\X\final\`, `\statusresponse\x\hostname\X\final\\eof\`,
		`\statusresponse\-1\hostname\X\final\\eof\`, `\statusresponse\33\hostname\X\final\\eof\`,
	} {
		var a gamespy1.Assembler
		done, err := a.Add([]byte(in))
		m, joined := a.Status()
		if !done || err != nil || joined != nil || m.HostName != "X" || !strings.HasPrefix(m.Extra[0].Key, "status") {
			t.Errorf("%s: done %v, %v, %+v, %v", in, done, err, m, joined)
		}
	}
}

// An answer is whole only if it has its first packet.
func TestAssemblerNeedsTheFirstPacket(t *testing.T) {
	const second = `\obj_B\0\player_0\Soup\score_0\0\player_1\Duffin\score_1\0`
	for _, packets := range [][]string{
		{second + `\queryid\2\final\`},
		{second + `\queryid\1\final\`},
		{second + `\queryid\8.2\final\`},
		{second + `\queryid\8.1\final\`},
		{second + `\final\`},
		{second + `\queryid\1`, `\player_2\C\queryid\2\final\`},
		{second + `\queryid\2\final\`, `\player_2\C\queryid\3`},
		{`\statusresponse\1\B\score_0\1\score_1\2\queryid\1\final\`},
		{`\statusresponse\1\B\score_0\1\score_1\2\queryid\AMv1\final\\eof\`},
	} {
		var a gamespy1.Assembler
		for _, packet := range packets {
			done, err := a.Add([]byte(packet))
			if done || err != nil && !strings.HasSuffix(packet, "3") {
				t.Errorf("%q: done %v, %v", packets, done, err)
			}
		}
		m, err := a.Status()
		if !m.Partial || !errors.Is(err, lobbywire.ErrTruncated) || a.Missing() == nil {
			t.Errorf("%q: partial %v, missing %v, %v", packets, m.Partial, a.Missing(), err)
		}
	}
}

// A first packet with number 0 that lacks what every answer has may be all that the server
// sends.
func TestAssemblerTakesAnswersWithoutAName(t *testing.T) {
	var a gamespy1.Assembler
	done, err := a.Add([]byte(`\obj_A\0\player_0\A\final\\queryid\2.0`))
	m, joined := a.Status()
	if !done || err != nil || joined != nil || !m.Partial || len(m.Players) != 1 {
		t.Errorf("done %v, %v, %+v, %v", done, err, m, joined)
	}
}

// A number may be the number of the packet even if each packet contains the name of the
// server.
func TestAssemblerTakesRepeatedNames(t *testing.T) {
	var a gamespy1.Assembler
	for i, packet := range []string{
		`\hostname\X\numplayers\2\player_0\A\queryid\1`, `\hostname\X\player_1\B\queryid\2\final\`,
	} {
		if done, err := a.Add([]byte(packet)); done != (i == 1) || err != nil {
			t.Fatalf("%q: done %v, %v", packet, done, err)
		}
	}
	if m, err := a.Status(); err != nil || len(m.Players) != 2 || m.Partial {
		t.Errorf("%+v, %v", m, err)
	}
}

// Of a pair that is split, the other half is not taken from a later packet.
func TestAssemblerJoinsNoHalvesOfPairs(t *testing.T) {
	var a gamespy1.Assembler
	for _, packet := range []string{
		`\statusresponse\0\hostname\X\numplayers\9\player_0\A\player_1\queryid\0`,
		`\statusresponse\2\7\score_3\4\queryid\2\final\`,
	} {
		if done, err := a.Add([]byte(packet)); done || err != nil {
			t.Fatalf("%q: done %v, %v", packet, done, err)
		}
	}
	m, err := a.Status()
	if err == nil || len(m.Players) != 3 || m.Players[1].Name != "" || m.Players[2].Index != 3 || !m.Partial {
		t.Errorf("%+v, %v", m, err)
	}
}

// A packet of an answer that is parsed alone is Partial if its number says so.
func TestStatusOfOnePacketMayBePartial(t *testing.T) {
	for in, want := range map[string]bool{
		`\obj_B\0\player_0\Soup\queryid\2\final\`:      true,
		`\obj_B\0\player_0\Soup\final\\queryid\2`:      true,
		`\player_0\Soup\queryid\8.2\final\`:            true,
		`\player_0\Soup\queryid\8.1\final\`:            false, // may answer another query
		`\player_0\Soup\queryid\1\final\`:              false,
		`\player_0\Soup\queryid\333\final\`:            false,
		`\player_0\Soup\final\`:                        false,
		`\hostname\\player_0\Soup\queryid\2\final\`:    false,
		`\GameName\x\player_0\Soup\queryid\8.2\final\`: false,
	} {
		m, err := gamespy1.ParseStatus([]byte(in))
		if err != nil || m.Partial != want {
			t.Errorf("%s: partial %v, %v", in, m.Partial, err)
		}
	}
}

func TestAssemblerJoinsPacketsInAnyOrder(t *testing.T) {
	const (
		first  = `\gamename\serioussamse\numplayers\3\player_0\a\frags_0\1\ping_0\2`
		middle = `\player_1\b\frags_1\1\ping_1\2`
		last   = `\player_2\c\frags_2\1\ping_2\2\final\\queryid\333.1`
	)
	players := []gamespy1.Player{
		{Index: 0, Name: "a", Frags: new(int32(1)), Ping: new(2)}, {Index: 1, Name: "b", Frags: new(int32(1)), Ping: new(2)},
		{Index: 2, Name: "c", Frags: new(int32(1)), Ping: new(2)},
	}
	var a gamespy1.Assembler
	if _, err := a.Status(); !errors.Is(err, lobbywire.ErrTruncated) {
		t.Errorf("nothing added: %v", err)
	}
	for i, in := range []string{last, middle, first} {
		if done, err := a.Add([]byte(in)); err != nil || done != (i == 2) {
			t.Errorf("%s: done %v, error %v", in, done, err)
		}
	}
	if _, err := a.Add([]byte(`\gamename\other`)); !errors.Is(err, lobbywire.ErrInvalid) {
		t.Errorf("another first packet: %v", err)
	}
	if _, err := a.Add([]byte("0;")); !errors.Is(err, lobbywire.ErrInvalid) {
		t.Errorf("a packet of GameAgent: %v", err)
	}
	m, err := a.Status()
	if err != nil {
		t.Fatal(err)
	}
	want := gamespy1.Status{GameName: "serioussamse", NumPlayers: new(3), Players: players,
		QueryID: gamespy1.QueryStatus.ID()}
	if diff := cmp.Diff(want, m); diff != "" {
		t.Errorf("status (-want +got):\n%s", diff)
	}

	p := gamespy1.Assembler{Options: gamespy1.Options{Query: gamespy1.QueryPlayers}}
	if _, err := p.Status(); !errors.Is(err, lobbywire.ErrTruncated) {
		t.Errorf("nothing added: %v", err)
	}
	for i, in := range []string{middle, last} {
		if done, err := p.Add([]byte(in)); err != nil || done != (i == 1) {
			t.Errorf("%s: done %v, error %v", in, done, err)
		}
		if got, want := len(p.Missing()), 1-i; got != want {
			t.Errorf("%s: %d packets missing, want %d", in, got, want)
		}
	}
	list, err := p.Status()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(gamespy1.Status{Query: gamespy1.QueryPlayers, Players: players[1:],
		QueryID: "333.1"}, list); diff != "" {
		t.Errorf("players (-want +got):\n%s", diff)
	}
}

// Packets with numbers are joined by number, and the loss of any is recognized.
func TestAssemblerNoticesLostNumbers(t *testing.T) {
	for _, q := range []gamespy1.Query{gamespy1.QueryStatus, gamespy1.QueryPlayers} {
		m := crowded(q, 128, 30)
		packets, err := m.Packets()
		if err != nil || len(packets) != 5 {
			t.Fatalf("%d packets, %v", len(packets), err)
		}
		a := gamespy1.Assembler{Options: gamespy1.Options{Query: q}}
		for _, step := range []struct {
			packet  int
			missing []int
		}{{2, []int{0, 1, 3}}, {4, []int{0, 1, 3}}, {1, []int{0, 3}}, {1, []int{0, 3}}, {3, []int{0}}} {
			done, err := a.Add(packets[step.packet])
			if done || err != nil {
				t.Errorf("%v: packet %d: done %v, %v", q, step.packet, done, err)
			}
			if diff := cmp.Diff(step.missing, a.Missing()); diff != "" {
				t.Errorf("%v: packet %d: missing (-want +got):\n%s", q, step.packet, diff)
			}
		}
		got, err := a.Status()
		if !errors.Is(err, lobbywire.ErrTruncated) || len(got.Players) == 0 || got.Players[0].Index == 0 ||
			len(got.Extra) > 0 {
			t.Errorf("%v: without the first packet: %+v, %v", q, got, err)
		}
		for name, in := range map[string]string{
			"another last packet":      `\player_200\x\final\\queryid\` + strings.TrimSuffix(q.ID(), "1") + "6",
			"number after the last":    `\player_200\x\queryid\` + strings.TrimSuffix(q.ID(), "1") + "6",
			"packet of another answer": `\player_200\x\queryid\77.1`,
			"another with a number":    `\player_200\x\queryid\` + strings.TrimSuffix(q.ID(), "1") + "2",
		} {
			if _, err := a.Add([]byte(in)); !errors.Is(err, lobbywire.ErrInvalid) {
				t.Errorf("%v: %s: %v", q, name, err)
			}
		}
		if done, err := a.Add(packets[0]); !done || err != nil || a.Missing() != nil {
			t.Errorf("%v: all packets: done %v, missing %v, %v", q, done, a.Missing(), err)
		}
		got, err = a.Status()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(m, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", q, diff)
		}
	}
}
