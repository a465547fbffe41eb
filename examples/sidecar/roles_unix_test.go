//go:build unix

package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
)

// roleVariable makes the test binary the sidecar, a master or a game, so that a test can
// kill it.
const roleVariable = "SIDECAR_TEST_ROLE"

// The values of roleVariable.
const (
	roleSidecar = "sidecar" // with its flags
	roleMaster  = "master"  // PROTOCOL ADDRESS
	roleGame    = "game"    // URL
)

func TestMain(m *testing.M) {
	var err error
	switch os.Getenv(roleVariable) {
	case "":
		os.Exit(m.Run())
	case roleSidecar:
		main()
	case roleMaster:
		err = beMaster(os.Args[1], os.Args[2])
	case roleGame:
		err = beGame(os.Args[1])
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(exitFailed)
}

// The game that masters know, and its key.
const (
	gameName = "duel"
	gameKey  = "abc123"
)

// beMaster serves a master until it is killed. It prints its address.
func beMaster(protocol, addr string) error {
	l, err := net.Listen("tcp4", addr)
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, l.Addr())
	switch protocol {
	case "bomberman":
		return new(bombermannet.ManagementServer).Serve(l)
	case "warzone":
		return (&warzonenet.Lobby{NoVerify: true}).Serve(l)
	case "wzhttp":
		lobby := &wzhttpnet.Lobby{NoVerify: true}
		if err := lobby.Start(); err != nil {
			return err
		}
		return http.Serve(l, lobby)
	}
	pc, err := net.ListenPacket("udp4", l.Addr().String())
	if err != nil {
		return err
	}
	if protocol == "gameagent" {
		return new(gamespy1net.Master).Serve(pc)
	}
	m := &gamespy2net.Master{Games: []gamespy2net.Game{{Name: gameName, Key: gameKey}}}
	go m.ServeLists(l)
	return m.Serve(pc)
}

// listed returns the number of games in the list of a master. A master that does not
// answer lists none.
func listed(ctx context.Context, protocol, addr string) int {
	const never = -1 // no result is kept
	var lister interface {
		ListViews(ctx context.Context, addr string) lobbywire.ListResult
	}
	switch protocol {
	case "bomberman":
		lister = &bombermannet.Client{ListEvery: never}
	case "warzone":
		lister = &warzonenet.Client{ListEvery: never}
	case "wzhttp":
		lister, addr = &wzhttpnet.Client{ListEvery: never}, "http://"+addr
	case "gameagent":
		lister = &gameagentnet.Client{ListEvery: never, Silence: time.Second / 5}
	case "gamespy2":
		lister = &gamespy2net.Client{ListEvery: never, ViewQuery: gamespy2net.ListQuery{Game: gameName, Key: gameKey}}
	}
	return len(lister.ListViews(ctx, addr).Servers)
}

// reportEvery is how often the game of a test reports.
const reportEvery = 50 * time.Millisecond

// beGame reports a state to a sidecar until it is killed. One player after the other joins.
func beGame(url string) error {
	tick := time.NewTicker(reportEvery)
	defer tick.Stop()
	for n := 1; ; n++ {
		const state = `{"name":"Duel","game":%q,"map":"harbor","host":"127.0.0.1","port":7777,"max":64,"players":%d}`
		body := fmt.Sprintf(state, gameName, n%64)
		req, err := http.NewRequest(http.MethodPut, url+"/v1/state", strings.NewReader(body))
		if err != nil {
			return err
		}
		if resp, err := http.DefaultClient.Do(req); err == nil { // the sidecar may be down
			resp.Body.Close()
		}
		<-tick.C
	}
}

// A process is the test binary in a role.
type process struct {
	*exec.Cmd
	lines chan string // of its standard error
}

// spawn starts a process. It ends with the test.
func spawn(t *testing.T, role string, args ...string) *process {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{Cmd: exec.Command(program, args...), lines: make(chan string, 64)}
	p.Env = append(os.Environ(), roleVariable+"="+role)
	out, err := p.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			p.lines <- s.Text()
		}
	}()
	t.Cleanup(p.kill)
	return p
}

// kill ends the process by SIGKILL, and waits for its end.
func (p *process) kill() {
	_ = p.Process.Kill() // it may have ended
	for range p.lines {
	}
	_ = p.Wait() // killed
}

// says waits for a line with a text, and returns the rest of the line.
func (p *process) says(t *testing.T, text string) string {
	t.Helper()
	for end := time.After(limit); ; {
		select {
		case line, ok := <-p.lines:
			if !ok {
				t.Fatalf("ends without %q", text)
			}
			if _, after, found := strings.Cut(line, text); found {
				return after
			}
		case <-end:
			t.Fatalf("does not say %q", text)
		}
	}
}
