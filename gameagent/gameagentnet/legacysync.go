package gameagentnet

import (
	"context"
	"encoding"
	"log/slog"
	"math/rand/v2"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/lifecycle"
)

// Times for fetching servers from other masters. An interval of half of Expiry keeps
// running servers listed.
const (
	syncEvery = Expiry / 2
	syncRetry = 2 * time.Second  // after a failure or an empty list; doubles, up to syncEvery
	syncStep  = 10 * time.Second // to connect, and for each read
	syncTotal = time.Minute
)

// masterKey returns the key of masters, or "" if Games does not have it.
func (m *Master) masterKey() string {
	if g := m.game(gameagent.LegacyMasterGame); g != nil {
		return g.Key
	}
	return ""
}

// syncAll fetches the servers of all masters of SyncFrom, until ctx is done. A master that
// SetSync does not remove is not fetched sooner because of that.
func (m *Master) syncAll(ctx context.Context) {
	var running sync.WaitGroup
	defer running.Wait()
	cancels := make(map[string]context.CancelFunc)
	for {
		from, again := m.syncing.current()
		for addr, cancel := range cancels {
			if !slices.Contains(from, addr) {
				cancel()
				delete(cancels, addr)
			}
		}
		for _, addr := range from {
			if cancels[addr] == nil {
				fetching, cancel := context.WithCancel(ctx)
				cancels[addr] = cancel
				running.Go(func() { m.syncFrom(fetching, addr) })
			}
		}
		select {
		case <-again:
		case <-ctx.Done():
			for _, cancel := range cancels {
				cancel()
			}
			return
		}
	}
}

// syncFrom fetches the servers of a master periodically, at slightly random intervals,
// so that masters do not do it all at once. After a failure or an empty list, it tries again
// soon, because masters may start in any order, and have no servers then.
func (m *Master) syncFrom(ctx context.Context, addr string) {
	var trouble lifecycle.Trouble
	retry := syncRetry
	for {
		list, err := m.fetchSync(ctx, addr)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			m.notSynced.Add(1)
			trouble.Failed(ctx, m.Logger, "servers of another master not fetched", err, slog.String("master", addr))
		} else {
			trouble.Over(ctx, m.Logger, "servers of another master fetched again", slog.String("master", addr))
		}
		m.take(ctx, list)
		wait := syncEvery
		if len(list.Games) > 0 {
			retry = syncRetry
		} else {
			wait, retry = retry, min(2*retry, syncEvery)
		}
		select {
		case <-time.After(wait - rand.N(wait/10)):
		case <-ctx.Done():
			return
		}
	}
}

// take starts checks of the servers of another master, one for each. It skips listed
// servers that register here themselves, and those of an address or a prefix beyond what
// could be listed, so that another master cannot have them flooded with queries. It waits
// while many checks run.
func (m *Master) take(ctx context.Context, list gameagent.LegacySyncList) {
	taken := make(map[netip.AddrPort]bool)
	counter := m.servers.Limits()
	for _, g := range list.Games {
		known := m.game(g.GameName)
		if known == nil {
			continue
		}
		for _, query := range g.Servers {
			if taken[query] || !listable(query) || !m.isForSync(query) || !counter.Add(query.Addr()) {
				continue
			}
			taken[query] = true
			select {
			case m.lanes.synced.queue <- check{query: query, game: known, isFirst: true}:
			case <-ctx.Done():
				return
			}
		}
	}
}

// isForSync reports whether a server is unknown or known only from other
// masters.
func (m *Master) isForSync(query netip.AddrPort) (ok bool) {
	m.servers.Do(time.Now(), func(t *locked) {
		i, known := t.Find(query)
		ok = !known || t.Value(i).synced
	})
	return ok
}

// fetchSync fetches the servers of a master.
func (m *Master) fetchSync(ctx context.Context, addr string) (list gameagent.LegacySyncList, err error) {
	b, _, err := askMaster(ctx, m.Dial, addr, syncStep, syncTotal, func(secure string) encoding.BinaryMarshaler {
		return gameagent.LegacySyncRequest{
			GameName: gameagent.LegacyMasterGame,
			Validate: gameagent.LegacyValidate(secure, m.masterKey()),
			Sync:     gameagent.LegacySyncAll,
			MasterID: m.id,
		}
	}, gameagent.IsLegacyTextComplete)
	if err != nil {
		return list, err
	}
	return gameagent.ParseLegacySyncList(b)
}
