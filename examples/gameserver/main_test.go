package main

import (
	"context"
	"io"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// In both variants the game answers all protocols, is listed and updated, and leaves
// the lists at the end.
func TestVariants(t *testing.T) {
	for name, variant := range map[string]func(*server, context.Context, <-chan time.Time) error{
		"loop": (*server).loop, "serve": (*server).serve,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at, atGameSpy := lists(t)
			game := play(t, at, variant)
			game.playOn()
			game.playOn()
			for _, query := range []string{
				"query sqp -chunks serverInfo|serverRules|playerInfo " + game.addr(3),
				"query gamespy2 -ask plain " + game.addr(2),
				"query gamespy2 -ask split " + game.addr(2),
				"query gamespy2 -ask challenge " + game.addr(2),
				"query gameagent -ask legacy " + game.addr(1),
			} {
				eventually(t, query, []string{"Duel", "Yard", "Deathmatch", "2/4", "Grace", "Zoë"}, nil)
			}
			eventually(t, "query gameagent "+game.addr(1), []string{"Duel", "Yard", "2/4"}, nil)
			eventually(t, "query gameagent -ask players "+game.addr(1), []string{"Grace", "Zoë"}, nil)

			eventually(t, "browse gameagent "+at.gameagent,
				[]string{game.addr(0) + "  :" + strconv.Itoa(game.port+1), "2/4"}, nil)
			if v := <-atGameSpy; v.Name != "Duel" || v.Host != "127.0.0.1" {
				t.Errorf("at the GameSpy master: %+v", v)
			}
			<-game.heard
			eventually(t, "list warzone "+at.lobby, []string{"Have fun!", game.addr(0), "Duel"}, nil)
			eventually(t, "list bomberman "+at.management,
				[]string{"localhost:" + strconv.Itoa(game.port), "2/4", "Duel"}, nil)

			game.playOn()
			eventually(t, "query sqp -chunks playerInfo "+game.addr(3), []string{"Łukasz"}, nil)
			eventually(t, "browse gameagent "+at.gameagent,
				[]string{game.addr(0) + "  :" + strconv.Itoa(game.port+1), "3/4"}, nil)
			eventually(t, "list bomberman "+at.management, []string{"3/4"}, nil)
			<-game.heard // a Host waits 7 s between updates
			eventually(t, "list warzone "+at.lobby, []string{"3/4", "Yard"}, nil)

			if err := game.stop(); err != nil {
				t.Error(err)
			}
			eventually(t, "list warzone "+at.lobby, []string{"Have fun!"}, []string{"Duel"})
			eventually(t, "list bomberman "+at.management, nil, []string{"Duel"})
			// A GameAgent master keeps the entry for minutes, but the server no longer
			// answers.
			eventually(t, "browse -attempts 1 -timeout 100ms gameagent "+at.gameagent, []string{"answered 0"},
				[]string{"Duel"})
		})
	}
}

// Masters may have names, and one of them may not be found.
func TestMastersWithNames(t *testing.T) {
	suite.Localhost(t)
	for name, variant := range map[string]func(*server, context.Context, <-chan time.Time) error{
		"loop": (*server).loop, "serve": (*server).serve,
	} {
		t.Run(name, func(t *testing.T) {
			at, atGameSpy := lists(t)
			at.gamespy = strings.Replace(at.gamespy, "127.0.0.1", "localhost", 1)
			at.gameagent = "nowhere..invalid:9005"
			game := play(t, at, variant)
			if v := <-atGameSpy; v.Name != "Duel" || v.Host != "127.0.0.1" {
				t.Errorf("at the GameSpy master: %+v", v)
			}
			if err := game.stop(); err != nil {
				t.Error(err)
			}
		})
	}
}

// The loop variant runs no goroutines of the library.
func TestLoopHasOneGoroutine(t *testing.T) {
	game := play(t, places{}, (*server).loop)
	eventually(t, "query sqp "+game.addr(3), []string{"Duel"}, nil)
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	for _, stack := range strings.Split(string(stacks), "\n\n") {
		if strings.Contains(stack, "created by github.com/lobbywire/lobbywire/") &&
			!strings.Contains(stack, "created by github.com/lobbywire/lobbywire/examples/") {
			t.Error(stack)
		}
	}
}

// The program reports errors in its command line and addresses in use.
func TestRunRefuses(t *testing.T) {
	at, port := listenSomewhere(t)
	defer at.close()
	for _, tt := range []struct{ args, want string }{
		{"-help", "-gameagent master"},
		{"-colour", "-colour"},
		{"127.0.0.1", "flags only"},
		{"-port 65533", "-port"},
		{"-frame 0s", "times above 0"},
		{"-port " + strconv.Itoa(port), "choose another -port"},
		{"-port " + strconv.Itoa(port-2), "choose another -port"},
		{"-port " + strconv.Itoa(port+4) + " -gameagent [::1]:9005", "IPv4"},
	} {
		var output strings.Builder
		if err := run(t.Context(), strings.Fields(tt.args), &output); err != nil {
			output.WriteString(err.Error())
		}
		if !strings.Contains(output.String(), tt.want) {
			t.Errorf("%s: %q", tt.args, output.String())
		}
	}
}

// The program runs until its context is done.
func TestRun(t *testing.T) {
	at, port := listenSomewhere(t)
	at.close()
	for _, variant := range []string{"-serve=false", "-serve"} {
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			ended <- run(ctx, []string{variant, "-port", strconv.Itoa(port), "-every=1h"}, io.Discard)
		}()
		eventually(t, "query sqp 127.0.0.1:"+strconv.Itoa(port+3), []string{"A toy game"}, nil)
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("%s: %v", variant, err)
		}
	}
}
