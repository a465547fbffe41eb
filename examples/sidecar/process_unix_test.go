//go:build unix

package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// The sidecar ends with the exit status of the game.
func TestExitStatusIsTheGames(t *testing.T) {
	for script, want := range map[string]int{
		"exit 0":                   0,
		"exit 7":                   7,
		"kill -9 $$":               128 + 9,
		`test -n "$SIDECAR_STATE"`: 0,
	} {
		args := []string{"-state", "127.0.0.1:0", "-sqp", "127.0.0.1:0", "--", "sh", "-c", script}
		if code := run(t.Context(), args, nil, io.Discard, io.Discard); code != want {
			t.Errorf("%s: exit code %d, want %d", script, code, want)
		}
	}
	var stderr strings.Builder
	code := run(t.Context(), []string{"-state", "127.0.0.1:0", "-sqp", "127.0.0.1:0", "--", "/nosuch"}, nil,
		io.Discard, &stderr)
	if code != exitFailed || !strings.Contains(stderr.String(), "/nosuch") {
		t.Errorf("a missing command: exit code %d, %s", code, &stderr)
	}
}

// started starts the program as a process, with a game that is a script.
func started(t *testing.T, script string, flags ...string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	args := append([]string{"-state", "127.0.0.1:0", "-sqp", "127.0.0.1:0"}, flags...)
	cmd := exec.CommandContext(t.Context(), program, append(args, "--", "sh", "-c", script)...)
	cmd.Env = append(os.Environ(), roleVariable+"="+roleSidecar)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewScanner(out)
}

// The game gets the signals of the sidecar, which waits until the game has ended.
func TestGameGetsTheSignals(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGUSR1} {
		cmd, out := started(t, `trap "echo got; exit 5" TERM INT HUP USR1; echo ready; while :; do sleep 0.01; done`)
		if !out.Scan() || out.Text() != "ready" {
			t.Fatalf("%v: %q", s, out.Text())
		}
		if err := cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		if !out.Scan() || out.Text() != "got" {
			t.Errorf("%v: the game did not get it", s)
		}
		_ = cmd.Wait() // with an error, the exit status
		if code := cmd.ProcessState.ExitCode(); code != 5 {
			t.Errorf("%v: exit code %d", s, code)
		}
	}
}

// The sidecar and its game continue when nobody reads the log, and the game gets SIGPIPE as
// usual.
func TestSidecarOutlivesTheReaderOfItsLog(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	reader, log, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	reader.Close()
	cmd := exec.CommandContext(t.Context(), program, "-state", "127.0.0.1:0", "-sqp", "127.0.0.1:0", "--",
		"sh", "-c", "sh -c 'kill -PIPE $$'; exit $?")
	cmd.Env = append(os.Environ(), roleVariable+"="+roleSidecar)
	cmd.Stderr = log
	_ = cmd.Run() // with an error, the exit status
	if code, want := cmd.ProcessState.ExitCode(), 128+int(syscall.SIGPIPE); code != want {
		t.Errorf("%v, want exit code %d", cmd.ProcessState, want)
	}
}

// With -end-with-parent, the sidecar and the game end when their parent is killed.
func TestSidecarEndsWithItsParent(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// The first shell is the parent. The game prints when it has begun, and when it ends.
	cmd := exec.CommandContext(t.Context(), "sh", "-c",
		`"$0" -state 127.0.0.1:0 -sqp 127.0.0.1:0 -end-with-parent -- sh -c '`+
			`trap "echo ended; exit" TERM; echo begun; while :; do sleep 0.01; done' & wait`, program)
	cmd.Env = append(os.Environ(), roleVariable+"="+roleSidecar)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	if !lines.Scan() || lines.Text() != "begun" {
		t.Fatalf("the game has not begun: %q", lines.Text())
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if !lines.Scan() || lines.Text() != "ended" {
		t.Errorf("the game goes on: %q", lines.Text())
	}
	_ = cmd.Wait() // killed
}
