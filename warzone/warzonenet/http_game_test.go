//go:build linux

package warzonenet_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/lobbywire/lobbywire/internal/test/suite"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
)

// game47Root is the environment variable with the directory that .ci/warzone47 fills.
const game47Root = "LOBBYWIRE_WARZONE47"

// root47 returns the directory with the real game of version 4.7. The test is skipped
// without it.
func root47(t *testing.T) string {
	t.Helper()
	suite.Long(t, "the real Warzone 2100")
	root := os.Getenv(game47Root)
	if root == "" {
		t.Skipf("no game of version 4.7: run .ci/warzone47 DIR, and set %s to DIR", game47Root)
	}
	if _, err := os.Stat(filepath.Join(root, program47)); err != nil {
		t.Skipf("%s has no game of version 4.7: %v", game47Root, err)
	}
	if os.Getuid() != 0 {
		t.Skip("only root can start a program in another root directory")
	}
	return root
}

const program47 = "/usr/games/warzone2100.real"

// startGame47 starts the game of version 4.7 with the lobby at a URL. Without a display
// it can only host and join.
func startGame47(t *testing.T, ctx context.Context, player, lobby, display string, args ...string) *realGame {
	t.Helper()
	root := root47(t)
	dir, err := os.MkdirTemp(filepath.Join(root, "tmp"), "lobbywire")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	writeFile(t, filepath.Join(dir, "config"), fmt.Sprintf(config47, lobby, gamePort(t), player))
	writeFile(t, filepath.Join(dir, "autohost", autohost), autohostText)
	writeFile(t, filepath.Join(dir, "autohost", autohostAlone), strings.NewReplacer(
		`"team": 1}`, `"team": 1, "ai": "nexus.js"}`, `"team": 2}`, `"team": 2, "ai": "nexus.js"}`, `"team": 3}`,
		`"team": 3, "ai": "nexus.js"}`,
	).Replace(autohostText))
	inside := filepath.Join("/tmp", filepath.Base(dir))
	cmd := exec.Command(program47)
	cmd.Err = nil // the path is that in the other root directory
	cmd.Args = append(cmd.Args, "--configdir="+inside, "--window",
		fmt.Sprintf("--resolution=%dx%d", screenWidth, screenHeight),
		"--gfxbackend=opengl", "--nosound", "--debug=net", "--debug=activity", "--debug=lobby", "--flush-debug-stderr")
	cmd.Args = append(cmd.Args, args...)
	cmd.Dir = "/"
	cmd.Env = []string{
		"HOME=" + inside, "XDG_RUNTIME_DIR=" + inside, "DISPLAY=" + display, "LIBGL_ALWAYS_SOFTWARE=1",
		"PATH=/usr/bin:/usr/games", "LANG=C.UTF-8",
	}
	input, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	return &realGame{startProgramIn(t, ctx, root, cmd), display, input}
}

// autohostAlone is the file with a game for one player, against three of the computer.
const autohostAlone = "alone.json"

// ready is the box of the first player in the room of a game.
func ready() button { return button{776, 110} }

const config47 = `[General]
lobbyserver=%s
gameserver_port=%d
portMapping=0
playerName=%s
language=en
sound=0
`

// startProgramIn is startProgram with another root directory.
func startProgramIn(t *testing.T, ctx context.Context, root string, cmd *exec.Cmd) *program {
	t.Helper()
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root}
	return startProgram(t, ctx, cmd)
}

// A realHTTPLobby is an HTTP lobby for the real game. It records the requests.
type realHTTPLobby struct {
	*wzhttpnet.Lobby
	serving atomic.Pointer[wzhttpnet.Lobby]
	url     string
	heard   transcript
}

func startRealHTTPLobby(t *testing.T, l *wzhttpnet.Lobby, changes ...func(*http.Server)) *realHTTPLobby {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	s := &realHTTPLobby{Lobby: l, url: "http://" + listener.Addr().String() + "/base"}
	s.serving.Store(l)
	server := l.Server(s)
	for _, change := range changes {
		change(server)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l.Limit(listener)) }()
	t.Cleanup(func() {
		server.Close()
		s.serving.Load().Close()
		<-ended
	})
	return s
}

// replace ends the lobby, and lets another one answer from now on.
func (s *realHTTPLobby) replace(l *wzhttpnet.Lobby) {
	s.serving.Load().Close()
	s.serving.Store(l)
}

// ServeHTTP answers and records a request, and the status and the encoding of the answer.
func (s *realHTTPLobby) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	request, _ := httputil.DumpRequest(r, true)
	answer := &recordedAnswer{ResponseWriter: w}
	s.serving.Load().ServeHTTP(answer, r)
	fmt.Fprintf(&s.heard, "%s %s %d %q %s\n", r.Method, r.URL, answer.status, request,
		w.Header().Get("Content-Encoding"))
}

type recordedAnswer struct {
	http.ResponseWriter
	status int
}

func (w *recordedAnswer) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// end makes a host end.
func (g *realGame) end(t *testing.T) {
	t.Helper()
	if _, err := io.WriteString(g.input, "shutdown now\n"); err != nil {
		t.Fatal(err)
	}
	<-g.ctx.Done()
}
