package gamespy2_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

// startOf returns the column and row that a packet starts with, and its body.
func startOf(t *testing.T, packet []byte) (column string, row int, body []byte) {
	t.Helper()
	p, err := gamespy2.ParsePacket(packet)
	if err != nil {
		t.Fatal(err)
	}
	name, rest, _ := bytes.Cut(p.Body[1:], []byte{0})
	return string(name), int(rest[0]), p.Body
}

// Packets are cut where every known client reads them correctly.
func TestPacketsAreCutWhereAllClientsRead(t *testing.T) {
	for players := 0; players < 140; players += 3 {
		m := bf2Response(players)
		packets := mustPackets(t, m)
		for i, b := range packets {
			p, err := gamespy2.ParsePacket(b)
			if err != nil {
				t.Fatal(err)
			}
			if len(b) > gamespy2.MaxPacket || int(p.Number) != i || p.Last != (i == len(packets)-1) || p.ID != m.ID {
				t.Fatalf("%d players: packet %d: %d bytes, number %d, last %v", players, i, len(b), p.Number, p.Last)
			}
			if i == 0 {
				continue
			}
			column, row, body := startOf(t, b)
			at := m.Players.Column(column)
			inside := at >= 0 && at < len(m.Players.Columns)-1 && column != "score_" && column != "team_"
			if body[0] != 1 || at < 0 || at+row == 0 || row > 0 && !inside {
				t.Fatalf("%d players: packet %d starts with row %d of %q in section %d", players, i, row, column,
					body[0])
			}
			first := "\x00" // the end of a column
			if row > 0 {
				first = m.Players.Rows[row][at] + "\x00"
			}
			if !bytes.HasSuffix(packets[i-1], []byte("\x00"+first)) {
				t.Fatalf("%d players: packet %d does not end with %q, with which the next one starts", players, i-1,
					first)
			}
			if !p.Last {
				continue
			}
			if !bytes.HasSuffix(body,
				[]byte("\x00\x00\x02team_t\x00\x00MEC\x00US\x00\x00score_t\x00\x000\x000\x00\x00\x00")) {
				t.Fatalf("%d players: the last packet ends %q", players, body[max(0, len(body)-50):])
			}
		}
		var a gamespy2.Assembler
		for _, b := range packets {
			if _, err := a.Add(b); err != nil {
				t.Fatal(err)
			}
		}
		got, err := a.Response()
		if err != nil {
			t.Fatal(err)
		}
		if diff := codectest.Diff(m, got); diff != "" {
			t.Fatalf("%d players (-want +got):\n%s", players, diff)
		}
	}
}

func TestSmallResponseIsOnePacket(t *testing.T) {
	for _, split := range []bool{false, true} {
		m := tinyResponse(split)
		packets := mustPackets(t, m)
		if len(packets) != 1 || !bytes.Equal(packets[0], mustAppend(t, m)) {
			t.Errorf("split %v: packets %q", split, packets)
		}
	}
}

