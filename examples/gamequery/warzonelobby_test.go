package main

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"
)

// listed lists until the number of games is as wanted.
func listed(t *testing.T, lobby string, games int) string {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); ; {
		code, stdout, stderr := gamequery(nil, "list", "warzone", lobby)
		if code != exitOK || stderr != "the lobby says: 200 ok, OK\n" {
			t.Fatalf("exit code %d, %q", code, stderr)
		}
		if strings.Count(stdout, "\n") == 1+games {
			return stdout
		}
		if time.Now().After(end) {
			t.Fatalf("listed:\n%s", stdout)
		}
	}
}

func TestWarzoneLobby(t *testing.T) {
	for _, at := range []string{"127.0.0.1:0", "[::1]:0"} {
		lobby, stopLobby := background(t, "master", "warzone", at)
		listed(t, lobby, 0)
		addr, stop := background(t, "serve", "warzone", at, "-register", lobby, "-name", hostileName, "-max", "4")
		want := "ADDRESS          PLAYERS  VERSION  MAP   HOST  NAME\n" +
			addr + "      3/4  1.0      Yard  Ada   " + shownName + "\n"
		if got := listed(t, lobby, 1); blanks(got) != blanks(want) {
			t.Errorf("listed:\n%swant:\n%s", got, want)
		}
		code, stdout, _ := gamequery(nil, "list", "warzone", "-json", lobby)
		var game struct {
			Address, Name string
			GameID        uint32
		}
		if err := json.Unmarshal([]byte(stdout), &game); err != nil || code != exitOK ||
			game.Address != addr || game.Name != hostileName || game.GameID == 0 || strings.ContainsAny(stdout, "\x1b\u009b\u202e") {
			t.Errorf("exit code %d, %v, %s", code, err, stdout)
		}
		code, told := stop()
		if !regexp.MustCompile(`^lobby \S+: game \d+: 200 ok, OK\nconnected 1 times, sent 1 announcements and updates, 0 keeps\n$`).MatchString(told) || code != exitOK {
			t.Errorf("serve: exit code %d, %s", code, told)
		}
		listed(t, lobby, 0)
		if code, told := stopLobby(); code != exitOK || !strings.Contains(told, "listed 1 games") {
			t.Errorf("master: exit code %d, %s", code, told)
		}
	}
}

// blanks returns text with single blanks, as columns depend on addresses.
func blanks(text string) string { return regexp.MustCompile(` +`).ReplaceAllString(text, " ") }
