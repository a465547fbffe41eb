//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/examples/internal/programtest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// Any two of three nodes share their lists, in whatever order nodes are killed and started,
// and so do all three once the third runs.
func TestAnyTwoOfThreeNodesShare(t *testing.T) {
	suite.Long(t, "elections")
	for _, tt := range []struct{ first, killed, started []int }{
		{[]int{0, 1, 2}, []int{0, 1}, []int{0}},
		{[]int{0, 1, 2}, []int{0, 1}, []int{1}},
		{[]int{0, 1, 2}, []int{0, 2}, []int{0}},
		{[]int{0, 1, 2}, []int{0, 2}, []int{2}},
		{[]int{0, 1, 2}, []int{1, 2}, []int{1}},
		{[]int{0, 1, 2}, []int{1, 2}, []int{2}},
		{[]int{0, 1, 2}, []int{0, 1, 2}, []int{0, 1}},
		{[]int{0, 1, 2}, []int{0, 1, 2}, []int{2, 0}},
		{[]int{1, 2}, []int{2}, []int{2}},
		{nil, nil, []int{2, 1}},
	} {
		name := fmt.Sprint("run ", tt.first, ", kill ", tt.killed, ", start ", tt.started)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFleet(t)
			f.start(t, tt.first...)
			f.wantSharing(t, "first")
			for _, i := range tt.killed {
				f.kill(t, i)
			}
			f.start(t, tt.started...)
			took := f.wantSharing(t, "second")
			t.Logf("two share their lists again after %v", took)
			for i := range f.nodes {
				if !slices.Contains(f.up, i) {
					f.start(t, i)
				}
			}
			f.wantSharing(t, "third")
		})
	}
}

// A fleet is three nodes, each a process. Some of them are up.
type fleet struct {
	nodes []*survivor
	up    []int
}

func newFleet(t *testing.T) *fleet {
	t.Helper()
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("a secret of all the nodes\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	routes := []string{programtest.UnusedAddr(t), programtest.UnusedAddr(t), programtest.UnusedAddr(t)}
	f := new(fleet)
	for i, route := range routes {
		args := []string{"-data", t.TempDir(), "-nats", "embedded", "-name", fmt.Sprint("node", i), "-cluster", route,
			"-cluster-secret-file", secret, "-no-verify"}
		for _, peer := range routes {
			args = append(args, "-peer", peer)
		}
		f.nodes = append(f.nodes, newSurvivor(t, args...))
	}
	return f
}

func (f *fleet) start(t *testing.T, which ...int) {
	t.Helper()
	for _, i := range which {
		f.nodes[i].spawn(t)
		f.up = append(f.up, i)
	}
	for _, i := range which {
		f.nodes[i].awaitServing(t)
	}
}

func (f *fleet) kill(t *testing.T, i int) {
	t.Helper()
	f.nodes[i].end(t, syscall.SIGKILL)
	f.up = slices.DeleteFunc(f.up, func(one int) bool { return one == i })
}

// wantSharing waits until all nodes that are up list the games of each other, and returns how
// long that took.
func (f *fleet) wantSharing(t *testing.T, round string) time.Duration {
	t.Helper()
	begin := time.Now()
	for _, i := range f.up {
		host(t, &f.nodes[i].running, fmt.Sprint(round, " at ", i))
	}
	// Elections take seconds, and many times as long on a busy machine.
	for _, i := range f.up {
		missing := f.missing(t, i, round)
		for ; missing != ""; missing = f.missing(t, i, round) {
			if time.Since(begin) > 10*patience {
				t.Fatalf("node %d: %s", i, missing)
			}
			<-time.After(time.Second / 4)
		}
	}
	return time.Since(begin)
}

// missing returns why a node is not a whole part of its cluster, or "".
func (f *fleet) missing(t *testing.T, i int, round string) string {
	t.Helper()
	if state := f.nodes[i].get(t, readyPath+"?cluster"); state != "ready\n" {
		return state
	}
	listed := f.nodes[i].listed(t)
	for _, j := range f.up {
		if game := fmt.Sprint("warzone ", round, " at ", j); !slices.Contains(listed, game) {
			return fmt.Sprintf("%q is not in %q", game, listed)
		}
	}
	return ""
}
