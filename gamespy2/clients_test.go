package gamespy2_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
)

// A reading is what a client makes of a response: the values of each column.
type reading struct {
	info           map[string]string
	players, teams map[string][]string
}

func newReading() *reading {
	return &reading{info: map[string]string{}, players: map[string][]string{}, teams: map[string][]string{}}
}

// table returns the table that a column belongs to, by its ending.
func (r *reading) table(column string) map[string][]string {
	if strings.HasSuffix(column, "_t") {
		return r.teams
	}
	return r.players
}

// set sets the value of a row.
func (r *reading) set(column string, row int, value string) {
	t := r.table(column)
	for len(t[column]) <= row {
		t[column] = append(t[column], "")
	}
	t[column][row] = value
}

// text returns the text at the start of b, and the bytes after its zero byte.
func text(b []byte) (string, []byte) {
	head, rest, _ := bytes.Cut(b, []byte{0})
	return string(head), rest
}

// gamedig reads each packet on its own. It takes every byte below 3 between columns
// for the start of a section, and reads keys in the first packet only.
func gamedig(packets [][]byte) (*reading, error) {
	r := newReading()
	for i, b := range packets {
		b = b[16:]
		for i == 0 && len(b) > 0 {
			var key string
			if key, b = text(b); key == "" {
				break
			}
			r.info[key], b = text(b)
		}
		for len(b) > 0 {
			if b[0] <= 2 {
				b = b[1:]
				continue
			}
			var column, value string
			if column, b = text(b); len(b) == 0 {
				break
			}
			row := int(b[0])
			for b = b[1:]; len(b) > 0; row++ {
				if value, b = text(b); value == "" {
					break
				}
				r.set(column, row, value)
			}
		}
	}
	return r, nil
}

// gameQ joins the packets as text. It removes the last value of a packet if the next
// one starts with it, and the column name at the start of a packet, with all other
// occurrences of it in the packet, if the packet before has that name, too. It
// ignores the rows of columns.
func gameQ(packets [][]byte) (*reading, error) {
	parts := make([]string, len(packets))
	for i, b := range packets {
		parts[i] = string(b[16:])
	}
	for i := 0; i+1 < len(parts); i++ {
		head := parts[i][:len(parts[i])-1]
		last := head[strings.LastIndexByte(head, 0)+1:]
		next := parts[i+1]
		next = next[strings.IndexByte(next, 0)+2:]
		first, _, _ := strings.Cut(next, "\x00")
		if last != "" && strings.Contains(first, last) {
			parts[i] = head[:len(head)-len(last)]
		}
	}
	for i := 1; i < len(parts); i++ {
		name, _, _ := strings.Cut(parts[i], "\x00")
		if name != "" && strings.Contains(parts[i-1], name) {
			parts[i] = strings.ReplaceAll(parts[i], name, "")[2:]
		}
	}
	r := newReading()
	b := []byte(strings.Join(parts, ""))
	for len(b) > 0 {
		var key string
		if key, b = text(b); key == "" {
			break
		}
		r.info[key], b = text(b)
	}
	items := strings.Split(string(b), "\x00\x00")
	column := ""
	for _, item := range items[:len(items)-1] {
		switch {
		case item == "" || item == "\x00":
		case strings.HasSuffix(item, "_") || strings.HasSuffix(item, "_t"):
			column = strings.Trim(item, "\x00\x01\x02")
		default:
			for value, rest := text([]byte(item)); value != ""; value, rest = text(rest) {
				r.table(column)[column] = append(r.table(column)[column], value)
			}
		}
	}
	return r, nil
}

