package gamespy1_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/internal/test/scripted"
)

// crowded returns an answer with players whose names have the given size.
func crowded(q gamespy1.Query, players, size int) gamespy1.Status {
	m := gamespy1.Status{Query: q, QueryID: q.ID()}
	if q == gamespy1.QueryStatus {
		m.HostName, m.MapName, m.NumPlayers = "Test", "Yodeller", new(players)
	}
	m.Players = []gamespy1.Player{}
	for i := range players {
		name := fmt.Sprintf("%0*d", size, i)
		m.Players = append(m.Players, gamespy1.Player{Index: i, Name: name, Frags: new(int32(-i)), Ping: new(i)})
	}
	return m
}

// Answers of several datagrams are read by all known clients, and by the Assembler, in
// the order of sending.
func TestPacketsAreReadByClients(t *testing.T) {
	for _, q := range []gamespy1.Query{gamespy1.QueryStatus, gamespy1.QueryPlayers} {
		for _, players := range []int{0, 1, 16, 40, 50, 64, 128, 255} {
			for _, size := range []int{1, 15, 30} {
				m := crowded(q, players, size)
				packets, err := m.Packets()
				if err != nil {
					t.Fatal(err)
				}
				var texts []string
				for _, p := range packets {
					texts = append(texts, string(p))
					if len(p) > gamespy1.MaxPacket {
						t.Errorf("%v, %d players: datagram of %d bytes", q, players, len(p))
					}
				}
				for client, join := range scripted.GameSpy1Joiners() {
					if client == "GameQ" && len(packets) > 9 {
						continue // it takes 333.10 for 333.1: see Status.Packets
					}
					checkJoined(t, fmt.Sprintf("%s: %v, %d players of %d bytes", client, q, players, size), m,
						join(texts))
				}
			}
		}
	}
}

// checkJoined checks that a client has read a message.
func checkJoined(t *testing.T, name string, m gamespy1.Status, got map[string]string) {
	t.Helper()
	if got == nil {
		t.Errorf("%s: offline", name)
		return
	}
	count := ""
	if m.NumPlayers != nil {
		count = strconv.Itoa(*m.NumPlayers)
	}
	if got["hostname"] != m.HostName || got["mapname"] != m.MapName || got["numplayers"] != count {
		t.Errorf("%s: got %q", name, got)
	}
	for _, p := range m.Players {
		i := strconv.Itoa(p.Index)
		if got["player_"+i] != p.Name || got["frags_"+i] != strconv.Itoa(int(*p.Frags)) || got["ping_"+i] != i {
			t.Errorf("%s: player %d is missing or wrong", name, p.Index)
		}
	}
}
