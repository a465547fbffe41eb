package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"testing"
)

// After an invalid line, the scan reports it, continues, and ends with an error.
func TestScanLeavesOutWrongLines(t *testing.T) {
	addr, stop := background(t, "serve", "sqp", "127.0.0.1:0")
	defer stop()
	list := "no-port\x1b[2J\n" + addr + "\n" + strings.Repeat("no\n", maxReported+5)
	code, stdout, stderr := gamequery([]byte(list), "scan", "sqp", "-")
	output := strings.Split(strings.TrimSpace(stderr), "\n")
	if code != exitFailed || !strings.Contains(stdout, addr) || strings.Contains(stderr, "\x1b") ||
		len(output) != maxReported+2 {
		t.Fatalf("exit code %d, %s%s", code, stdout, stderr)
	}
	want := `gamequery: standard input, line 1: target "no-port\x1b[2J": write HOST:PORT or [IPv6]:PORT`
	if output[0] != want {
		t.Errorf("the first line: got %s, want %s", output[0], want)
	}
	want = fmt.Sprintf("answered 1, silent 0, lost 0, left out %d, in ", maxReported+6)
	if !strings.HasPrefix(output[maxReported], want) {
		t.Errorf("the summary: got %s, want %s", output[maxReported], want)
	}
}

// A scan queries servers while it still reads their list.
func TestScanReadsWhileItRuns(t *testing.T) {
	addr, stop := background(t, "serve", "sqp", "127.0.0.1:0")
	defer stop()
	list, listing := io.Pipe()
	r, stdout := io.Pipe()
	code := make(chan int, 1)
	go func() { code <- run([]string{"scan", "-json", "sqp", "-"}, list, stdout, io.Discard) }()
	answers := bufio.NewReader(r)
	for range 3 {
		if _, err := io.WriteString(listing, addr+"\n"); err != nil {
			t.Fatal(err)
		}
		line, err := answers.ReadString('\n')
		if err != nil || !strings.Contains(line, addr) {
			t.Fatalf("%q, %v", line, err)
		}
	}
	listing.Close()
	if got := <-code; got != exitOK {
		t.Errorf("exit code %d", got)
	}
}
