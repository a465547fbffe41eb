package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/internal/test/suite"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// In both variants the game answers all protocols, is listed and updated, and leaves
// the lists at the end.
func TestBothVariantsAnswerAndAreListed(t *testing.T) {
	for name, variant := range map[string]func(*server, context.Context, <-chan time.Time) error{
		"loop": (*server).loop, "serve": (*server).serve,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at, atGameSpy := lists(t)
			game := play(t, at, variant)
			game.playOn()
			game.playOn()
			for _, look := range []look{
				answered(&sqpnet.Client{ViewChunks: sqp.ChunkServerInfo | sqp.ChunkServerRules | sqp.ChunkPlayerInfo},
					game.queries()),
				answered(&gamespy2net.Client{Protocol: gamespy2net.ProtocolPlain}, game.queries()),
				answered(&gamespy2net.Client{Protocol: gamespy2net.ProtocolSplit}, game.queries()),
				answered(&gamespy2net.Client{Protocol: gamespy2net.ProtocolChallenge}, game.queries()),
				answered(new(gamespy1net.Client), game.queries()),
				answered(&gameagentnet.Client{ViewPlayers: true}, game.queries()),
			} {
				eventually(t, look, []string{"Duel", "Yard", `"players":2,"max":4`, "Grace", "Zoë"}, nil)
			}

			onServer := answered(new(gameagentnet.Client), game.queries())
			const every = 200 * time.Millisecond // within the rates of our masters
			inList := listed(&gameagentnet.Client{ListEvery: every}, at.gameagent)
			atLobby := listed(&warzonenet.Client{ListEvery: every}, at.lobby)
			atManagement := listed(&bombermannet.Client{ListEvery: every}, at.management)
			eventually(t, onServer, []string{`"players":2,"max":4`}, nil)
			eventually(t, inList, []string{`"host":"127.0.0.1"`, fmt.Sprintf(`"port":%d`, game.port)}, nil)
			if v := <-atGameSpy; v.Name != "Duel" || v.Host != "127.0.0.1" {
				t.Errorf("at the GameSpy master: %+v", v)
			}
			eventually(t, atLobby, []string{`"host":"127.0.0.1"`, "Duel"}, nil)
			eventually(t, atManagement,
				[]string{fmt.Sprintf(`"host":"localhost","port":%d,"players":2,"max":4`, game.port), "Duel"}, nil)

			game.playOn()
			eventually(t, answered(&sqpnet.Client{ViewChunks: sqp.ChunkPlayerInfo}, game.queries()), []string{"Łukasz"}, nil)
			eventually(t, onServer, []string{`"players":3`}, nil)
			eventually(t, atManagement, []string{`"players":3`}, nil)
			if suite.IsLong() {
				eventually(t, atLobby, []string{`"players":3`, "Yard"}, nil) // a Host waits 7 s between updates
			}

			if err := game.stop(); err != nil {
				t.Error(err)
			}
			eventually(t, atLobby, []string{"null"}, nil)
			eventually(t, atManagement, []string{"null"}, nil)
			// A GameAgent master keeps the entry for minutes, but the server no longer
			// answers.
			gone := answered(&gameagentnet.Client{Attempts: 1, Timeout: 100 * time.Millisecond}, game.queries())
			eventually(t, gone, []string{"null"}, nil)
		})
	}
}

// Masters may have names, and one of them may not be found.
func TestMastersMayHaveNames(t *testing.T) {
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
	eventually(t, answered(new(sqpnet.Client), game.queries()), []string{"Duel"}, nil)
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
func TestRunRefusesWrongUsage(t *testing.T) {
	at, port := listenSomewhere(t)
	defer at.close()
	for _, tt := range []struct{ args, want string }{
		{"-help", "-gameagent master"},
		{"-colour", "-colour"},
		{"127.0.0.1", "flags only"},
		{"-port 65535", "-port"},
		{"-frame 0s", "times above 0"},
		{"-port " + strconv.Itoa(port), "choose another -port"},
		{"-port " + strconv.Itoa(port+2) + " -gameagent [::1]:9005", "IPv4"},
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
func TestRunsUntilItsContextIsDone(t *testing.T) {
	at, port := listenSomewhere(t)
	at.close()
	for _, variant := range []string{"-serve=false", "-serve"} {
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			ended <- run(ctx, []string{variant, "-port", strconv.Itoa(port), "-every=1h"}, io.Discard)
		}()
		eventually(t, answered(new(sqpnet.Client), "127.0.0.1:"+strconv.Itoa(port+1)), []string{"A toy game"}, nil)
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("%s: %v", variant, err)
		}
	}
}
