package warzonegames_test

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// A program adds a game of its own to the lists of its lobbies, keeps it there, and hides
// some games.
func ExampleGames() {
	games := &warzonegames.Games{
		Limits: warzonegames.Limits{MaxGames: 100},
		Admit:  func(e warzonegames.Entry) bool { return e.Game.Name != "Casino" },
	}
	for i, name := range []string{"Welcome", "Casino"} {
		e, err := games.Add(warzonegames.Entry{
			Key:     netip.AddrPortFrom(netip.MustParseAddr("192.0.2.1"), warzone.GamePort+uint16(i)),
			Game:    warzone.Game{Version: warzone.Version4, Name: name, MapName: "Sk-Rush", MaxPlayers: 4},
			Expires: time.Now().Add(time.Minute),
		})
		if err != nil {
			fmt.Println(err)
			return
		}
		games.Update(e.ID, func(e *warzonegames.Entry) { e.Game.CurrentPlayers++ })
	}
	for e := range games.All() {
		if !e.Withheld {
			fmt.Printf("%q at %v: %d of %d players\n", e.Game.Name, e.Key, e.Game.CurrentPlayers, e.Game.MaxPlayers)
		}
	}
	fmt.Printf("%+v\n", games.Stats())
	// Output:
	// "Welcome" at 192.0.2.1:2100: 1 of 4 players
	// {Listed:1 Withheld:1 Announced:0 Refused:0 Cut:false}
}
