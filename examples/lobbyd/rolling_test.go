//go:build unix

package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/examples/internal/programtest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// The nodes of a cluster are upgraded in turn. All of them always list every server once.
func TestRollingUpgradeListsAllServersOnce(t *testing.T) {
	suite.Long(t, "elections")
	t.Setenv(secretVariable, "a secret of all the nodes")
	routes := []string{programtest.UnusedAddr(t), programtest.UnusedAddr(t), programtest.UnusedAddr(t)}
	var nodes []*survivor
	for i, name := range []string{"a", "b", "c"} {
		args := []string{"-data", t.TempDir(), "-nats", "embedded", "-name", name, "-cluster", routes[i]}
		for _, peer := range routes {
			args = append(args, "-peer", peer)
		}
		nodes = append(nodes, newSurvivor(t, args...))
	}
	for _, s := range nodes {
		s.spawn(t) // no node becomes ready alone
	}
	for _, s := range nodes {
		s.awaitServing(t)
		s.wantWhole(t)
	}
	want := nodes[0].hostAll(t).listed
	for _, s := range nodes {
		s.wantListed(t, want...)
	}
	var lists atomic.Int64
	for _, s := range nodes {
		inBackground(t, func() {
			for last := want; t.Context().Err() == nil; <-time.After(20 * time.Millisecond) {
				got, err := s.fetch(t.Context())
				if err != nil {
					continue // the node stops
				}
				lists.Add(1)
				if !slices.Equal(got, want) && !slices.Equal(got, last) {
					t.Errorf("listed %q, want %q", got, want)
				}
				last = got
			}
		})
	}
	for _, s := range nodes {
		s.end(t, syscall.SIGTERM)
		s.start(t)
		s.wantWhole(t)
		enough := lists.Load() + 100
		eventually(t, func() string {
			if lists.Load() < enough {
				return "too few lists"
			}
			return ""
		})
	}
	t.Logf("%d lists", lists.Load())
}

// wantWhole waits until a node has the lists of its cluster.
func (s *survivor) wantWhole(t *testing.T) {
	t.Helper()
	eventually(t, func() string {
		if got := s.get(t, readyPath+"?cluster"); got != "ready\n" {
			return got
		}
		return ""
	})
}

// fetch returns the listed servers of the API, or an error while lobbyd stops.
func (s *survivor) fetch(ctx context.Context) ([]string, error) {
	ask, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.addr["web"]+"/api/servers", nil)
	if err != nil {
		return nil, err
	}
	r, err := http.DefaultClient.Do(ask)
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	answer, err := io.ReadAll(r.Body)
	if err == nil && r.StatusCode != http.StatusOK {
		err = errors.New(r.Status)
	}
	if err != nil {
		return nil, err
	}
	return serversIn(answer)
}
