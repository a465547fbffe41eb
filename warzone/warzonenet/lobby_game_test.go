//go:build linux

package warzonenet_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// installed returns the path of a program, and skips the test if it is not installed.
// Debian installs games in a directory that may not be in PATH.
func installed(t *testing.T, program string) string {
	t.Helper()
	return suite.Program(t, program, "/usr/games/"+program)
}

// A transcript is the output of a program, with a position up to which it was searched.
type transcript struct {
	mu    sync.Mutex
	text  []byte
	read  int
	grown chan struct{} // closed when text grows
}

func (s *transcript) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text = append(s.text, p...)
	if s.grown != nil {
		close(s.grown)
		s.grown = nil
	}
	return len(p), nil
}

func (s *transcript) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return string(s.text)
}

// next finds the next line that contains want, after the lines that earlier calls have
// found, and returns the rest of it after want. If there is none yet, it returns a
// channel that is closed when there is more output.
func (s *transcript) next(want string) (rest string, ok bool, grown <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, found, ok := bytes.Cut(s.text[s.read:], []byte(want)); ok {
		if line, after, ok := bytes.Cut(found, []byte("\n")); ok {
			s.read = len(s.text) - len(after)
			return string(line), true, nil
		}
	}
	if s.grown == nil {
		s.grown = make(chan struct{})
	}
	return "", false, s.grown
}

// await waits for the next line that contains want, and returns the rest of it after
// want.
func (s *transcript) await(ctx context.Context, want string) (rest string, err error) {
	for {
		rest, ok, grown := s.next(want)
		if ok {
			return rest, nil
		}
		select {
		case <-grown:
		case <-ctx.Done():
			return "", fmt.Errorf("no %q: %w", want, context.Cause(ctx))
		}
	}
}

// errEnded is the cause of the end of a program's context.
var errEnded = errors.New("the program has ended")

// A program runs until the test ends, as do all processes that it starts.
type program struct {
	out   transcript
	ctx   context.Context // ends with the program
	ended chan struct{}   // closed when it has ended
	err   error           // what it has ended with
}

// startProgram starts a command. Its transcript has what the command writes to Stdout
// and Stderr, where these are not set.
func startProgram(t *testing.T, ctx context.Context, cmd *exec.Cmd) *program {
	t.Helper()
	ctx, cancel := context.WithCancelCause(ctx)
	p := &program{ctx: ctx, ended: make(chan struct{})}
	if cmd.Stdout == nil {
		cmd.Stdout = &p.out
	}
	cmd.Stderr = &p.out
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = new(syscall.SysProcAttr)
	}
	cmd.SysProcAttr.Setpgid, cmd.SysProcAttr.Pdeathsig = true, syscall.SIGKILL
	cmd.WaitDelay = grace
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		p.err = cmd.Wait()
		cancel(errEnded)
		close(p.ended)
	}()
	t.Cleanup(func() {
		group := -cmd.Process.Pid
		syscall.Kill(group, syscall.SIGTERM)
		select {
		case <-p.ended:
		case <-time.After(grace):
		}
		syscall.Kill(group, syscall.SIGKILL)
		<-p.ended
		if t.Failed() {
			t.Logf("%s\n%s", strings.Join(cmd.Args, " "), p.out.String())
		}
	})
	return p
}

// grace is how long a program may take to end after a signal.
const grace = 5 * time.Second

// await waits for the next line that contains want, and returns the rest of it after
// want.
func (p *program) await(t *testing.T, want string) (rest string) {
	t.Helper()
	rest, err := p.out.await(p.ctx, want)
	if err != nil {
		t.Fatal(err)
	}
	return rest
}

// requireGame skips the test if the game or a tool to show and click it is missing, or
// if the game has another version than the one with these messages and buttons.
func requireGame(t *testing.T) {
	t.Helper()
	installed(t, "Xvfb")
	installed(t, "xdotool")
	out, err := exec.Command(installed(t, "warzone2100"), "--version").Output() // exits with 1
	if !strings.Contains(string(out), "Version: "+gameVersion+",") {
		t.Skipf("warzone2100 is not of version %s: %q, %v", gameVersion, out, err)
	}
}

const gameVersion = "4.3.3"

// The buttons have their positions on a screen of this size.
const screenWidth, screenHeight = 1024, 768

// A button is the position of one.
type button struct{ x, y int }

func multiPlayer() button { return button{511, 402} } // of the main menu
func joinGame() button    { return button{511, 402} } // of its menu
func lobbyList() button   { return button{511, 367} } // of its menu
func refreshList() button { return button{786, 163} } // of the list

