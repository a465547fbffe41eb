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
