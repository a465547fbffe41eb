package gamespy2_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/test/scripted"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// clients are models of how programs join packets, by what their sources do.
func clients() map[string]func(packets [][]byte) (*scripted.Reading, error) {
	return map[string]func(packets [][]byte) (*scripted.Reading, error){
		"gamedig 5.3.3": scripted.Gamedig, "GameQ": scripted.GameQ, "opengsq-python": scripted.OpenGSQ,
		"qstat 2.17":    scripted.Qstat,
		"GameSpy's SDK": scripted.SDK,
	}
}

// wantOf returns what every client should read.
func wantOf(m gamespy2.Response) *scripted.Reading {
	r := scripted.NewReading()
	for _, kv := range m.Info {
		r.Info[kv.Key] = kv.Value
	}
	for _, t := range []gamespy2.Table{m.Players, m.Teams} {
		for i, row := range t.Rows {
			for column, value := range row {
				r.Set(t.Columns[column], i, value)
			}
		}
	}
	return r
}

// crowd returns a server with many players, whose names have a length.
func crowd(players, name int) gamespy2.Response {
	m := bf2Response(players)
	for i, row := range m.Players.Rows {
		digits := strconv.Itoa(i)
		row[0] = strings.Repeat("x", max(0, name-len(digits))) + digits[max(0, len(digits)-name):]
	}
	return m
}

// Every response that Packets accepts is read by every client, whatever the number
// of players and the length of their names.
func TestClientsReadPackets(t *testing.T) {
	for _, server := range []struct {
		name string
		keys int // of Info
		room int // for the names of all players, at least
	}{{"all keys", 45, 1500}, {"10 keys", 10, 2300}} {
		t.Run(server.name, func(t *testing.T) {
			counts, refused, most := 0, 0, 0
			for players := 0; players <= 255; players++ {
				if !suite.IsLong() && players%8 != 7 {
					continue
				}
				for _, name := range []int{1, 16, 22, 90, 1 + players*7%90} {
					m := crowd(players, name)
					m.Info = m.Info[:server.keys]
					packets, err := m.Packets()
					counts++
					if err != nil {
						if !errors.Is(err, lobbywire.ErrTooLarge) || players*(name+1) < server.room {
							t.Fatalf("%d players with names of %d bytes: %v", players, name, err)
						}
						refused++
						continue
					}
					most = max(most, len(packets))
					checkClients(t, fmt.Sprintf("%d players with names of %d bytes", players, name), m, packets,
						clients())
				}
			}
			t.Logf("%d responses, %d refused, up to %d packets", counts, refused, most)
		})
	}
}

// Packets are cut at no value that a client mistakes, such as 0, whatever the values are.
func TestClientsReadAnyValues(t *testing.T) {
	for seed := range suite.Pick[uint64](50, 200) {
		r := rand.New(rand.NewPCG(seed, 0))
		m := crowd(255-r.IntN(1+int(seed)), 1+r.IntN(12))
		m.Info = m.Info[:10]
		for column := 1; column < len(m.Players.Columns); column++ {
			digits := 1 + r.IntN(6)
			for _, row := range m.Players.Rows {
				row[column] = strings.Repeat(strconv.Itoa(r.IntN(3)), 1+r.IntN(digits))
			}
		}
		packets, err := m.Packets()
		if err != nil {
			if !errors.Is(err, lobbywire.ErrTooLarge) {
				t.Fatal(err)
			}
			continue
		}
		checkClients(t, fmt.Sprintf("seed %d", seed), m, packets, clients())
	}
}

