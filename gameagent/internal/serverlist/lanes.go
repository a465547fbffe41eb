package serverlist

import (
	"context"
	"net/netip"
	"sync"
	"time"
)

// A Check is a query to a server that has sent a heartbeat of GameSpy or that another
// master lists.
type Check struct {
	Query     netip.AddrPort
	Game      *Game
	From      netip.AddrPort // source of the heartbeat; not valid for a server of another master
	namedPort uint16         // the query port in the heartbeat if Query is From instead, or 0
	Local     netip.Addr     // where the heartbeat arrived; not valid if unknown
	Stops     bool           // the server may be stopping: its state has changed
	isFirst   bool           // the server is not listed
	at        time.Duration  // when to query, by the Clock of the servers, if later
	isNative  bool           // the server may have moved, and gets challenges of GameAgent
}

// A lane is a queue of checks, in a fixed amount of memory. Each lane has its own
// capacity and its own sockets, so that a flood of one kind of checks does not delay the
// others.
type lane struct {
	queue  chan Check
	atOnce int
}

// lanes are the lanes of a Checker.
type lanes struct {
	first    lane // servers whose address is not verified
	proven   lane // servers whose address is verified
	stopping lane // listed servers that may be stopping
	synced   lane // servers of other masters
	moved    lane // listed servers that may have moved to another port
}

func newLanes() lanes {
	return lanes{
		first:    lane{make(chan Check, 1024), 256},
		proven:   lane{make(chan Check, 2048), 256},
		stopping: lane{make(chan Check, 1024), 256},
		synced:   lane{make(chan Check, 32), 32},
		moved:    lane{make(chan Check, 1024), 256},
	}
}

// add adds a check. If the lane is full, ok is false.
func (l lane) add(c Check) (ok bool) {
	select {
	case l.queue <- c:
		return true
	default:
		return false
	}
}

// run runs the checks of a lane until ctx is done.
func (l lane) run(ctx context.Context, do func(context.Context, Check)) {
	var running sync.WaitGroup
	defer running.Wait()
	places := make(chan struct{}, l.atOnce)
	for {
		select {
		case places <- struct{}{}:
		case <-ctx.Done():
			return
		}
		select {
		case c := <-l.queue:
			running.Go(func() {
				do(ctx, c)
				<-places
			})
		case <-ctx.Done():
			return
		}
	}
}
