package gamespy2_test

import (
	"fmt"
	"testing"

	"github.com/lobbywire/lobbywire/gamespy2"
)

// testID is the request id of samples.
var testID = [4]byte{0x10, 0x20, 0x30, 0x40}

// bf2Server returns the state of a Battlefield 2 server with a number of players.
func bf2Server(players int) gamespy2.BF2 {
	v := gamespy2.BF2{
		HostName:      "Caf\xe9 Ost | Infantry 24/7 | harbour.example",
		GameName:      "battlefield2",
		GameVersion:   "1.5.3153-802.0",
		MapName:       "Strike At Karkand",
		GameType:      "gpm_cq",
		GameVariant:   "bf2",
		NumPlayers:    players,
		MaxPlayers:    64,
		GameMode:      "openplaying",
		Rounds:        3,
		HostPort:      16567,
		Dedicated:     true,
		Ranked:        true,
		AntiCheat:     true,
		OS:            "linux-64",
		DemoIndex:     "http://",
		DemoDownload:  "http://",
		FriendlyFire:  true,
		TKMode:        "No Punish",
		StartDelay:    15,
		SpawnTime:     15,
		SponsorText:   "Welcome to the harbour.|Be kind, play the objective, and do not park boats on the beach.",
		SponsorLogo:   "http://harbour.example/logo.png",
		CommunityLogo: "http://harbour.example/community.png",
		TicketRatio:   100,
		TeamRatio:     100,
		Team1:         "MEC",
		Team2:         "US",
		Pure:          true,
		MapSize:       64,
		FPS:           35.5,
		Players:       make([]gamespy2.BF2Player, players),
		Teams:         []gamespy2.BF2Team{{Name: "MEC"}, {Name: "US"}},
	}
	for i := range v.Players {
		v.Players[i] = gamespy2.BF2Player{
			Name:   fmt.Sprintf(" Sailor-%02d", i*7),
			Score:  100 - 3*i,
			Ping:   20 + i,
			Team:   1 + i%2,
			Deaths: i / 3,
			PID:    40000000 + 1234*i,
			Skill:  i % 9,
			AIBot:  i%5 == 4,
		}
	}
	return v
}

// bf2Response returns the response of that server.
func bf2Response(players int) gamespy2.Response {
	v := bf2Server(players)
	return v.Response(testID)
}

// tinyResponse returns a small response in split or plain form.
func tinyResponse(split bool) gamespy2.Response {
	return gamespy2.Response{
		ID:       testID,
		Split:    split,
		Sections: gamespy2.AllSections,
		Info:     []gamespy2.KeyValue{{Key: "hostname", Value: "A"}, {Key: "maxplayers", Value: "4"}},
		Players: gamespy2.Table{
			Columns: []string{"player_", "score_"},
			Rows:    [][]string{{"x y", "5"}, {"zz", "-1"}},
		},
		Teams: gamespy2.Table{
			Columns: []string{"team_t", "score_t"},
			Rows:    [][]string{{"MEC", "0"}},
		},
	}
}

// mustAppend returns the wire form of a valid message.
func mustAppend(t testing.TB, m interface{ MarshalBinary() ([]byte, error) }) []byte {
	t.Helper()
	b, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// mustPackets returns the packets of a valid response.
func mustPackets(t testing.TB, m gamespy2.Response) [][]byte {
	t.Helper()
	packets, err := m.Packets()
	if err != nil {
		t.Fatal(err)
	}
	return packets
}

// cutAnywhere cuts a response in split form as GameSpy's code does, into packets of
// any size. A text that does not fit ends at the end of the packet, and the next
// packet repeats it.
func cutAnywhere(m gamespy2.Response, size int) [][]byte {
	c := cutter{id: m.ID, size: size}
	c.section = 0
	c.start()
	for _, kv := range m.Info {
		for !c.text(kv.Key) || !c.text(kv.Value) {
			c.start()
		}
	}
	c.end()
	for section, t := range []gamespy2.Table{m.Players, m.Teams} {
		c.section = byte(section + 1)
		if len(c.packet) > 15+1 && c.free() < 100 {
			c.start()
		} else {
			c.packet = append(c.packet, c.section)
		}
		for column, name := range t.Columns {
			c.column(name, 0)
			for row := 0; row < len(t.Rows); row++ {
				for !c.text(t.Rows[row][column]) {
					c.start()
					c.column(name, row)
				}
			}
			c.end()
		}
		c.end()
	}
	c.packets = append(c.packets, c.packet)
	for i := range c.packets {
		c.packets[i][14] = byte(i)
	}
	c.packet[14] |= 0x80
	return c.packets
}

type cutter struct {
	id      [4]byte
	size    int
	section byte
	packets [][]byte
	packet  []byte
}

func (c *cutter) free() int { return c.size - len(c.packet) }

// start begins a packet.
func (c *cutter) start() {
	if c.packet != nil {
		c.packets = append(c.packets, c.packet)
	}
	c.packet = append([]byte{0}, c.id[:]...)
	c.packet = append(c.packet, "splitnum\x00\x00"...)
	c.packet = append(c.packet, c.section)
}

// text adds s, or a part of it. It reports whether the packet has room for more.
func (c *cutter) text(s string) bool {
	if len(s)+1 < c.free() {
		c.packet = append(c.packet, s...)
		c.packet = append(c.packet, 0)
		return true
	}
	c.packet = append(c.packet, s...)
	c.packet = append(c.packet, 0)[:c.size]
	c.packet[c.size-1] = 0
	return false
}

// column adds the start of a column.
func (c *cutter) column(name string, row int) {
	for {
		if c.text(name) {
			c.packet = append(c.packet, byte(row))
			if c.free() > 0 {
				return
			}
		}
		c.start()
	}
}

// end adds the end of a column or section, unless the packet is full.
func (c *cutter) end() {
	if c.free() > 0 {
		c.packet = append(c.packet, 0)
	}
}
