package gamespy2_test

import (
	"encoding"
	"fmt"
	"testing"

	"github.com/lobbywire/lobbywire/gamespy2"
)

// testID is the request id of samples.
var testID = [4]byte{0x10, 0x20, 0x30, 0x40}

// bf2Server returns the state of a Battlefield 2 server with a number of players.
func bf2Server(players int) gamespy2.BF2 {
	v := gamespy2.BF2{
		HostName:        "Caf\xe9 Ost | Infantry 24/7 | harbour.example",
		GameName:        "battlefield2",
		GameVersion:     "1.5.3153-802.0",
		MapName:         "Strike At Karkand",
		GameType:        "gpm_cq",
		GameVariant:     "bf2",
		NumPlayers:      new(players),
		MaxPlayers:      new(64),
		GameMode:        "openplaying",
		Password:        new(false),
		TimeLimit:       new(0),
		BattleRecord:    new(false),
		VoIP:            new(false),
		AutoBalanced:    new(false),
		ScoreLimit:      new(0),
		Bots:            new(false),
		GlobalUnlocks:   new(false),
		Plasma:          new(false),
		ReservedSlots:   new(0),
		WithoutVehicles: new(false),
		Rounds:          new(3),
		HostPort:        new(16567),
		Dedicated:       new(true),
		Ranked:          new(true),
		AntiCheat:       new(true),
		OS:              "linux-64",
		DemoIndex:       "http://",
		DemoDownload:    "http://",
		FriendlyFire:    new(true),
		TKMode:          "No Punish",
		StartDelay:      new(15),
		SpawnTime:       new(15.0),
		SponsorText:     "Welcome to the harbour.|Be kind, play the objective, and do not park boats on the beach.",
		SponsorLogo:     "http://harbour.example/logo.png",
		CommunityLogo:   "http://harbour.example/community.png",
		TicketRatio:     new(100),
		TeamRatio:       new(100.0),
		Team1:           "MEC",
		Team2:           "US",
		Pure:            new(true),
		MapSize:         new(64),
		FPS:             new(35.5),
		Players:         make([]gamespy2.BF2Player, players),
		Teams:           []gamespy2.BF2Team{{Name: "MEC", Score: new(0)}, {Name: "US", Score: new(0)}},
	}
	for i := range v.Players {
		v.Players[i] = gamespy2.BF2Player{
			Name:   fmt.Sprintf(" Sailor-%02d", i*7),
			Score:  new(100 - 3*i),
			Ping:   new(20 + i),
			Team:   new(1 + i%2),
			Deaths: new(i / 3),
			PID:    new(40000000 + 1234*i),
			Skill:  new(i % 9),
			AIBot:  new(i%5 == 4),
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
func mustAppend(t testing.TB, m encoding.BinaryAppender) []byte {
	t.Helper()
	b, err := m.AppendBinary(nil)
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
