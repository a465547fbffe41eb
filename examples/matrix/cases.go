package main

import (
	"fmt"
	"strings"
)

// A testCase is the content of a server and the quality of the network. A master has as
// many games as a server has players, with their names.
type testCase struct {
	name    string
	players int
	title   string           // name of the server
	player  func(int) string // name of a player
	lossy   bool             // a proxy drops 5 % of the datagrams in each direction
}

// lossyRuns is the number of queries in a lossy case. Each loses other datagrams.
const lossyRuns = 10

// cases returns the cases. The cases for texts and losses have n players.
func cases(n int) []testCase {
	const title = "Test Server"
	var list []testCase
	for _, players := range []int{0, 1, 16, 64, 128, 255} {
		list = append(list, testCase{name: fmt.Sprint(players), players: players, title: title, player: ascii})
	}
	return append(list,
		testCase{name: "Latin-1", players: n, title: "Test \xe4\xf6 Server",
			player: func(i int) string { return fmt.Sprintf("M\xfcller%02d", i) }},
		testCase{name: "UTF-8", players: n, title: "Тест äö",
			player: func(i int) string { return fmt.Sprintf("Игрок%02d", i) }},
		testCase{name: "90 bytes", players: n, title: title,
			player: func(i int) string { return fmt.Sprintf("%02d", i) + strings.Repeat("x", 88) }},
		testCase{name: "5 % loss", players: n, title: title, player: ascii, lossy: true},
	)
}

func ascii(i int) string { return fmt.Sprintf("Player%03d", i) }