// openGSQ drops the last text of each packet, and joins the packets. It writes the
// start of a column anew if a packet starts with row 0 of it. A column ends at two
// zero bytes.
func openGSQ(packets [][]byte) (*reading, error) {
	var joined []byte
	for _, b := range packets {
		section, b := b[15], b[16:]
		var head []byte
		if section >= 1 {
			var name string
			name, b = text(b)
			if b[0] == 0 {
				head = []byte("\x00" + string(section) + name + "\x00\x00")
			}
			b = b[1:]
		}
		b = append(head, b[:len(b)-1]...)
		joined = append(joined, b[:bytes.LastIndexByte(b, 0)+1]...)
	}
	r := newReading()
	for {
		var key string
		if key, joined = text(joined); key == "" {
			break
		}
		r.info[key], joined = text(joined)
	}
	isLetter := func(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
	rows := 0
	for b := append([]byte{0}, joined...); len(b) > 2; {
		end := 2
		for end < len(b) && (isLetter(b[end]) || b[end] == '_') {
			end++
		}
		if b[0] != 0 || isLetter(b[1]) || end == 2 || !bytes.HasPrefix(b[end:], []byte{0, 0}) {
			b = b[1:]
			continue
		}
		column, id := string(b[2:end]), b[1]
		b = b[end+2:]
		size := bytes.Index(b[min(1, len(b)):], []byte{0, 0}) + 1
		if size == 0 {
			break
		}
		values := strings.Split(string(b[:size]), "\x00")
		b = b[size:]
		if id != 0 && column != "player_" && len(r.table(column)) == 0 {
			rows = len(values)
		}
		if column == "player_" {
			rows = len(values)
		}
		if len(values) > rows {
			return nil, fmt.Errorf("column %s has %d values for %d rows", column, len(values), rows)
		}
		r.table(column)[column] = values
	}
	return r, nil
}

// qstat reads the packets with one state machine. It stops if there are more players
// than numplayers says.
func qstat(packets [][]byte) (*reading, error) {
	const (
		inInfo = iota
		inPlayers
		inTeams
	)
	r := newReading()
	state, limit := inInfo, 0
	for _, b := range packets {
		b = b[16:]
		for state == inInfo && len(b) > 0 {
			if bytes.HasPrefix(b, []byte{0, 1}) {
				state, b = inPlayers, b[2:]
				break
			}
			var key, value string
			key, b = text(b)
			if len(b) == 0 {
				return nil, errors.New("no rule value")
			}
			value, b = text(b)
			if r.info[key] = value; key == "numplayers" {
				limit, _ = strconv.Atoi(value)
			}
		}
		for state == inPlayers && len(b) > 0 {
			var column string
			if column, b = text(b); column == "" {
				return r, nil
			}
			row := int(b[0])
			for b = b[1:]; len(b) > 0; row++ {
				if b[0] == 0 {
					if b = b[1:]; len(b) > 0 && b[0] == 0 {
						state, b = inTeams, b[2:]
					}
					break
				}
				var value string
				value, b = text(b)
				if r.set(column, row, value); row >= limit {
					return nil, errors.New("too many players")
				}
			}
		}
		for state == inTeams && len(b) > 0 {
			var column string
			if column, b = text(b); column == "" {
				return r, nil
			}
			row := int(b[0])
			for b = b[1:]; len(b) > 0; row++ {
				var value string
				value, b = text(b)
				if r.set(column, row, value); len(b) > 0 && b[0] == 0 {
					b = b[1:]
					break
				}
			}
		}
	}
	return r, nil
}

// clients are models of how programs join packets, by what their sources do.
func clients() map[string]func(packets [][]byte) (*reading, error) {
	return map[string]func(packets [][]byte) (*reading, error){
		"gamedig 5.3.3": gamedig, "GameQ": gameQ, "opengsq-python": openGSQ, "qstat 2.17": qstat,
	}
}

// wantOf returns what every client should read.
func wantOf(m gamespy2.Response) *reading {
	r := newReading()
	for _, kv := range m.Info {
		r.info[kv.Key] = kv.Value
	}
	for _, t := range []gamespy2.Table{m.Players, m.Teams} {
		for i, row := range t.Rows {
			for column, value := range row {
				r.set(t.Columns[column], i, value)
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
				if testing.Short() && players%4 != 3 {
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
					checkClients(t, fmt.Sprintf("%d players with names of %d bytes", players, name), m, packets, clients())
				}
			}
			t.Logf("%d responses, %d refused, up to %d packets", counts, refused, most)
		})
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
		if r, err := gameQ(packets); err == nil && cmp.Equal(wantOf(m).players, r.players) {
			t.Errorf("%s: GameQ reads them, too", name)
		}
		if _, err := m.Packets(); !errors.Is(err, lobbywire.ErrTooLarge) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What players call themselves keeps no server from sending packets.
func TestLongColumnsOfAnyName(t *testing.T) {
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
func TestCutAnywhere(t *testing.T) {
	cutsOfAll := 0
	for players := 0; players <= 140; players++ {
		m := crowd(players, 1+players*11%40)
		packets, err := m.PacketsCut(gamespy2.CutAnywhere)
		if err != nil {
			t.Fatalf("%d players: %v", players, err)
		}
		checkClients(t, fmt.Sprintf("%d players", players), m, packets, map[string]func([][]byte) (*reading, error){"gamedig": gamedig})
		deliver(t, m, packets, []byte{byte(len(packets) - 1), 0})
		for i, b := range packets[:len(packets)-1] {
			if len(b) > gamespy2.MaxPacket || len(b) < gamespy2.MaxPacket-100 || b[len(b)-1] != 0 && len(b) == gamespy2.MaxPacket && b[len(b)-2] != 0 {
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
		{"a value that fits no packet", func(m *gamespy2.Response) { m.Info[0].Value = strings.Repeat("x", 1400) }, lobbywire.ErrTooLarge, "packets"},
		{"zero byte", func(m *gamespy2.Response) { m.Info[0].Value = "\x00" }, lobbywire.ErrInvalid, "info[0].value"},
		{"empty value", func(m *gamespy2.Response) { m.Players.Rows[1][1] = "" }, lobbywire.ErrInvalid, "players.rows[1].value"},
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

func checkClients(t *testing.T, name string, m gamespy2.Response, packets [][]byte, clients map[string]func([][]byte) (*reading, error)) {
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
			t.Fatalf("%s: %s (-want +got):\n%s", name, client, cmp.Diff(want, got, cmp.AllowUnexported(reading{})))
		}
	}
}
