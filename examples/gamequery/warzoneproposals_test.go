package main

import (
	"encoding/json"
	"io"
	"net"
	"strings"
	"testing"
)

// A game that serve registers is listed by the same proposal, and removed when serve
// ends.
func TestProposalListsItsGame(t *testing.T) {
	for _, tt := range []struct{ proto, column, value string }{
		{"wztext", "STATUS", "open"},
		{"wzbinary", "STATUS", "open"},
		{"wzjson", "TECH", "T1"},
	} {
		t.Run(tt.proto, func(t *testing.T) {
			lobby, stopLobby := background(t, "master", tt.proto, "127.0.0.1:0")
			const empty = "the list is empty\n"
			header := "ADDRESS PLAYERS " + tt.column + " MAP NAME\n"
			untilPrints(t, empty, "", "list", tt.proto, lobby)
			addr, listed, stop := backgroundSaying(t, ": listed", io.Discard, "serve", tt.proto, "127.0.0.1:0",
				"-register", lobby, "-name", "Duel", "-max", "4")
			at := addr
			if tt.proto == "wzjson" {
				at = "127.0.0.1:2100"
			}
			untilPrints(t, header+at+" ?/4 "+tt.value+" Yard Duel\n", "", "list", tt.proto, lobby)

			code, stdout, _ := gamequery(nil, "list", patient, tt.proto, "-json", lobby)
			var game struct{ Address, Name string }
			if err := json.Unmarshal([]byte(stdout), &game); err != nil || code != exitOK || game.Address != at ||
				game.Name != "Duel" {
				t.Errorf("exit code %d, %v, %s", code, err, stdout)
			}
			player, err := net.Dial("tcp", addr)
			if err != nil {
				t.Fatal(err)
			}
			defer player.Close()
			if n, err := player.Read(make([]byte, 1)); err == nil {
				t.Errorf("the game sends %d bytes", n)
			}

			<-listed // the lobby lists the game before it answers
			code, output := stop()
			if want := "lobby " + lobby + ": listed\nhung up on 1 players\n"; code != exitOK || output != want {
				t.Errorf("serve: exit code %d, %q, want %q", code, output, want)
			}
			untilPrints(t, empty, "", "list", tt.proto, lobby)
			if code, output := stopLobby(); code != exitOK || !strings.Contains(output, "listed 1 games") {
				t.Errorf("master: exit code %d, %s", code, output)
			}
		})
	}
}
