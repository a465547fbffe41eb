package service

import (
	"errors"
	"fmt"
	"net/netip"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/internal/limit"
)

// A budget limits the work that requests cause.
type budget struct {
	queries pool // a unit for each that runs
	scans   pool // a unit for each that runs
	lists   pool // a unit for unitOfList or unitOfLines bytes

	targets rates // of scans, by clients
	listed  rates // units of lists, by clients
	queried rates // of queries, by the hosts that they go to
}

// Units of lists.
const (
	unitOfList  = 1 << 10 // bytes that are read from a master
	unitOfLines = 4 << 10 // bytes of lines, which are kept until the client has read them
)

// newBudget returns the limits of a service. Their tables are large. The burst of targets lets a
// client scan a long list at once. The burst of a host lets a client query a hundred servers
// there, with several attempts each.
func newBudget(maxQueries int) *budget {
	b := new(budget)
	b.queries.max, b.queries.maxPerPrefix, b.queries.maxPerClient = maxQueries, maxQueries, maxQueries
	b.scans.max, b.scans.maxPerPrefix, b.scans.maxPerClient = 16, 4, 2
	b.lists.max, b.lists.maxPerPrefix, b.lists.maxPerClient = 16_384, 8192, 4096
	client, prefix := limit.Rate{PerSecond: 50, Burst: 1000}, limit.Rate{PerSecond: 100, Burst: 2000}
	b.targets.begin(
		limit.Rates{PerSource: client, PerPrefix: prefix, Global: limit.Rate{PerSecond: 1000, Burst: 6000}},
		limit.Rates{PerSource: client, PerPrefix: prefix, Global: limit.Rate{PerSecond: 1000, Burst: 4000}},
		limit.Rate{PerSecond: 5, Burst: 200})
	longest := int64(maxListRead/unitOfList + maxLines/unitOfLines)
	client, prefix = limit.Rate{PerSecond: 64, Burst: longest}, limit.Rate{PerSecond: 64, Burst: longest}
	b.listed.begin(
		limit.Rates{PerSource: client, PerPrefix: prefix, Global: limit.Rate{PerSecond: 128, Burst: 3 * longest}},
		limit.Rates{PerSource: client, PerPrefix: prefix, Global: limit.Rate{PerSecond: 128, Burst: 2 * longest}},
		limit.Rate{PerSecond: 16, Burst: 320})
	b.queried.begin(limit.Rates{
		PerSource: limit.Rate{PerSecond: 50, Burst: 200},
		PerPrefix: limit.Rate{PerSecond: 200, Burst: 800},
		Global:    limit.Rate{PerSecond: 5000, Burst: 10_000},
	}, limit.Rates{
		PerSource: limit.Rate{PerSecond: 50, Burst: 140},
		PerPrefix: limit.Rate{PerSecond: 200, Burst: 560},
		Global:    limit.Rate{PerSecond: 5000, Burst: 7000},
	}, limit.Rate{PerSecond: 5, Burst: 15})
	return b
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
