package main

import (
	"fmt"
	"strings"
)

// A testCase is the content of a server and the quality of the network.
type testCase struct {
	name    string
	players int
	title   string           // name of the server
	player  func(int) string // name of a player
	lossy   bool             // a proxy drops 5 % of the datagrams in each direction
}

// lossyRuns is the number of queries in a lossy case. Each loses other datagrams.
const lossyRuns = 10

func cases() []testCase {
	const title = "Test Server"
	var list []testCase
	for _, n := range []int{0, 1, 16, 64, 128, 255} {
		list = append(list, testCase{name: fmt.Sprint(n), players: n, title: title, player: ascii})
	}
	return append(list,
		testCase{name: "Latin-1", players: 16, title: "Test \xe4\xf6 Server", player: func(i int) string { return fmt.Sprintf("M\xfcller%02d", i) }},
		testCase{name: "UTF-8", players: 16, title: "Тест äö", player: func(i int) string { return fmt.Sprintf("Игрок%02d", i) }},
		testCase{name: "90 bytes", players: 16, title: title, player: func(i int) string { return fmt.Sprintf("%02d", i) + strings.Repeat("x", 88) }},
		testCase{name: "5 % loss", players: 16, title: title, player: ascii, lossy: true},
	)
}

func ascii(i int) string { return fmt.Sprintf("Player%03d", i) }
