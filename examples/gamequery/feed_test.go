package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// drain returns the targets that a feed yields, one slice for each call of ready, and
// the errors.
func drain(ctx context.Context, f *feed) (pieces [][]string, wrong []string) {
	f.wrong = func(err error) { wrong = append(wrong, err.Error()) }
	for f.wait(ctx) {
		var piece []string
		for addr := range f.ready(ctx) {
			piece = append(piece, addr.String())
		}
		pieces = append(pieces, piece)
	}
	return pieces, wrong
}

// The error for an invalid target names its line, and the next lines are read.
func TestFeedReportsWrongLines(t *testing.T) {
	broken := errors.New("broken")
	for _, tt := range []struct {
		name  string
		file  io.Reader
		want  []string
		wrong []string
	}{
		{"empty", strings.NewReader(""), nil, nil},
		{"comments", strings.NewReader("# one\n\n \t\n127.0.0.1:7 # two"), []string{"127.0.0.1:7"}, nil},
		{
			"lines", strings.NewReader("127.0.0.1:7-8\n127.0.0.1\n:9\r\n[::1]:9\r\n127.0.0.1:0\n"),
			[]string{"127.0.0.1:7", "127.0.0.1:8", "[::1]:9"},
			[]string{
				`list, line 2: target "127.0.0.1": the port is missing: write HOST:PORT or [IPv6]:PORT`,
				`list, line 3: target ":9": the host is missing; 127.0.0.1 is this machine`,
				`list, line 5: target "127.0.0.1:0": "0" is neither a port from 1 to 65535 nor a range of ports such as 25600-25700`,
			},
		},
		{
			"broken", io.MultiReader(strings.NewReader("127.0.0.1:7\n"), iotest.ErrReader(broken)),
			[]string{"127.0.0.1:7"}, []string{"list ends at line 2: broken"},
		},
		{
			"not text", strings.NewReader("127.0.0.1:7\n" + strings.Repeat("x", 1<<17)),
			[]string{"127.0.0.1:7"}, []string{"list ends at line 2: bufio.Scanner: token too long"},
		},
	} {
		f := newFeed(t.Context(), listedTargets(t.Context(), "list", tt.file, ports{}))
		pieces, wrong := drain(t.Context(), f)
		var got []string
		for _, piece := range pieces {
			got = append(got, piece...)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		if diff := cmp.Diff(tt.wrong, wrong); diff != "" {
			t.Errorf("%s: wrong (-want +got):\n%s", tt.name, diff)
		}
		if !f.whole.Load() {
			t.Errorf("%s: there is more", tt.name)
		}
	}
}

// A slow source does not delay the queries of targets that it has already listed.
func TestFeedReturnsAvailableLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		go func() {
			io.WriteString(w, "127.0.0.1:1\n127.0.0.1:2-3\n")
			time.Sleep(soon - 1)
			io.WriteString(w, "127.0.0.1:4\n")
			time.Sleep(time.Hour)
			io.WriteString(w, "127.0.0.1:5\n")
			w.Close()
		}()
		pieces, _ := drain(t.Context(), newFeed(t.Context(), listedTargets(t.Context(), "list", r, ports{})))
		want := [][]string{{"127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3", "127.0.0.1:4"}, {"127.0.0.1:5"}}
		if diff := cmp.Diff(want, pieces); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// A list is read only a limited number of targets ahead, and only until the context is
// done.
func TestFeedIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		read := 0
		endless := func(yield func(target, error) bool) {
			for yield(target{addr: netip.MustParseAddr("127.0.0.1"), port: 1, count: 1}, nil) {
				read++
			}
		}
		f := newFeed(ctx, endless)
		synctest.Wait()
		if read < readAhead || read > readAhead+1 {
			t.Errorf("%d targets were read ahead", read)
		}
		cancel()
		synctest.Wait()
		if !f.whole.Load() {
			t.Error("it reads on after the end")
		}
	})
}

// After an invalid line, the scan reports it, continues, and ends with an error.
func TestScanLeavesOutWrongLines(t *testing.T) {
	addr, stop := background(t, "serve", "sqp", "127.0.0.1:0")
	defer stop()
	list := "no-port\x1b[2J\n" + addr + "\n" + strings.Repeat("no\n", maxReported+5)
	code, stdout, stderr := gamequery([]byte(list), "scan", "sqp", "-")
	output := strings.Split(strings.TrimSpace(stderr), "\n")
	if code != exitFailed || !strings.Contains(stdout, addr) || strings.Contains(stderr, "\x1b") || len(output) != maxReported+2 {
		t.Fatalf("exit code %d, %s%s", code, stdout, stderr)
	}
	if want := `gamequery: standard input, line 1: target "no-port\x1b[2J": the port is missing: write HOST:PORT or [IPv6]:PORT`; output[0] != want {
		t.Errorf("got %s, want %s", output[0], want)
	}
	if want := fmt.Sprintf("answered 1, silent 0, lost 0, left out %d, in ", maxReported+6); !strings.HasPrefix(output[maxReported], want) {
		t.Errorf("got %s, want %s", output[maxReported], want)
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
