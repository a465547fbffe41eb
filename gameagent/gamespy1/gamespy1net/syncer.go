package gamespy1net

import (
	"context"
	"encoding"
	"log/slog"
	"math/rand/v2"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gameagent/internal/exchange"
	"github.com/lobbywire/lobbywire/gameagent/internal/serverlist"
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

// A syncer fetches the servers of other masters and passes them to the checker.
type syncer struct {
	list    *serverlist.List
	checker *serverlist.Checker
	dial    serverlist.Dialer // of the Master
	logger  *slog.Logger      // nil is silent
	masters syncMasters
	id      string // random, in requests to other masters

	notSynced atomic.Uint64 // as in MasterStats
}

// run fetches the servers of all masters of SyncFrom, until ctx is done. SetSync does not
// change the time of the next fetch from masters that it keeps.
func (s *syncer) run(ctx context.Context) {
	var running sync.WaitGroup
	defer running.Wait()
	cancels := make(map[string]context.CancelFunc)
	for {
		from, again := s.masters.current()
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
				running.Go(func() { s.syncFrom(fetching, addr) })
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

// syncFrom fetches the servers of a master periodically, at slightly random intervals, so
// that masters do not all fetch at once. After a failure or an empty list, it tries again
// soon, because masters may start in any order, without servers.
func (s *syncer) syncFrom(ctx context.Context, addr string) {
	var trouble lifecycle.Trouble
	retry := syncRetry
	for {
		list, master, err := s.fetch(ctx, addr)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			s.notSynced.Add(1)
			trouble.Failed(ctx, s.logger, "servers of another master not fetched", err, slog.String("master", addr))
		} else {
			trouble.Over(ctx, s.logger, "servers of another master fetched again", slog.String("master", addr))
		}
		s.checker.Sync(ctx, list, master)
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

// fetch fetches the servers of a master.
func (s *syncer) fetch(ctx context.Context, addr string,
) (list gamespy1.SyncList, master netip.Addr, err error) {
	b, master, err := exchange.AskMaster(ctx, s.dial, addr, syncStep, syncTotal,
		func(secure string) encoding.BinaryAppender {
			return gamespy1.SyncRequest{
				GameName: gamespy1.MasterGame,
				Validate: gamespy1.Validate(secure, s.list.MasterKey()),
				Sync:     gamespy1.SyncAll,
				MasterID: s.id,
			}
		}, gamespy1.IsTextComplete)
	if err != nil {
		return list, master, err
	}
	list, err = gamespy1.ParseSyncList(b)
	hasServers := func(g gamespy1.SyncGame) bool { return len(g.Servers) > 0 }
	if reason, refused := exchange.Refusal(b); refused && !slices.ContainsFunc(list.Games, hasServers) {
		return gamespy1.SyncList{}, master, &MasterError{reason}
	}
	return list, master, err
}
