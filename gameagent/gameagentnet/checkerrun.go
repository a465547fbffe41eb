package gameagentnet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/internal/registry"
	"github.com/lobbywire/lobbywire/internal/scan"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// A check sends its query up to checkAttempts times, and waits for checkTimeout
// each time.
const (
	checkTimeout  = time.Second
	checkAttempts = 2
)

// errSilent says how long an answer may take.
var errSilent = fmt.Errorf("no answer within %v", checkAttempts*checkTimeout)

// run checks servers until ctx is done.
func (k *checker) run(ctx context.Context) {
	var running sync.WaitGroup
	for _, l := range []lane{k.lanes.first, k.lanes.proven, k.lanes.stopping, k.lanes.synced} {
		running.Go(func() { l.run(ctx, k.check) })
	}
	running.Go(func() { k.catalogue.moved.run(ctx, k.checkMoved) })
	running.Wait()
}

// check queries a server, and lists it if it answers.
func (k *checker) check(ctx context.Context, c check) {
	if wait := c.at - k.catalogue.servers.Clock(time.Now()); wait > 0 {
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
	}
	if c.isFirst && c.from.IsValid() && !k.waiting.begin(c) {
		return
	}
	announced := c
	status, did, bad := k.query(ctx, c, checkAttempts)
	if did == silent && ctx.Err() == nil && k.mayAskSource(c) {
		attempts := 1
		if k.waiting.isValidated(c.from) {
			attempts = checkAttempts
		}
		c.query, c.namedPort = c.from, announced.query.Port()
		var badAtSource error
		status, did, badAtSource = k.query(ctx, c, attempts)
		bad = cmp.Or(bad, badAtSource)
	}
	if ctx.Err() != nil {
		return
	}
	k.checks.Add(1)
	switch did {
	case answers:
		k.enlistLegacy(c, status, time.Now())
	case unproved:
		k.wrong.Add(1)
		k.refuse(announced, lobbywire.ReasonKey, nil)
	case silent:
		k.unanswered.Add(1)
		if c.stops {
			k.stopLegacy(c, time.Now())
		} else {
			k.refuse(announced, reasonWithout(bad), cmp.Or(bad, errSilent))
		}
	}
}

// mayAskSource reports whether to query the source of a heartbeat whose named query port is
// silent, because a NAT may have changed the port. It may be forged, so the query is charged as
// another heartbeat, and is sent once unless the source has returned a challenge.
func (k *checker) mayAskSource(c check) bool {
	mayBeServer := !c.stops && c.from.IsValid() && c.from != c.query && listable(c.from)
	proved := !c.game.mustValidate() || k.waiting.isValidated(c.from)
	return mayBeServer && proved && k.socket.Limiter.Allow(c.from.Addr(), time.Now())
}

// A result is what a server does when it is queried.
type result int

const (
	silent   result = iota
	unproved        // it answers, but has not proved that it has the key of the game, which it must
	answers
)

// query queries a server at the query port of a check. The last other datagram from there is no
// answer because of bad, which is nil if there was none.
func (k *checker) query(ctx context.Context, c check, attempts int) (status gamespy1.Status, did result,
	bad error,
) {
	validated := false // by a datagram of the query
	isValidated := func() bool { return validated || c.from.IsValid() && k.waiting.isValidated(c.from) }
	// From the address at which the server's heartbeat arrived, because only from there routers
	// may let a query pass.
	client := Client{Timeout: checkTimeout, Attempts: attempts, Dial: k.dialFrom(c.local)}
	start := func(decodeText) *exchange[gamespy1.Status] {
		return k.newCheckExchange(c, &validated, isValidated)
	}
	s := scanner(&client, start, gameagent.MaxPacket)
	// Each attempt uses another random port, so that only a program that receives the
	// query can send an answer to the right port.
	r, err := s.Ask(ctx, c.query.String())
	e, ok := r.Exchange.(*exchange[gamespy1.Status])
	switch {
	case !ok:
		return gamespy1.Status{}, silent, nil
	case !e.some, err != nil && !errors.Is(err, lobbywire.ErrTimeout) && !errors.Is(err, lobbywire.ErrUnreadable):
		return gamespy1.Status{}, silent, r.Wrong
	case c.isFirst && c.game.mustValidate() && !isValidated():
		return e.message, unproved, nil
	}
	return e.message, answers, nil
}

