package main

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"
	"github.com/creack/pty"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/targets"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// pseudoTerminal returns a pseudo terminal of 80 columns, and a function that closes it and
// returns everything written to it.
func pseudoTerminal(t *testing.T) (tty *os.File, written func() string) {
	t.Helper()
	return narrowTerminal(t, 80)
}

// narrowTerminal is pseudoTerminal with another number of columns.
func narrowTerminal(t *testing.T, columns uint16) (tty *os.File, written func() string) {
	t.Helper()
	control, tty, err := pty.Open()
	if err != nil {
		suite.Missing(t, "no pseudo-terminal: %v", err)
	}
	t.Cleanup(func() {
		tty.Close()
		control.Close()
	})
	if err := pty.Setsize(control, &pty.Winsize{Rows: 24, Cols: columns}); err != nil {
		t.Fatal(err)
	}
	all := make(chan string, 1)
	go func() {
		text, _ := io.ReadAll(control) // fails when tty is closed
		all <- string(text)
	}()
	return tty, func() string {
		tty.Close()
		return <-all
	}
}

// The bar is drawn on standard error if that is a terminal, and cleared before other
// output there.
func TestBarIsClearedBeforeOtherOutput(t *testing.T) {
	addr, stop := background(t, "serve", "sqp", "127.0.0.1:0")
	defer stop()
	other, stopOther := background(t, "serve", "sqp", "127.0.0.1:0")
	defer stopOther()
	scan := []string{"scan", "sqp", patient, addr, other}

	tty, written := pseudoTerminal(t)
	var stdout bytes.Buffer
	code := run(scan, nil, &stdout, tty)
	text := written()
	if code != exitOK || !strings.Contains(stdout.String(), addr) || strings.Contains(stdout.String(), "scanning") {
		t.Errorf("exit code %d, %s%q", code, &stdout, text)
	}
	bar, summary := strings.LastIndex(text, "scanning"), strings.Index(text, "\ranswered 2, silent 0, lost 0")
	if !strings.Contains(text, "(1/2") || bar < 0 || summary < bar {
		t.Errorf("want a bar, and the summary at the start of a line behind it: %q", text)
	}

	tty, written = pseudoTerminal(t)
	if code, text := run(append(scan, "-json"), nil, tty, tty), written(); code != exitOK ||
		strings.Contains(text, "scanning") {
		t.Errorf("a bar among the lines: exit code %d, %q", code, text)
	}

	tty, written = pseudoTerminal(t)
	p := newProgress(tty, false)
	p.add(targets.NewFeed(t.Context(), targets.Of(targets.Target{Count: 2})))
	p.clear()
	if text := written(); !strings.Contains(text, "scanning") || !strings.HasSuffix(text, " \r") {
		t.Errorf("want a bar, and it taken off: %q", text)
	}
}

// Where the bar does not fit, there is none.
func TestNarrowTerminalsHaveNoBar(t *testing.T) {
	addr, stop := background(t, "serve", "sqp", "127.0.0.1:0")
	defer stop()
	tty, written := narrowTerminal(t, 25)
	var stdout bytes.Buffer
	code := run([]string{"scan", "sqp", addr}, nil, &stdout, tty)
	if text := written(); code != exitOK || !strings.HasPrefix(text, "answered 1, ") {
		t.Errorf("exit code %d, %q", code, text)
	}
}

// A disk that is full is one error on one line.
func TestFullDiskIsOneError(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	const want = "gamequery: write /dev/full: no space left on device\n"
	for _, args := range [][]string{{"games"}, {"query", "-json", "-attempts", "1", "sqp", "127.0.0.1:1"}} {
		var stderr bytes.Buffer
		code := run(args, nil, full, &stderr)
		if code != exitFailed || strings.Count(stderr.String(), want) != 1 {
			t.Errorf("%v: exit code %d, %q, want once %q", args, code, &stderr, want)
		}
	}
}

// If both outputs are one terminal, the bar is cleared before the table. The table fits
// the width, and has colours if the environment permits them.
func TestBarAndTableShareATerminal(t *testing.T) {
	addr, stop := background(t, "serve", "sqp", "127.0.0.1:0", "-name", strings.Repeat("long ", 40))
	defer stop()
	const cyan = "\x1b[1;36m"
	for _, noColor := range []string{"", "1"} {
		t.Setenv("NO_COLOR", noColor)
		t.Setenv("TERM", "xterm")
		tty, written := pseudoTerminal(t)
		code := run([]string{"scan", "sqp", addr}, nil, tty, tty)
		text := written()
		bar, table, found := strings.Cut(text, "ADDRESS")
		if code != exitOK || !found || !strings.Contains(bar, "scanning") || strings.Contains(table, "scanning") {
			t.Errorf("exit code %d, want a bar and a table behind it: %q", code, text)
		}
		if got := strings.HasSuffix(bar, cyan); got == (noColor != "") {
			t.Errorf("NO_COLOR=%q: colours %v: %q", noColor, got, text)
		}
		bar = strings.TrimSuffix(bar, cyan)
		if !strings.HasSuffix(bar, " \r") {
			t.Errorf("the bar is not taken off: %q", bar)
		}
		for line := range strings.SplitSeq(table, "\r\n") {
			if n := displaywidth.String(line); n > 80 {
				t.Errorf("%d columns: %q", n, line)
			}
		}
	}
}
