// Package roster queries listed servers for their players, for visitors of the page.
//
// Visitors can make this node send datagrams, so it only queries listed servers, each at
// most once in a few seconds, whatever the number of visitors, and a limited number at a
// time.
package roster

import (
	"context"
	"errors"
	"net/netip"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
)

const (
	// Fresh is how long an answer, or the lack of one, is kept.
	Fresh = 10 * time.Second

	timeout     = 4 * time.Second
	maxQueries  = 32  // at a time
	maxOfHost   = 2   // at a time, since one machine may have many listed servers
	maxAnswers  = 512 // kept
	maxOfRoster = 256 // players; the protocols have fewer
)

// Errors of Players.
var (
	ErrNoQuery = errors.New("roster: the server cannot be queried")
	ErrBusy    = errors.New("roster: too many queries")
)

// Players are the players of a server at one point in time.
type Players struct {
	Asked   time.Time
	Players []lobbywire.Player
}

// An Asker queries servers. Its zero value is ready.
type Asker struct {
	mu      sync.Mutex
	answers map[netip.AddrPort]*answer
	running int
	of      map[netip.Addr]int // running queries, by host
}

// An answer is the result of querying a server. It is complete once done is closed.
type answer struct {
	done    chan struct{}
	expires time.Time // zero while the query is running
	players Players
	err     error
}

// Players returns the players of a listed server. The query continues if ctx ends, for
// others who wait for it.
func (a *Asker) Players(ctx context.Context, e *catalogue.Entry) (Players, error) {
	if !e.Query.IsValid() || e.Quarantine != "" {
		return Players{}, ErrNoQuery
	}
	got, err := a.answer(e, time.Now())
	if err != nil {
		return Players{}, err
	}
	select {
	case <-got.done:
		return got.players, got.err
	case <-ctx.Done():
		return Players{}, ctx.Err()
	}
}

// answer returns the answer of a server, which may still be awaited.
func (a *Asker) answer(e *catalogue.Entry, now time.Time) (*answer, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if known := a.answers[e.Query]; known != nil && (known.expires.IsZero() || now.Before(known.expires)) {
		return known, nil
	}
	a.forgetLocked(now)
	host := e.Query.Addr()
	if a.running >= maxQueries || a.of[host] >= maxOfHost || len(a.answers) >= maxAnswers {
		return nil, ErrBusy
	}
	if a.answers == nil {
		a.answers, a.of = make(map[netip.AddrPort]*answer), make(map[netip.Addr]int)
	}
	next := &answer{done: make(chan struct{})}
	a.answers[e.Query] = next
	a.running++
	a.of[host]++
	go a.query(next, e)
	return next, nil
}

// forgetLocked drops answers that are no longer fresh, if there are many.
func (a *Asker) forgetLocked(now time.Time) {
	if len(a.answers) < maxAnswers {
		return
	}
	for at, known := range a.answers {
		if !known.expires.IsZero() && !now.Before(known.expires) {
			delete(a.answers, at)
		}
	}
}

func (a *Asker) query(into *answer, e *catalogue.Entry) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	roster, err := rosterOf(ctx, e)
	a.mu.Lock()
	defer a.mu.Unlock()
	now := time.Now()
	into.players = Players{Asked: now, Players: roster[:min(len(roster), maxOfRoster)]}
	into.err, into.expires = err, now.Add(Fresh)
	a.running--
	host := e.Query.Addr()
	a.of[host]--
	if a.of[host] == 0 {
		delete(a.of, host)
	}
	close(into.done)
}

// rosterOf queries a server in the protocol of its registration.
func rosterOf(ctx context.Context, e *catalogue.Entry) ([]lobbywire.Player, error) {
	at, dial := e.Query.String(), catalogue.DialFrom(e.Via)
	if e.Family == catalogue.GameSpy {
		got, err := (&gamespy2net.Client{Dial: dial}).Query(ctx, at)
		return got.View().Roster, err
	}
	if e.Source == "legacy" {
		got, err := (&gamespy1net.Client{Dial: dial}).Status(ctx, at)
		return got.Message.View().Roster, err
	}
	got, err := (&gameagentnet.Client{Dial: dial}).Players(ctx, at)
	return got.Message.View().Roster, err
}
