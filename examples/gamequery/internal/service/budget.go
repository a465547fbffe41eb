package service

import (
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/internal/source"
)

// A budget limits what requests cause.
type budget struct {
	running chan struct{} // one for each query that runs
	targets limit.Limiter // of the targets of scans, by client
	queried limit.Limiter // of queries, by the host that they go to

	mu    sync.Mutex
	scans source.Counter // that run, by client
}

// Limits of scans. A client may scan a long list at once, and then as many targets a second.
const (
	maxScans          = 16
	maxScansPerClient = 2
	maxScansPerPrefix = 4
)

func (b *budget) begin(maxQueries int) {
	b.running = make(chan struct{}, maxQueries)
	b.targets.Begin(limit.Rates{
		PerSource: limit.Rate{PerSecond: 50, Burst: 1000},
		PerPrefix: limit.Rate{PerSecond: 200, Burst: 4000},
		Global:    limit.Rate{PerSecond: 2000, Burst: 20_000},
	})
	// A host may have a hundred servers, each of which a client queries with some attempts.
	b.queried.Begin(limit.Rates{
		PerSource: limit.Rate{PerSecond: 50, Burst: 200},
		PerPrefix: limit.Rate{PerSecond: 200, Burst: 800},
		Global:    limit.Rate{PerSecond: 5000, Burst: 10_000},
	})
	b.scans = source.Counter{Max: maxScans, MaxPerAddress: maxScansPerClient, MaxPerPrefix: maxScansPerPrefix}
}

// Errors of queries that do not run.
var (
	errBusy     = fmt.Errorf("%w: too many queries run", output.ErrBusy)
	errHostBusy = fmt.Errorf("%w: the host is queried too often", output.ErrBusy)
)

// isBusy reports whether a query may run later.
func isBusy(err error) bool { return errors.Is(err, output.ErrBusy) }

// start begins a query. The caller must call end if there is no error.
func (b *budget) start() error {
	select {
	case b.running <- struct{}{}:
		return nil
	default:
		return errBusy
	}
}

func (b *budget) end() { <-b.running }

// visit counts a query to the hosts at several addresses.
func (b *budget) visit(addresses []netip.Addr) error {
	for _, a := range addresses {
		if !b.queried.Allow(a, time.Now()) {
			return errHostBusy
		}
	}
	return nil
}

// startScan begins a scan of n targets for a client. The caller must call endScan if it is
// within the limits.
func (b *budget) startScan(client netip.Addr, n int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.scans.Add(client) {
		return false
	}
	if client.IsValid() && !b.targets.AllowN(client, n, time.Now()) {
		b.scans.Remove(client)
		return false
	}
	return true
}

func (b *budget) endScan(client netip.Addr) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.scans.Remove(client)
}
