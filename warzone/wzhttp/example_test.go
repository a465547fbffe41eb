package wzhttp_test

import (
	"fmt"

	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// A client reads a list as it arrives. The second line lacks a member.
func ExampleListReader() {
	parts := []string{
		`{"type":"header","motd":"Hello"}` + "\n" + `{"id":"x"}` + "\n" +
			`{"id":"G7K2Q","v":"4.7.0","netv":[16384,104],"name":"Anna's room",`,
		`"host":{"name":"Anna","pk":""},"map":["Sk-Rush",""],"players":{"cur":1,"max":4},"conn":["tcp:ip4"]}` + "\n",
	}
	var list wzhttp.ListReader
	for _, part := range parts {
		for game, err := range list.Add([]byte(part)) {
			if err != nil {
				fmt.Println(err)
				continue
			}
			fmt.Printf("%s: %q, %d of %d players\n", game.ID, game.Room.Name, game.Room.Players.Current,
				game.Room.Players.Max)
		}
	}
	header, _ := list.Header()
	fmt.Println(header.MOTD)
	// Output:
	// wzhttp: v at byte 42: invalid value: missing
	// G7K2Q: "Anna's room", 1 of 4 players
	// Hello
}

// A host announces its game and sends a change.
func ExampleDiff() {
	room := wzhttp.Room{
		Version: "4.7.0", Netcode: wzhttp.Netcode47(), Name: "Anna's room",
		Host: wzhttp.Player{Name: "Anna"}, Map: wzhttp.Map{Name: "Sk-Rush"}, Players: wzhttp.Seats{Max: 4},
	}
	create, err := wzhttp.Create{Room: room}.AppendBinary(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", create)

	old := room
	room.Players.Current = 1
	patch, err := wzhttp.Diff(old, room).AppendBinary(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	path, err := wzhttp.EndpointPatch.Path("G7K2Q")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s %s %s\n", wzhttp.EndpointPatch.Method(), path, patch)
	// Output:
	// {"v":"4.7.0","netv":[16384,104],"name":"Anna's room","host":{"name":"Anna","pk":""},"map":["Sk-Rush",""],"players":{"cur":0,"max":4},"specs":{"cur":0,"max":0},"ally":0,"lim":0}
	// PATCH /api/v1/game/G7K2Q {"players":{"cur":1,"max":4}}
}

// A lobby checks a host, which answers.
func ExampleProbe() {
	probe, err := wzhttp.Probe{LobbyToken: "secret-2", Challenge: "0123456789abcdef0123456789abcdef"}.AppendBinary(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	seen, err := wzhttp.ParseProbe(probe)
	if err != nil || seen.LobbyToken != "secret-2" {
		fmt.Println("not our lobby", err)
		return
	}
	reply, err := wzhttp.ProbeReply{GameID: "G7K2Q"}.AppendBinary(nil)
	fmt.Printf("%q, %v\n", reply, err)
	// Output:
	// "WZLR\x00\x00\x00\x02\x00\x00\x00\x0f{\"gid\":\"G7K2Q\"}", <nil>
}