// startScreen starts an X server without a screen and returns its name.
func startScreen(t *testing.T, ctx context.Context) (display string) {
	t.Helper()
	cmd := exec.Command(installed(t, "Xvfb"), "-displayfd", "1", "-nolisten", "tcp",
		"-screen", "0", fmt.Sprintf("%dx%dx24", screenWidth, screenHeight))
	var number transcript // apart from warnings
	cmd.Stdout = &number
	n, err := number.await(startProgram(t, ctx, cmd).ctx, "")
	if err != nil {
		t.Fatal(err)
	}
	return ":" + n
}

// A realGame is a running Warzone 2100.
type realGame struct {
	*program
	display string
	input   io.Writer // for commands to a host
}

// startGame starts the game with a lobby at 127.0.0.1 and lobbyPort. Without a display
// it can only host.
func startGame(t *testing.T, ctx context.Context, lobbyPort uint16, display string, args ...string) *realGame {
	t.Helper()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "config"), fmt.Sprintf(configText, lobbyPort))
	writeFile(t, filepath.Join(dir, "autohost", autohost), autohostText)
	// The game uses a whole core to draw. It must not slow down other tests.
	cmd := exec.Command("nice", "-n", "10", installed(t, "warzone2100"),
		"--configdir="+dir, "--window", fmt.Sprintf("--resolution=%dx%d", screenWidth, screenHeight), "--nosound",
		"--debug=net", "--debug=activity", "--flush-debug-stderr")
	cmd.Args = append(cmd.Args, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_RUNTIME_DIR="+dir, "DISPLAY="+display,
		"LIBGL_ALWAYS_SOFTWARE=1", "https_proxy=http://127.0.0.1:1") // a closed port: it is not to look for updates
	input, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	return &realGame{startProgram(t, ctx, cmd), display, input}
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// configText needs the line with the section: otherwise the game uses the lobby on the
// internet.
const configText = `[general]
masterserver_name=127.0.0.1
masterserver_port=%d
UPnP=0
playerName=GoTester
language=en
`

// autohost is the file with the settings of the game to host. The host is a spectator.
const autohost = "lobby.json"

const autohostText = `{
	"locked": {"power": false, "alliances": false, "teams": false, "difficulty": false, "ai": false,
		"scavengers": false, "position": false, "bases": false},
	"challenge": {"name": "Grüße from Go", "map": "Sk-Rush", "maxPlayers": 4, "scavengers": 0, "alliances": 0,
		"powerLevel": 1, "bases": 1, "techLevel": 1, "spectatorHost": true, "openSpectatorSlots": 2,
		"allowPositionChange": true},
	"player_0": {"name": "P0", "position": 0, "team": 0},
	"player_1": {"name": "P1", "position": 1, "team": 1},
	"player_2": {"name": "P2", "position": 2, "team": 2},
	"player_3": {"name": "P3", "position": 3, "team": 3}
}`

// click clicks a button until the game logs want. The game reads the mouse once for each
// picture that it draws, so it misses a click that is shorter.
func (g *realGame) click(t *testing.T, b button, want string) {
	t.Helper()
	g.clickUntil(t, b, func(ctx context.Context) error {
		_, err := g.out.await(ctx, want)
		return err
	})
}

// clickUntil clicks a button until wait succeeds.
func (g *realGame) clickUntil(t *testing.T, b button, wait func(ctx context.Context) error) {
	t.Helper()
	for pause := 200 * time.Millisecond; ; pause *= 2 {
		seconds := fmt.Sprint(pause.Seconds())
		g.tool(t, "xdotool", "mousemove", strconv.Itoa(b.x), strconv.Itoa(b.y),
			"sleep", seconds, "mousedown", "1", "sleep", seconds, "mouseup", "1")
		ctx, cancel := context.WithTimeout(g.ctx, 20*pause)
		err := wait(ctx)
		cancel()
		if err == nil {
			return
		}
		if g.ctx.Err() != nil {
			t.Fatal(err)
		}
	}
}

// tool runs a tool on the screen of the game and returns its output.
func (g *realGame) tool(t *testing.T, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(g.ctx, installed(t, name), args...)
	cmd.Env = append(os.Environ(), "DISPLAY="+g.display)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return out
}

// shotsVariable is the environment variable with the directory for pictures.
const shotsVariable = "LOBBYWIRE_SHOTS"

// shoot writes a picture of the screen to the directory for pictures, if there is one,
// once the screen no longer changes.
func (g *realGame) shoot(t *testing.T, name string) {
	t.Helper()
	dir := os.Getenv(shotsVariable)
	if dir == "" {
		return
	}
	var before, now []byte
	for now == nil || !bytes.Equal(before, now) {
		before, now = now, g.tool(t, "import", "-window", "root", "-strip", "png:-")
	}
	if err := os.WriteFile(filepath.Join(dir, name), now, 0o666); err != nil {
		t.Fatal(err)
	}
}
