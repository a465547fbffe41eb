package main

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/querytools"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// Players join and leave, slots and names are unique, and the map changes.
func TestPlayersJoinAndLeave(t *testing.T) {
	g := game{every: time.Second}
	now := time.Unix(0, 0)
	levels := make(map[string]bool)
	most, entered, left := 0, 0, 0
	for range 200 {
		before := len(g.players)
		event := g.step(now)
		if event == "" || strings.HasSuffix(event, "enters") != (len(g.players) > before) {
			t.Fatalf("%q, from %d to %d players", event, before, len(g.players))
		}
		if again := g.step(now.Add(999 * time.Millisecond)); again != "" {
			t.Fatalf("%q too soon", again)
		}
		slots, names := make(map[int]bool), make(map[string]bool)
		for _, p := range g.players {
			slots[p.slot], names[p.name] = true, true
			if p.slot >= maxPlayers {
				t.Errorf("slot %d", p.slot)
			}
		}
		if n := len(g.players); n > maxPlayers || len(slots) != n || len(names) != n {
			t.Fatalf("%+v", g.players)
		}
		levels[g.level] = true
		most = max(most, len(g.players))
		entered += max(len(g.players)-before, 0)
		left += max(before-len(g.players), 0)
		now = now.Add(g.every)
	}
	if len(levels) != 3 || most != maxPlayers || entered < 50 || left < 50 {
		t.Errorf("%v, %d players at most, %d entered, %d left", levels, most, entered, left)
	}
}

// No player lacks a ping or a team, for which qstat would print -32767.
func TestPlayersHaveAllThatToolsShow(t *testing.T) {
	g := game{players: []player{{name: "Ada", score: 5, ping: 20}}}
	want := lobbywire.Player{Name: "Ada", Score: new(5), Ping: new(20), Team: "0"}
	if diff := cmp.Diff([]lobbywire.Player{want}, g.view("").Roster); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// qstat reads the game, with a ping and a team for each player.
func TestQstatReadsTheGame(t *testing.T) {
	tool := querytools.Qstat("-gs3")
	suite.Tool(t, tool)
	at, _ := lists(t)
	game := play(t, at, (*server).serve)
	game.playOn()
	var r querytools.Result
	for deadline := time.Now().Add(30 * time.Second); len(r.Answer.Players) == 0 && time.Now().Before(deadline); {
		r = tool.Query(t.Context(), game.queries())[0]
	}
	if r.Err != nil || r.Answer.Name != "Duel" || len(r.Answer.Players) == 0 {
		t.Fatalf("got %+v", r)
	}
	for _, p := range r.Answer.Players {
		if ping, err := strconv.Atoi(p.Fields["ping"]); err != nil || ping < 0 || p.Fields["team"] == "-32767" {
			t.Errorf("%s: %q", p.Name, p.Fields)
		}
	}
	if err := game.stop(); err != nil {
		t.Error(err)
	}
}