func TestPacketsRefusesWhatCannotBeCut(t *testing.T) {
	long := func(n int) string { return strings.Repeat("x", n) }
	change := func(players int, f func(m *gamespy2.Response)) gamespy2.Response {
		m := bf2Response(players)
		f(&m)
		return m
	}
	for _, tt := range []struct {
		name  string
		m     gamespy2.Response
		kind  error
		field string
	}{
		{"what AppendBinary refuses", change(2, func(m *gamespy2.Response) { m.Players.Rows[1][2] = "" }),
			lobbywire.ErrInvalid, "players.rows[1].value"},
		{"plain and too long", change(64, func(m *gamespy2.Response) { m.Split = false }), lobbywire.ErrTooLarge, ""},
		{"plain and refused", change(2, func(m *gamespy2.Response) { m.Split = false; m.Info[0].Key = "" }),
			lobbywire.ErrInvalid, "info[0].key"},
		{"info that fills a packet", change(64, func(m *gamespy2.Response) { m.Info[26].Value = long(500) }),
			lobbywire.ErrTooLarge, "info"},
		{"info that fills a packet, and one player",
			change(1, func(m *gamespy2.Response) { m.Info[26].Value = long(500) }), lobbywire.ErrTooLarge, "info"},
		{"teams that fill a packet", change(64, func(m *gamespy2.Response) { m.Teams.Rows[0][0] = long(1400) }),
			lobbywire.ErrTooLarge, "teams"},
		{"a player that fills a packet", change(64, func(m *gamespy2.Response) { m.Players.Rows[63][4] = long(1400) }),
			lobbywire.ErrTooLarge, "players.columns[4]"},
		{"a column that takes three packets", change(64, func(m *gamespy2.Response) {
			for _, row := range m.Players.Rows {
				row[2] = long(60)
			}
		}), lobbywire.ErrTooLarge, "players.columns[2]"},
		{"more than 8 packets", change(120, func(m *gamespy2.Response) {
			m.Players.Columns = []string{"player_", "a_", "b_", "c_", "d_", "e_", "f_", "g_"}
			for _, row := range m.Players.Rows {
				for i := 1; i < 7; i++ {
					row[i] = long(21)
				}
			}
		}), lobbywire.ErrTooLarge, "packets"},
		{"only columns that no packet may start with", change(64, func(m *gamespy2.Response) {
			m.Teams.Columns = []string{"player_t", "score_t"}
		}), lobbywire.ErrTooLarge, "players"},
		{"rows that a packet cannot start with", change(600, func(m *gamespy2.Response) {
			m.Players.Columns = m.Players.Columns[:1]
			for i, row := range m.Players.Rows {
				m.Players.Rows[i] = row[:1]
			}
		}), lobbywire.ErrTooLarge, "players.columns[0]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			packets, err := tt.m.Packets()
			wantError(t, err, tt.kind, tt.field, -1)
			if packets != nil {
				t.Errorf("returns %q", packets)
			}
		})
	}
}

// A response of one column is cut in that column.
func TestResponseOfOneColumnIsCutInIt(t *testing.T) {
	m := bf2Response(120)
	m.Players.Columns = m.Players.Columns[:1]
	for i, row := range m.Players.Rows {
		m.Players.Rows[i] = row[:1]
	}
	if n := len(mustPackets(t, m)); n != 2 {
		t.Errorf("%d packets", n)
	}
}

// A server with a small buffer cuts everywhere. The Assembler repairs every cut in
// any order. Without one of the packets the rest of the response is right.
func TestEveryCutHeals(t *testing.T) {
	for _, players := range []int{0, 1, 7, 20, 64} {
		m := bf2Response(players)
		for size := 210 + players%11; size <= 1400; size += 11 {
			packets := gamespy2.CutInto(m, size)
			last := len(packets) - 1
			deliver(t, m, packets, nil)
			deliver(t, m, packets, []byte{byte(last), byte(size % len(packets)), byte(last / 2)})
			if last > 0 {
				without := make([]byte, 0, last)
				for i := range packets {
					if i != size%len(packets) {
						without = append(without, byte(i))
					}
				}
				deliver(t, m, packets, without)
			}
		}
	}
}

// A response that fills its last packet before the end of its last section ends in one
// packet more, so that nobody takes it for partial.
func TestFullLastPacketIsFollowedByAnother(t *testing.T) {
	m := tinyResponse(true)
	last := &m.Teams.Rows[len(m.Teams.Rows)-1][len(m.Teams.Columns)-1]
	full := 0
	for n := 1; n < gamespy2.MaxPacket-50; n++ {
		*last = strings.Repeat("0", n)
		packets, err := m.PacketsCut(gamespy2.CutAnywhere)
		if err != nil {
			t.Fatal(err)
		}
		if len(packets) == 2 && len(packets[0]) == gamespy2.MaxPacket && len(packets[1]) < 20 {
			full++
		}
		deliver(t, m, packets, []byte{byte(len(packets) - 1)})
	}
	if full == 0 {
		t.Error("no response fills its last packet")
	}
}
