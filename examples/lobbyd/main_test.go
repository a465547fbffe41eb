package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// actVariable makes the test binary run lobbyd, for tests that need a separate process.
const actVariable = "LOBBYD_TEST_ACT"

func TestMain(m *testing.M) {
	if os.Getenv(actVariable) == "" {
		os.Exit(runTests(m))
	}
	if os.Getenv("LISTEN_FDS") != "" {
		// The test cannot set this variable before it knows the number of the process.
		os.Setenv("LISTEN_PID", strconv.Itoa(os.Getpid()))
	}
	main()
}

// runTests runs the tests. No lobbyd that they start uses the user's data directory.
func runTests(m *testing.M) int {
	state, err := os.MkdirTemp("", "lobbyd-state-*")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(state)
	suite.Waits()
	os.Unsetenv("STATE_DIRECTORY")
	os.Setenv("XDG_STATE_HOME", state)
	return m.Run()
}

// anywhere returns flags that make every server listen on a free loopback port, and keep
// nothing.
func anywhere() []string {
	args := []string{"-data", noData}
	for _, name := range []string{"gameagent", "gameagent-legacy", "gameagent-list", "warzone", "text", "binary",
		"json", "bomberman", "web", "metrics"} {
		args = append(args, "-"+name, "127.0.0.1:0")
	}
	return args
}

// A record is a line of the log.
type record map[string]any

// A running is a lobbyd in this process.
type running struct {
	addr   map[string]string // of each server
	before []record          // lines before the line "ready"
	logs   chan record       // lines after it
	reload chan os.Signal
	end    func() int // stops it, and returns its exit code
}

// start runs lobbyd until the test ends, and returns once it is ready.
func start(t *testing.T, args ...string) *running {
	t.Helper()
	l := begin(t, args...)
	l.awaitReady(t)
	return l
}

// begin runs lobbyd until the test ends.
func begin(t *testing.T, args ...string) *running {
	ctx, cancel := context.WithCancel(context.Background())
	r, w := io.Pipe()
	l := &running{addr: make(map[string]string), logs: make(chan record, 1024), reload: make(chan os.Signal, 1)}
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, args, l.reload, io.Discard, w)
		w.Close()
	}()
	l.end = sync.OnceValue(func() int {
		cancel()
		return <-code
	})
	t.Cleanup(func() { l.end() })
	go func() {
		defer close(l.logs)
		for lines := bufio.NewScanner(r); lines.Scan(); {
			line := record{"msg": lines.Text()} // for lines that are not JSON
			_ = json.Unmarshal(lines.Bytes(), &line)
			select {
			case l.logs <- line:
			default: // no test is reading
			}
		}
	}()
	return l
}

// awaitReady waits until lobbyd is ready, and records its addresses.
func (l *running) awaitReady(t *testing.T) {
	t.Helper()
	for line := range l.logs {
		switch line["msg"] {
		case "listening":
			l.addr[line["server"].(string)] = line["address"].(string)
		case "ready":
			return
		default:
			t.Logf("%v", line)
			l.before = append(l.before, line)
		}
	}
	t.Fatalf("lobbyd ended before it was ready: %d", l.end())
}

// logged waits for a line of the log with a message, or for any after ready if that is "".
func (l *running) logged(t *testing.T, msg string) record {
	t.Helper()
	if i := slices.IndexFunc(l.before, func(line record) bool { return line["msg"] == msg }); i >= 0 {
		line := l.before[i]
		l.before = slices.Delete(l.before, i, i+1)
		return line
	}
	for {
		select {
		case line, ok := <-l.logs:
			if !ok {
				t.Fatalf("the log ended before %q", msg)
			}
			if msg == "" || line["msg"] == msg {
				return line
			}
		case <-time.After(patience):
			t.Fatalf("no %q in the log", msg)
		}
	}
}

// reloads makes lobbyd read its configuration again, and returns the log line with a
// message.
func (l *running) reloads(t *testing.T, msg string) record {
	t.Helper()
	l.reload <- syscall.SIGHUP
	return l.logged(t, msg)
}

// patience is the time limit for anything that a test waits for.
const patience = 2 * time.Minute

// eventually waits until is returns "".
func eventually(t *testing.T, is func() (missing string)) {
	t.Helper()
	missing := ""
	pause := time.Millisecond
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); <-time.After(pause) {
		missing = is()
		if missing == "" {
			return
		}
		pause = min(2*pause, 50*time.Millisecond)
	}
	t.Fatal(missing)
}

// fails runs lobbyd, which must end by itself, and returns its exit code and output.
func fails(t *testing.T, args ...string) (int, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var said strings.Builder
	code := run(ctx, args, nil, io.Discard, &said)
	return code, said.String()
}
