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
	"github.com/lobbywire/lobbywire/internal/udp"
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
	validated := false // by a datagram of the query
	isValidated := func() bool { return validated || c.from.IsValid() && m.waiting.isValidated(c.from) }
	client := Client{Timeout: checkTimeout, Attempts: checkAttempts, Dial: m.Dial}
	start := func() *exchange[gameagent.LegacyStatus] { return m.newCheckExchange(c, &validated, isValidated) }
	s := scanner(&client, start, gameagent.MaxPacket)
	// Each attempt uses another random port, so that only a program that receives the
	// query can send an answer to the right port.
	r, err := s.Ask(ctx, c.query.String())
	e, ok := r.Exchange.(*exchange[gameagent.LegacyStatus])
	if !ok {
		e = new(exchange[gameagent.LegacyStatus])
	}
	if ctx.Err() != nil {
		return
	}
	m.checked.Add(1)
	switch {
	case !e.some || err != nil && !errors.Is(err, lobbywire.ErrTimeout):
		m.unanswered.Add(1)
		if c.stops {
			m.stopLegacy(c.query)
		}
	case c.isFirst && c.game.mustValidate() && !isValidated():
		m.wrong.Add(1)
	default:
		m.enlistLegacy(c, e.message, time.Now())
	}
}

// newCheckExchange returns an exchange for the status. The query also has a challenge if
// the heartbeat came from another port than the query port, or if the game has Validate.
// The right answer to it sets validated; isValidated reports whether one has arrived, here
// or from the source of the heartbeat.
func (m *Master) newCheckExchange(c check, validated *bool, isValidated func() bool) *exchange[gameagent.LegacyStatus] {
	secure := ""
	if c.isFirst && c.game.Key != "" && (c.game.Validate || c.from.IsValid() && c.from != c.query) {
		secure = udp.Letters(m.loop.Minter.Token(c.query, time.Now()))
	}
	validate := func(answer string) {
		*validated = *validated || secure != "" && answer == gameagent.LegacyValidate(secure, c.game.Key)
	}
	e := newSecureExchange(secure)
	receive := e.receive
	e.receive = func(b []byte) scan.Verdict {
		verdict := scan.More
		_, isValidation := gameagent.PeekToMaster(b).(gameagent.LegacyValidation)
		if isValidation {
			if v, err := gameagent.ParseLegacyValidation(b); err == nil {
				validate(v.Validate)
				isValidation = len(e.parts) == 0 || v.QueryID == "" // otherwise it is also a packet of the status
			}
		}
		if !isValidation {
			verdict = receive(b)
			validate(e.message.Validation())
		}
		switch {
		case verdict == scan.Stray:
			return scan.Stray
		case !e.isComplete():
			return scan.More
		case c.isFirst && c.game.mustValidate() && !isValidated():
			return scan.Maybe // the answer to the challenge may follow
		}
		return scan.Done
	}
	return e
}