// Packets of columns that take more than two are for all clients but GameQ.
func TestClientsReadLongColumns(t *testing.T) {
	others := clients()
	delete(others, "GameQ")
	for _, tt := range []struct{ players, name int }{{100, 22}, {128, 22}, {64, 90}, {200, 16}} {
		m := crowd(tt.players, tt.name)
		packets, err := m.PacketsCut(gamespy2.CutColumns)
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("%d players with names of %d bytes", tt.players, tt.name)
		checkClients(t, name, m, packets, others)
		if r, err := scripted.GameQ(packets); err == nil && cmp.Equal(wantOf(m).Columns, r.Columns) {
			t.Errorf("%s: GameQ reads them, too", name)
		}
		if _, err := m.Packets(); !errors.Is(err, lobbywire.ErrTooLarge) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What players call themselves keeps no server from sending packets.
func TestLongColumnsOfAnyNameAreSent(t *testing.T) {
	others := clients()
	delete(others, "GameQ")
	for _, column := range []string{"player_", "score_", "ping_", "team_"} {
		m := crowd(100, 16)
		for i, row := range m.Players.Rows {
			row[0] = fmt.Sprintf("my %s%d is long", column, i)
		}
		packets, err := m.PacketsCut(gamespy2.CutColumns)
		if err != nil {
			t.Fatalf("%s: %v", column, err)
		}
		checkClients(t, column, m, packets, others)
	}
}

// GameQ removes the column name that a packet starts with from names of players.
func TestPacketsAvoidNamesOfColumns(t *testing.T) {
	for _, column := range []string{"player_", "ping_", "deaths_", "pid_", "skill_", "AIBot_"} {
		for players := 10; players < 60; players += 7 {
			m := crowd(players, 16)
			for i, row := range m.Players.Rows {
				row[0] = fmt.Sprintf("a %s%d", column, i)
			}
			packets, err := m.Packets()
			if column == "player_" && errors.Is(err, lobbywire.ErrTooLarge) {
				continue // no packet can start with a player
			}
			if err != nil {
				t.Fatalf("%d players called %s: %v", players, column, err)
			}
			checkClients(t, fmt.Sprintf("%d players called %s", players, column), m, packets, clients())
		}
	}
}

// GameSpy's own cuts are read by gamedig, and by the Assembler in any order.
func TestPacketsCutAnywhereAreJoined(t *testing.T) {
	cutsOfAll := 0
	for players := 0; players <= 140; players++ {
		m := crowd(players, 1+players*11%40)
		packets, err := m.PacketsCut(gamespy2.CutAnywhere)
		if err != nil {
			t.Fatalf("%d players: %v", players, err)
		}
		checkClients(t, fmt.Sprintf("%d players", players), m, packets,
			map[string]func([][]byte) (*scripted.Reading, error){"gamedig": scripted.Gamedig})
		deliver(t, m, packets, []byte{byte(len(packets) - 1), 0})
		for i, b := range packets[:len(packets)-1] {
			if len(b) > gamespy2.MaxPacket || len(b) < gamespy2.MaxPacket-100 || b[len(b)-1] != 0 &&
				len(b) == gamespy2.MaxPacket && b[len(b)-2] != 0 {
				t.Fatalf("%d players: packet %d has %d bytes and ends %x", players, i, len(b), b[len(b)-2:])
			}
		}
		cutsOfAll += len(packets) - 1
	}
	if cutsOfAll < 200 {
		t.Errorf("%d cuts", cutsOfAll)
	}
	for _, tt := range []struct {
		name   string
		change func(m *gamespy2.Response)
		kind   error
		field  string
	}{
		{"more than 8 packets", func(m *gamespy2.Response) { *m = crowd(255, 60) }, lobbywire.ErrTooLarge, "packets"},
		{"a value that fits no packet", func(m *gamespy2.Response) { m.Info[0].Value = strings.Repeat("x", 1400) },
			lobbywire.ErrTooLarge, "packets"},
		{"zero byte", func(m *gamespy2.Response) { m.Info[0].Value = "\x00" }, lobbywire.ErrInvalid, "info[0].value"},
		{"empty value", func(m *gamespy2.Response) { m.Players.Rows[1][1] = "" }, lobbywire.ErrInvalid,
			"players.rows[1].value"},
	} {
		m := crowd(2, 8)
		tt.change(&m)
		packets, err := m.PacketsCut(gamespy2.CutAnywhere)
		wantError(t, err, tt.kind, tt.field, -1)
		if packets != nil {
			t.Errorf("%s: returns %q", tt.name, packets)
		}
	}
}

func checkClients(t *testing.T, name string, m gamespy2.Response, packets [][]byte,
	clients map[string]func([][]byte) (*scripted.Reading, error)) {
	t.Helper()
	want := wantOf(m)
	for client, read := range clients {
		if client == "opengsq-python" && len(m.Players.Rows) == 0 {
			continue // it takes the name of the next column for a player
		}
		got, err := read(packets)
		if err != nil {
			t.Fatalf("%s: %s: %v", name, client, err)
		}
		if !reflect.DeepEqual(want, got) {
			t.Fatalf("%s: %s (-want +got):\n%s", name, client, cmp.Diff(want, got))
		}
	}
}
