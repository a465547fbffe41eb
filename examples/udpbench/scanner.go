package main

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/netip"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire/examples/internal/bench"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

// A scanJob describes a scan.
type scanJob struct {
	Game     string
	Floor    bool // use the floor scanner instead of ours
	Attempts int  // of our scanner; 0 means the default
	Targets  []netip.AddrPort
}

// A scanResult is the result of a scan.
type scanResult struct {
	Answered int
	Wall     time.Duration
	Used     bench.Usage
}

// maxScan is the time limit of a scan.
const maxScan = 2 * time.Minute

// scanChild runs one scan.
func scanChild(in *json.Decoder, out *json.Encoder) error {
	var job scanJob
	if err := in.Decode(&job); err != nil {
		return err
	}
	scan, err := job.scanner()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), maxScan)
	defer cancel()
	runtime.GC() // collects the garbage of reading the job
	before, err := bench.Used()
	if err != nil {
		return err
	}
	start := time.Now()
	answered, err := scan(ctx)
	if err != nil {
		return err
	}
	wall := time.Since(start)
	after, err := bench.Used()
	if err != nil {
		return err
	}
	return out.Encode(scanResult{answered, wall, after.Minus(before)})
}

// scanner returns a function that scans and returns the number of servers that
// answered.
func (j *scanJob) scanner() (func(context.Context) (int, error), error) {
	g, err := newGame(j.Game)
	if err != nil {
		return nil, err
	}
	targets := slices.Values(j.Targets)
	switch {
	case j.Floor:
		return func(ctx context.Context) (int, error) { return floorScan(ctx, g, j.Targets) }, nil
	case strings.HasPrefix(j.Game, "sqp"):
		c := &sqpnet.Client{Attempts: j.Attempts}
		return func(ctx context.Context) (int, error) {
			return count(c.Scan(ctx, targets, sqp.ChunkServerInfo), func(r sqpnet.Result) error { return r.Err })
		}, nil
	case j.Game == "gamespy2":
		c := &gamespy2net.Client{Attempts: j.Attempts}
		return func(ctx context.Context) (int, error) {
			return count(c.Scan(ctx, targets), func(r gamespy2net.Result) error { return r.Err })
		}, nil
	case j.Game == "gameagent":
		c := &gameagentnet.Client{Attempts: j.Attempts}
		return func(ctx context.Context) (int, error) {
			return count(c.Scan(ctx, targets), func(r gameagentnet.Result[gameagent.Status]) error { return r.Err })
		}, nil
	}
	return nil, fmt.Errorf("no scanner for %q", j.Game)
}

// count counts the servers that answered. It fails if the scan fails.
func count[R any](results iter.Seq2[netip.AddrPort, R], errOf func(R) error) (n int, err error) {
	for target, r := range results {
		err := errOf(r)
		switch {
		case err == nil:
			n++
		case !target.IsValid():
			return n, err
		}
	}
	return n, nil
}
