package gameagentnet

import (
	"context"
	"errors"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
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
		} else {
			m.refuseCheck(c, reasonWithout(e.bad), e.bad)
		}
	case c.isFirst && c.game.mustValidate() && !isValidated():
		m.wrong.Add(1)
		m.refuseCheck(c, lobbywire.ReasonKey, nil)
	default:
		m.enlistLegacy(c, e.message, time.Now())
	}
}

// reasonWithout returns why a server is not listed that has not answered a query. The last other
// datagram from its address is no answer because of bad, which is nil if there was none.
func reasonWithout(bad error) lobbywire.Reason {
	if bad != nil {
		return lobbywire.ReasonOther
	}
	return lobbywire.ReasonUnreachable
}

// refuseCheck reports a server that is not listed, because of err if that is not nil.
func (m *Master) refuseCheck(c check, why lobbywire.Reason, err error) {
	m.refusals.Report(lobbywire.Refusal{From: c.query, Source: c.from.Port(), Reason: why, Game: c.game.name, Err: err})
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

// enlistLegacy lists a server that has answered a check, or keeps it listed.
func (m *Master) enlistLegacy(c check, status gameagent.LegacyStatus, now time.Time) {
	status.Players, status.Extra, status.QueryID = nil, nil, ""
	b, err := status.MarshalBinary()
	if err != nil {
		m.unanswered.Add(1) // its texts cannot be encoded
		m.refuseCheck(c, lobbywire.ReasonInvalid, err)
		return
	}
	m.loop.Proven.Add(c.query.Addr(), now)
	m.servers.Update(c.query, now, true, func(i int) registry.Outcome {
		s, isHidden := m.servers.Value(i), m.servers.State(i) == registry.Hidden
		if m.game(c.game.name) != c.game { // SetGames has changed it meanwhile
			if isHidden && s.heartbeat == "" {
				return registry.Remove
			}
			return registry.Ignore
		}
		s.checked = m.servers.Clock(now)
		s.synced = (isHidden || s.synced) && !c.from.IsValid() && c.isFirst
		if isHidden || s.status != string(b) || s.game != c.game {
			s.status, s.game = string(b), c.game
			m.servers.SetDeadline(i, now.Add(Expiry)) // for Admit
			m.judgeLocked(i)
		}
		return registry.Keep
	})
}

// stopLegacy removes a server that has stopped, unless the native form keeps it
// listed.
func (m *Master) stopLegacy(query netip.AddrPort) {
	m.servers.Update(query, time.Now(), false, func(i int) registry.Outcome {
		if m.servers.Value(i).heartbeat != "" {
			return registry.Ignore
		}
		return registry.Remove
	})
}
