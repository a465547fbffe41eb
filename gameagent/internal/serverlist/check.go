package serverlist

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gameagent/internal/exchange"
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

// check queries a server, and lists it if it answers.
func (k *Checker) check(ctx context.Context, c Check) {
	if wait := c.at - k.List.Servers.Clock(time.Now()); wait > 0 {
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
	}
	if c.isFirst && c.From.IsValid() && !k.waiting.begin(c) {
		return
	}
	announced := c
	status, did, bad := k.query(ctx, c, checkAttempts)
	if did == silent && ctx.Err() == nil && k.mayAskSource(c) {
		attempts := 1
		if k.waiting.isValidated(c.From) {
			attempts = checkAttempts
		}
		c.Query, c.namedPort = c.From, announced.Query.Port()
		var badAtSource error
		status, did, badAtSource = k.query(ctx, c, attempts)
		bad = cmp.Or(bad, badAtSource)
	}
	if ctx.Err() != nil {
		return
	}
	k.Checks.Add(1)
	switch did {
	case answers:
		k.enlist(c, status, time.Now())
	case unproved:
		k.Wrong.Add(1)
		k.Refuse(announced, lobbywire.ReasonKey, nil)
	case silent:
		k.Unanswered.Add(1)
		if c.Stops {
			k.remove(c, time.Now())
		} else {
			k.Refuse(announced, reasonWithout(bad), cmp.Or(bad, errSilent))
		}
	}
}

// mayAskSource reports whether to query the source of a heartbeat if its query port is
// silent, because a NAT may have changed the port. The source may be forged, so the query
// is charged as another heartbeat, and is sent once unless the source has returned a
// challenge.
func (k *Checker) mayAskSource(c Check) bool {
	mayBeServer := !c.Stops && c.From.IsValid() && c.From != c.Query && Listable(c.From)
	proved := !c.Game.MustValidate() || k.waiting.isValidated(c.From)
	return mayBeServer && proved && k.Socket.Limiter.Allow(c.From.Addr(), time.Now())
}

// A result is the outcome of a query to a server.
type result int

const (
	silent   result = iota
	unproved        // it answers, but has not proved that it knows the key of the game, as it must
	answers
)

// query queries a server at the query port of a check. bad is the error of the last
// datagram from there that is not an answer, or nil.
func (k *Checker) query(ctx context.Context, c Check, attempts int) (status gamespy1.Status, did result,
	bad error,
) {
	validated := false // by a datagram of the query
	isValidated := func() bool { return validated || c.From.IsValid() && k.waiting.isValidated(c.From) }
	// From the address at which the server's heartbeat arrived, because routers may let
	// only queries from there pass.
	s := exchange.Scanner(scan.Scanner{
		Dial: k.DialFrom(c.Local), Timeout: checkTimeout, Attempts: attempts, AnswerSize: gamespy1.MaxPacket,
	}, func() *exchange.Exchange[gamespy1.Status] { return k.newCheckExchange(c, &validated, isValidated) })
	// Each attempt uses another random port, so that only a program that receives the
	// query can send an answer to the right port.
	r, err := s.Ask(ctx, c.Query.String())
	e, ok := r.Exchange.(*exchange.Exchange[gamespy1.Status])
	switch {
	case !ok:
		return gamespy1.Status{}, silent, nil
	case !e.Some, err != nil && !errors.Is(err, lobbywire.ErrTimeout) && !errors.Is(err, lobbywire.ErrUnreadable):
		return gamespy1.Status{}, silent, r.Wrong
	case c.isFirst && c.Game.MustValidate() && !isValidated():
		return e.Message, unproved, nil
	}
	return e.Message, answers, nil
}

// reasonWithout returns the reason for not listing a server that has not answered a query.
// bad is the error of the last datagram from its address that is not an answer, or nil.
func reasonWithout(bad error) lobbywire.Reason {
	if bad != nil {
		return lobbywire.ReasonOther
	}
	return lobbywire.ReasonUnreachable
}

