package service

import (
	"errors"
	"fmt"
	"net/netip"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/internal/limit"
)

// A budget limits what requests cause.
type budget struct {
	queries pool // a unit for each that runs
	scans   pool // a unit for each that runs
	lists   pool // see unitOfList and unitOfLines

	targets rates // of scans, by clients
	listed  rates // units of lists that are read, by clients
	queried rates // of queries, by the hosts that they go to
}

// Units of the pool of lists.
const (
	unitOfList  = 1 << 10  // bytes that are read from a master
	unitOfLines = 16 << 10 // bytes that are kept for a client until it has read them
)

// begin sets the limits. A client may scan a long list at once, and then as many targets a
// second. A host may have a hundred servers, each of which a client queries with some attempts.
func (b *budget) begin(maxQueries int) {
	b.queries.max, b.queries.maxPerPrefix, b.queries.maxPerClient = maxQueries, maxQueries, maxQueries
	b.scans.max, b.scans.maxPerPrefix, b.scans.maxPerClient = 16, 4, 2
	b.lists.max, b.lists.maxPerPrefix, b.lists.maxPerClient = 4096, 2048, 1024
	b.targets.begin(limit.Rates{
		PerSource: limit.Rate{PerSecond: 50, Burst: 1000},
		PerPrefix: limit.Rate{PerSecond: 200, Burst: 4000},
		Global:    limit.Rate{PerSecond: 1500, Burst: 15_000},
	}, limit.Rates{
		PerSource: limit.Rate{PerSecond: 10, Burst: 200},
		Global:    limit.Rate{PerSecond: 500, Burst: 5000},
	}, limit.Rate{PerSecond: 5, Burst: 200})
	b.listed.begin(limit.Rates{
		PerSource: limit.Rate{PerSecond: 64, Burst: 2048},
		PerPrefix: limit.Rate{PerSecond: 128, Burst: 4096},
		Global:    limit.Rate{PerSecond: 384, Burst: 6144},
	}, limit.Rates{
		PerSource: limit.Rate{PerSecond: 8, Burst: 256},
		Global:    limit.Rate{PerSecond: 128, Burst: 2048},
	}, limit.Rate{PerSecond: 8, Burst: 256})
	b.queried.begin(limit.Rates{
		PerSource: limit.Rate{PerSecond: 30, Burst: 120},
		PerPrefix: limit.Rate{PerSecond: 120, Burst: 480},
		Global:    limit.Rate{PerSecond: 3000, Burst: 6000},
	}, limit.Rates{
		PerSource: limit.Rate{PerSecond: 20, Burst: 80},
		PerPrefix: limit.Rate{PerSecond: 80, Burst: 320},
		Global:    limit.Rate{PerSecond: 2000, Burst: 4000},
	}, limit.Rate{PerSecond: 2, Burst: 20})
}

// Errors of queries that do not run.
var (
	errBusy     = fmt.Errorf("%w: too many queries run", output.ErrBusy)
	errHostBusy = fmt.Errorf("%w: the host is queried too often", output.ErrBusy)
)

// isBusy reports whether a query may run later.
func isBusy(err error) bool { return errors.Is(err, output.ErrBusy) }

// visit counts a query of a client to the hosts at several addresses.
func (b *budget) visit(client netip.Addr, addresses []netip.Addr) error {
	for _, a := range addresses {
		if !b.queried.allow(client, a, 1) {
			return errHostBusy
		}
	}
	return nil
}
