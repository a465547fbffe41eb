package targets

import (
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

// drain returns the targets that a feed yields, which are all answered, and the errors.
func drain(ctx context.Context, f *Feed) (targets, wrong []string) {
	f.Wrong = func(err error) { wrong = append(wrong, err.Error()) }
	for addr := range f.Addrs(ctx) {
		f.Done(addr, true)
		targets = append(targets, addr.String())
	}
	return targets, wrong
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
		{"of an editor on Windows", strings.NewReader("\ufeff# one\r\n127.0.0.1:7\r\n"), []string{"127.0.0.1:7"}, nil},
		{"comments", strings.NewReader("# one\n\n \t\n127.0.0.1:7 # two"), []string{"127.0.0.1:7"}, nil},
		{
			"lines", strings.NewReader("127.0.0.1:7-8\n127.0.0.1\n:9\r\n[::1]:9\r\n127.0.0.1:0\n"),
			[]string{"127.0.0.1:7", "127.0.0.1:8", "[::1]:9"},
			[]string{
				`list, line 2: target "127.0.0.1": the port is missing: write HOST:PORT or [IPv6]:PORT`,
				`list, line 3: target ":9": the host is missing; 127.0.0.1 is this machine`,
				`list, line 5: target "127.0.0.1:0": "0" is neither a port from 1 to 65535 nor ` +
					`a range of ports such as 25600-25700`,
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
		f := NewFeed(t.Context(), Listed("list", tt.file, Ports{}))
		got, wrong := drain(t.Context(), f)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		if diff := cmp.Diff(tt.wrong, wrong); diff != "" {
			t.Errorf("%s: wrong (-want +got):\n%s", tt.name, diff)
		}
		if !f.Whole.Load() {
			t.Errorf("%s: there is more", tt.name)
		}
	}
}

// A name that is not found is an error of its argument. The others are yielded.
func TestFeedReportsUnknownNames(t *testing.T) {
	var sources []Source
	for _, arg := range []string{"127.0.0.1:7-8", "nowhere..invalid:7", "[::1]:7"} {
		source, err := Argument(arg, Ports{})
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, source)
	}
	got, wrong := drain(t.Context(), NewFeed(t.Context(), sources...))
	if diff := cmp.Diff([]string{"127.0.0.1:7", "127.0.0.1:8", "[::1]:7"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"lookup nowhere..invalid: no such host"}, wrong); diff != "" {
		t.Errorf("wrong (-want +got):\n%s", diff)
	}
	if _, err := Argument("nowhere..invalid", Ports{}); err == nil {
		t.Error("no error without a port")
	}
}

// An address is yielded before the next is known. After the end of the list, the feed
// waits for the other ports of addresses that are being queried.
func TestFeedYieldsOtherPorts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		addr := netip.MustParseAddr("127.0.0.1")
		source := func(yield func(Target, error) bool) {
			for port := range uint16(3) {
				if !yield(Target{Addr: addr, Port: 1 + port, other: 101 + port, Count: 1}, nil) {
					return
				}
				time.Sleep(time.Hour)
			}
		}
		f := NewFeed(t.Context(), source)
		start := time.Now()
		var got []string
		for addr := range f.Addrs(t.Context()) {
			got = append(got, fmt.Sprint(addr, " ", time.Since(start)))
			time.AfterFunc(time.Minute, func() { f.Done(addr, addr.Port() == 2) })
		}
		want := []string{
			"127.0.0.1:1 0s", "127.0.0.1:101 1m0s", "127.0.0.1:2 1h0m0s", "127.0.0.1:3 2h0m0s", "127.0.0.1:103 2h1m0s",
		}
		if diff := cmp.Diff(want, got); diff != "" {
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
		endless := func(yield func(Target, error) bool) {
			for yield(Target{Addr: netip.MustParseAddr("127.0.0.1"), Port: 1, Count: 1}, nil) {
				read++
			}
		}
		f := NewFeed(ctx, endless)
		synctest.Wait()
		if read < readAhead || read > readAhead+1 {
			t.Errorf("%d targets were read ahead", read)
		}
		cancel()
		synctest.Wait()
		if !f.Whole.Load() {
			t.Error("it reads on after the end")
		}
	})
}