// newCheckExchange returns an exchange for the status. The first query also contains a
// challenge if the game has Validate. The right answer to it sets validated; isValidated
// reports whether one has arrived, here or from the source of the heartbeat.
func (k *Checker) newCheckExchange(
	c Check, validated *bool, isValidated func() bool,
) *exchange.Exchange[gamespy1.Status] {
	secure := ""
	if c.isFirst && c.Game.MustValidate() {
		secure = udp.Letters(k.Socket.Minter.Token(c.Query, time.Now()))
	}
	validate := func(answer string) {
		*validated = *validated || secure != "" && answer == gamespy1.Validate(secure, c.Game.Key)
	}
	e := exchange.Status(gamespy1.Options{}, secure)
	receive := e.Hear
	e.Hear = func(b []byte) (scan.Verdict, error) {
		verdict, wrong := scan.More, error(nil)
		_, isValidation := gamespy1.PeekToMaster(b).(gamespy1.Validation)
		if isValidation {
			if v, err := gamespy1.ParseValidation(b); err == nil {
				validate(v.Validate)
				isValidation = len(e.Parts) == 0 || v.QueryID == "" // otherwise it is also a packet of the status
			}
		}
		if !isValidation {
			verdict, wrong = receive(b)
			validate(e.Message.Validation())
		}
		switch {
		case verdict == scan.Stray:
			return verdict, wrong
		case !e.IsComplete():
			return scan.More, wrong
		case c.isFirst && c.Game.MustValidate() && !isValidated():
			return scan.Maybe, nil // the answer to the challenge may follow
		}
		return scan.Done, nil
	}
	return e
}

// enlist lists a server that has answered a check, or keeps it listed.
func (k *Checker) enlist(c Check, status gamespy1.Status, now time.Time) {
	status.Players, status.Extra, status.QueryID, status.Partial = nil, nil, "", false
	b, err := status.AppendBinary(nil)
	if err != nil {
		k.Unanswered.Add(1) // its texts cannot be encoded
		k.Refuse(c, lobbywire.ReasonInvalid, err)
		return
	}
	k.List.Proven.Add(c.Query.Addr(), now)
	k.List.Servers.Update(c.Query, now, true, func(t *Locked, i int) registry.Outcome {
		s, isHidden := t.Value(i), t.State(i) == registry.Hidden
		if k.List.Game(c.Game.name) != c.Game { // SetGames has changed it meanwhile
			if isHidden && s.heartbeat == "" {
				return registry.Remove
			}
			return registry.Ignore
		}
		s.checked = max(s.checked, k.List.Servers.Clock(now))
		s.namedPort = c.namedPort
		if c.Local.IsValid() {
			s.local = c.Local
		}
		s.synced = (isHidden || s.synced) && !c.From.IsValid()
		if isHidden || s.status != string(b) || s.game != c.Game {
			s.status, s.game = string(b), c.Game
			t.SetDeadline(i, now.Add(Expiry)) // for Admit
			k.List.decide(t, i)
		}
		if isHidden {
			k.List.checkMoved(t, i, now)
		}
		if c.isFirst && c.From.IsValid() && k.waiting.isStopping(c.From) {
			k.checkStop(s, Check{Query: c.Query, Game: c.Game, From: c.From, Local: c.Local, Stops: true}, now)
		}
		return registry.Keep
	})
}

// remove removes a server that has stopped, unless it is listed by GameAgent. It may start
// again at once: its heartbeat causes a first check, even if it arrived during the query.
func (k *Checker) remove(c Check, now time.Time) {
	k.waiting.forget(c.From)
	started := false
	k.List.Servers.Update(c.Query, now, false, func(t *Locked, i int) registry.Outcome {
		s := t.Value(i)
		if s.heartbeat != "" {
			return registry.Ignore
		}
		started = s.heard >= c.at
		return registry.Remove
	})
	if started {
		k.First(c, now)
	}
}
