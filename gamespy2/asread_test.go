package gamespy2_test

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/test/golden"
)

// assembled returns the response of packets.
func assembled(t testing.TB, packets [][]byte) gamespy2.Response {
	t.Helper()
	var a gamespy2.Assembler
	for _, p := range packets {
		if _, err := a.Add(p); err != nil {
			t.Fatal(err)
		}
	}
	m, err := a.Response()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// CutAsRead sends every whole response of the golden files as it was read.
func TestCutAsReadSendsWhatWasRead(t *testing.T) {
	number := regexp.MustCompile(`_p\d$`)
	received := map[string][][]byte{}
	for _, f := range golden.Load(t) {
		if f.Message() == "Response" {
			name := number.ReplaceAllString(f.Name, "")
			received[name] = append(received[name], f.Data)
		}
	}
	refused := 0 // by AppendBinary
	for name, packets := range received {
		m := assembled(t, packets)
		sent, err := m.PacketsCut(gamespy2.CutAsRead)
		if (err != nil) != m.Partial {
			t.Errorf("%s: partial %v, error %v", name, m.Partial, err)
		}
		if err != nil {
			continue
		}
		if diff := cmp.Diff(m, assembled(t, sent)); diff != "" {
			t.Errorf("%s (-read +sent):\n%s", name, diff)
		}
		if _, err := m.AppendBinary(nil); err != nil {
			refused++
		}
	}
	if len(received) < 50 || refused < 6 {
		t.Errorf("%d responses, AppendBinary refuses %d of the whole ones", len(received), refused)
	}
}

// Clients of Minecraft require a full stat to be one packet that ends after the players.
func TestCutAsReadSendsTheBytesOfMinecraft(t *testing.T) {
	for _, name := range []string{"minecraft_full_stat", "minecraft_map_zero", "minecraft_motd_zeros"} {
		received := golden.Read(t, name)
		sent, err := assembled(t, [][]byte{received}).PacketsCut(gamespy2.CutAsRead)
		if len(sent) != 1 || !bytes.Equal(sent[0], received) || err != nil {
			t.Errorf("%s: sent as %q, error %v", name, sent, err)
		}
	}
}

// Unreal Tournament 3 sends empty values for bots. They are kept wherever a packet is full.
func TestCutAsReadKeepsEmptyValues(t *testing.T) {
	for players := range 80 {
		for bots := range players + 1 {
			m := gamespy2.Response{Split: true, Info: []gamespy2.KeyValue{{Key: "hostname", Value: "Reef"}}}
			m.Players.Columns = []string{"player_", "score_", "team_"}
			for i := range players {
				row := []string{strings.Repeat("x", 20) + strconv.Itoa(i), strconv.Itoa(i), "1"}
				if i >= players-bots {
					clear(row)
				}
				m.Players.Rows = append(m.Players.Rows, row)
			}
			packets, err := m.PacketsCut(gamespy2.CutAsRead)
			if err != nil {
				t.Fatalf("%d players, %d bots: %v", players, bots, err)
			}
			got := assembled(t, packets)
			if got.Partial || !slices.EqualFunc(m.Players.Rows, got.Players.Rows, slices.Equal) {
				t.Fatalf("%d players, %d bots, in %d packets: got %+v", players, bots, len(packets), got)
			}
		}
	}
}

// What readers would take for something else is refused.
func TestCutAsReadRefuses(t *testing.T) {
	rows := func(rows ...[]string) gamespy2.Table {
		return gamespy2.Table{Columns: []string{"player_", "score_"}, Rows: rows}
	}
	info := func(key, value string) []gamespy2.KeyValue { return []gamespy2.KeyValue{{Key: key, Value: value}} }
	long := strings.Repeat("x", gamespy2.MaxPacket)
	short := rows([]string{"Ann"})
	for name, tt := range map[string]struct {
		m     gamespy2.Response
		err   error
		field string
	}{
		"partial":       {gamespy2.Response{Split: true, Partial: true}, lobbywire.ErrInvalid, "partial"},
		"short row":     {gamespy2.Response{Split: true, Players: short}, lobbywire.ErrInvalid, "players.rows[0]"},
		"short plain":   {gamespy2.Response{Players: short}, lobbywire.ErrInvalid, "players.rows[0]"},
		"zero byte":     {gamespy2.Response{Split: true, Info: info("map", "a\x00b")}, lobbywire.ErrInvalid, ""},
		"plain zero":    {gamespy2.Response{Info: info("map", "a\x00b")}, lobbywire.ErrInvalid, ""},
		"empty key":     {gamespy2.Response{Split: true, Info: info("", "x")}, lobbywire.ErrInvalid, ""},
		"zero in a row": {gamespy2.Response{Split: true, Players: rows([]string{"a\x00", "1"})}, lobbywire.ErrInvalid, ""},
		"long info":     {gamespy2.Response{Split: true, Info: info("a", long)}, lobbywire.ErrTooLarge, "info"},
		"sections":      {gamespy2.Response{Sections: 8, Info: info("a", "x")}, lobbywire.ErrInvalid, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := tt.m.PacketsCut(gamespy2.CutAsRead)
			wantError(t, err, tt.err, tt.field, -1)
		})
	}
}
