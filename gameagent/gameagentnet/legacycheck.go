package gameagentnet

import (
	"context"
	"errors"
	"net/netip"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/scan"
)

// A check is a query to a server that has sent a legacy heartbeat or that another
// master lists.
type check struct {
	query   netip.AddrPort
	game    *game
	from    netip.AddrPort // source of the heartbeat; not valid for a server of another master
	stops   bool           // the server may be stopping: its state has changed
	isFirst bool           // the server is not listed
}

// A lane is a queue of checks, in a fixed amount of memory. Each lane has its own
// capacity and its own sockets, so that a flood of one kind of checks does not delay the
// others.
type lane struct {
	queue  chan check
	atOnce int
}

// A check sends its query up to checkAttempts times, and waits for checkTimeout
// each time.
const (
	checkTimeout  = time.Second
	checkAttempts = 2
)

// lanes are the lanes of a Master.
type lanes struct {
	first    lane // servers whose address is not verified
	proven   lane // servers whose address is verified
	stopping lane // listed servers that may be stopping
	synced   lane // servers of other masters
}

func newLanes() lanes {
	return lanes{
		first:    lane{make(chan check, 1024), 256},
		proven:   lane{make(chan check, 2048), 256},
		stopping: lane{make(chan check, 256), 64},
		synced:   lane{make(chan check, 32), 32},
	}
}

// add adds a check, unless the lane is full.
func (l lane) add(c check) {
	select {
	case l.queue <- c:
	default:
	}
}

// run runs the checks of a lane until ctx is done.
func (l lane) run(ctx context.Context, do func(context.Context, check)) {
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

// stopAfter is the time from a change of state to the query, so that a server that is
// stopping has stopped.
const stopAfter = 2 * time.Second

// check queries a server, and lists it if it answers.
func (m *Master) check(ctx context.Context, c check) {
	if c.stops {
		select {
		case <-time.After(stopAfter):
		case <-ctx.Done():
			return
		}
	}
	if c.from.IsValid() && !m.waiting.begin(c) {
		return
	}
	e, err := m.ask(ctx, c)
	if ctx.Err() != nil {
		return
	}
	m.checked.Add(1)
	status, some, _ := e.result()
	switch {
	case !some || err != nil && !errors.Is(err, lobbywire.ErrTimeout):
		m.unanswered.Add(1)
		if c.stops {
			m.stopLegacy(c.query)
		}
	case c.isFirst && c.game.mustValidate() && !e.isValidated():
		m.wrong.Add(1)
	default:
		m.enlistLegacy(c, status, time.Now())
	}
}

// ask queries a server, each time from another random port, so that only a program
// that receives the query can send an answer to the right port.
func (m *Master) ask(ctx context.Context, c check) (*checkExchange, error) {
	client := Client{Timeout: checkTimeout, Attempts: checkAttempts, Dial: m.Dial}
	s := scanner(&client, func() exchange[gameagent.LegacyStatus] { return m.newCheckExchange(c) }, gameagent.MaxPacket)
	r, err := s.Ask(ctx, c.query.String())
	e, ok := r.Exchange.(*checkExchange)
	if !ok {
		e = new(checkExchange)
	}
	return e, err
}

// A checkExchange queries the status. The query also has a challenge if the
// heartbeat came from another port than the query port, or if the game has
// Validate.
type checkExchange struct {
	legacyExchange
	master    *Master
	check     check
	secure    string // "" if there is none
	validated bool
}

func (m *Master) newCheckExchange(c check) *checkExchange {
	e := &checkExchange{master: m, check: c}
	if c.isFirst && c.game.Key != "" && (c.game.Validate || c.from.IsValid() && c.from != c.query) {
		e.secure = secureOf(m.loop.Minter.Token(c.query, time.Now()))
	}
	e.joined = joinedLegacy(e.secure)
	return e
}

func (e *checkExchange) follow(last exchange[gameagent.LegacyStatus]) {
	e.legacyExchange.follow(last)
	e.validated = last.(*checkExchange).validated
}

func (e *checkExchange) Receive(b []byte) scan.Verdict {
	verdict := scan.More
	_, isValidation := gameagent.PeekToMaster(b).(gameagent.LegacyValidation)
	if isValidation {
		v, err := gameagent.ParseLegacyValidation(b)
		e.validated = e.validated || err == nil && e.isRight(v.Validate)
		isValidation = len(e.parts) == 0 || v.QueryID == "" // otherwise it is also a packet of the status
	}
	if !isValidation {
		verdict = e.legacyExchange.Receive(b)
		status, _, _ := e.result()
		e.validated = e.validated || e.isRight(status.Validation())
	}
	switch {
	case verdict == scan.Stray:
	case !e.isComplete():
		verdict = scan.More
	case e.check.game.mustValidate() && e.check.isFirst && !e.isValidated():
		verdict = scan.Maybe // the answer to the challenge may follow
	default:
		verdict = scan.Done
	}
	return verdict
}

// isRight reports whether a text answers the challenge.
func (e *checkExchange) isRight(validate string) bool {
	return e.secure != "" && validate == gameagent.LegacyValidate(e.secure, e.check.game.Key)
}

// isValidated reports whether the right answer to a challenge has arrived, either
// here or from the source of the heartbeat.
func (e *checkExchange) isValidated() bool {
	return e.validated || e.check.from.IsValid() && e.master.waiting.isValidated(e.check.from)
}