// reasonWithout returns why a server is not listed that has not answered a query. The last other
// datagram from its address is no answer because of bad, which is nil if there was none.
func reasonWithout(bad error) lobbywire.Reason {
	if bad != nil {
		return lobbywire.ReasonOther
	}
	return lobbywire.ReasonUnreachable
}

// newCheckExchange returns an exchange for the status. The first query also has a challenge
// if the game has Validate. The right answer to it sets validated; isValidated reports
// whether one has arrived, here or from the source of the heartbeat.
func (k *checker) newCheckExchange(
	c check, validated *bool, isValidated func() bool,
) *exchange[gamespy1.Status] {
	secure := ""
	if c.isFirst && c.game.mustValidate() {
		secure = udp.Letters(k.socket.Minter.Token(c.query, time.Now()))
	}
	validate := func(answer string) {
		*validated = *validated || secure != "" && answer == gamespy1.Validate(secure, c.game.Key)
	}
	e := newSecureExchange(nil, secure)
	receive := e.receive
	e.receive = func(b []byte) (scan.Verdict, error) {
		verdict, wrong := scan.More, error(nil)
		_, isValidation := gamespy1.PeekToMaster(b).(gamespy1.Validation)
		if isValidation {
			if v, err := gamespy1.ParseValidation(b); err == nil {
				validate(v.Validate)
				isValidation = len(e.parts) == 0 || v.QueryID == "" // otherwise it is also a packet of the status
			}
		}
		if !isValidation {
			verdict, wrong = receive(b)
			validate(e.message.Validation())
		}
		switch {
		case verdict == scan.Stray:
			return verdict, wrong
		case !e.isComplete():
			return scan.More, wrong
		case c.isFirst && c.game.mustValidate() && !isValidated():
			return scan.Maybe, nil // the answer to the challenge may follow
		}
		return scan.Done, nil
	}
	return e
}

// enlistLegacy lists a server that has answered a check, or keeps it listed.
func (k *checker) enlistLegacy(c check, status gamespy1.Status, now time.Time) {
	status.Players, status.Extra, status.QueryID, status.Partial = nil, nil, "", false
	b, err := status.AppendBinary(nil)
	if err != nil {
		k.unanswered.Add(1) // its texts cannot be encoded
		k.refuse(c, lobbywire.ReasonInvalid, err)
		return
	}
	k.socket.Proven.Add(c.query.Addr(), now)
	k.catalogue.servers.Update(c.query, now, true, func(t *locked, i int) registry.Outcome {
		s, isHidden := t.Value(i), t.State(i) == registry.Hidden
		if k.catalogue.game(c.game.name) != c.game { // SetGames has changed it meanwhile
			if isHidden && s.heartbeat == "" {
				return registry.Remove
			}
			return registry.Ignore
		}
		s.checked = max(s.checked, k.catalogue.servers.Clock(now))
		s.namedPort = c.namedPort
		if c.local.IsValid() {
			s.local = c.local
		}
		s.synced = (isHidden || s.synced) && !c.from.IsValid()
		if isHidden || s.status != string(b) || s.game != c.game {
			s.status, s.game = string(b), c.game
			t.SetDeadline(i, now.Add(Expiry)) // for Admit
			k.catalogue.decide(t, i)
		}
		if isHidden {
			k.catalogue.checkMoved(t, i, now)
		}
		if c.isFirst && c.from.IsValid() && k.waiting.isStopping(c.from) {
			k.checkStop(s, check{query: c.query, game: c.game, from: c.from, local: c.local, stops: true}, now)
		}
		return registry.Keep
	})
}

// stopLegacy removes a server that has stopped, unless the native form keeps it listed. It
// may start again at once: its heartbeat causes a first check, also one that has arrived
// during the query.
func (k *checker) stopLegacy(c check, now time.Time) {
	k.waiting.forget(c.from)
	started := false
	k.catalogue.servers.Update(c.query, now, false, func(t *locked, i int) registry.Outcome {
		s := t.Value(i)
		if s.heartbeat != "" {
			return registry.Ignore
		}
		started = s.heard >= c.at
		return registry.Remove
	})
	if started {
		c.isFirst, c.stops, c.at = true, false, 0
		k.first(c, now)
	}
}
