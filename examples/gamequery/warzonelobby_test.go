package main

import (
	"encoding/json"
	"io"
	"net"
	"regexp"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/warzone"
)

func TestWarzoneLobbyListsItsHost(t *testing.T) {
	const empty, status = "the list is empty\n", "the lobby says: 200 ok, OK\n"
	for _, at := range []string{"127.0.0.1:0", "[::1]:0"} {
		lobby, stopLobby := background(t, "master", "warzone", at)
		untilPrints(t, empty, status, "list", "warzone", lobby)
		addr, listed, stop := backgroundSaying(t, ": 200 ok", io.Discard, "serve", "warzone", at, "-register", lobby,
			"-name", hostileName, "-max", "4")
		untilPrints(t, "ADDRESS PLAYERS VERSION MAP HOST NAME\n"+addr+" 3/4 1.0 Yard Ada "+shownName+"\n", status, "list",
			"warzone", lobby)
		code, stdout, _ := gamequery(nil, "list", patient, "warzone", "-json", lobby)
		var game struct {
			Address, Name string
			Answer        struct{ GameID uint32 }
		}
		if err := json.Unmarshal([]byte(stdout), &game); err != nil || code != exitOK ||
			game.Address != addr || game.Name != hostileName || game.Answer.GameID == 0 ||
			strings.ContainsAny(stdout, "\x1b\u009b\u202e") {
			t.Errorf("exit code %d, %v, %s", code, err, stdout)
		}
		<-listed // the lobby lists the game before it answers
		code, output := stop()
		want := regexp.MustCompile(`^lobby \S+: listed: game \d+: 200 ok, OK\n` +
			`connected 1 times, sent 1 announcements and updates, 0 keeps\n$`)
		if !want.MatchString(output) || code != exitOK {
			t.Errorf("serve: exit code %d, %s", code, output)
		}
		untilPrints(t, empty, status, "list", "warzone", lobby)
		if code, output := stopLobby(); code != exitOK || !strings.Contains(output, "listed 1 games") {
			t.Errorf("master: exit code %d, %s", code, output)
		}
	}
}

// Games of 112 bytes do not contain a port. A note names the possible ports.
func TestListNamesPortsOfOldGames(t *testing.T) {
	reply, err := warzone.ListReply{Games: []warzone.Game{{
		Layout: warzone.Layout21, Name: "Duel", Size: 1, Host: "10.0.0.1", MaxPlayers: 2, CurrentPlayers: 1,
	}}}.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		conn.Read(make([]byte, 100))
		conn.Write(reply)
	}()
	code, stdout, stderr := gamequery(nil, "list", patient, "warzone", l.Addr().String())
	want := "games of 2.0 and 2.1 name no port; it is 9999, or 2100 for versions from 10 April 2009 to 2.2\n"
	if code != exitOK || stderr != want {
		t.Errorf("exit code %d, standard error %q, want %q", code, stderr, want)
	}
	if !strings.Contains(stdout, "10.0.0.1:9999 ") {
		t.Errorf("listed:\n%s", stdout)
	}
}
