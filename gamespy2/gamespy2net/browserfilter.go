package gamespy2net

import (
	"errors"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2/filter"
	"github.com/lobbywire/lobbywire/gamespy2/internal/gamelist"
	"github.com/lobbywire/lobbywire/internal/limit"
)

var errCostly = errors.New("gamespy2net: the filters of the client take too much time")

// Limits on the work for filters, in the steps of package filter.
const (
	maxMatch  = 1 << 16 // for one server; known filters take up to 2000
	workChunk = 1 << 16 // after which the work is charged
)

// filterWork applies the filter of a client, and charges the client with the work.
type filterWork struct {
	filter  filter.Filter
	limiter *limit.Limiter
	from    netip.Addr
	listing *gamelist.Listing // that the filter is applied to
	spent   int               // steps that are not charged yet
}

// newWork returns the work for the filter of the client.
func (b *browser) newWork() *filterWork {
	return &filterWork{filter: b.filter, limiter: &b.lists.filters, from: b.conn.Remote().Addr()}
}

// lookup returns a value of the listing.
func (w *filterWork) lookup(key string) (value string, ok bool) {
	w.spent += 2 * w.listing.Info.Len()
	return w.listing.Lookup(key)
}

// begin fails if the client has used up its limit.
func (w *filterWork) begin() error {
	if w.filter.Op != "" && !w.limiter.Allow(w.from, time.Now()) {
		return errCostly
	}
	return nil
}

// match reports whether the filter matches a server. It fails if that takes too much
// time, or if the client has used up its limit.
func (w *filterWork) match(l *gamelist.Listing) (bool, error) {
	w.listing = l
	matches, left := w.filter.MatchWithin(maxMatch, w.lookup)
	w.spent += maxMatch - left
	if left < 0 {
		return false, errCostly
	}
	if w.spent < workChunk {
		return matches, nil
	}
	w.charge()
	return matches, w.begin()
}

// charge charges the client with what is spent.
func (w *filterWork) charge() {
	if w.spent > 0 {
		w.limiter.Charge(w.from, w.spent, time.Now())
	}
	w.spent = 0
}
