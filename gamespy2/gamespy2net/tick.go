package gamespy2net

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
)

// Times and numbers of a Registration, as in the SDK.
const (
	askEvery       = 2 * time.Second // between requests whether the game is available
	maxAsked       = 2
	firstEvery     = 10 * time.Second // the first heartbeats
	maxFirst       = 4
	heartbeatEvery = time.Minute
	changeEvery    = 10 * time.Second // minimum
	keepaliveEvery = 20 * time.Second
	retryAfter     = 5 * time.Minute // for a game that is not available; ours
	aliveTimeout   = 5 * time.Second // for the answer to a keepalive; ours
)

var errNoAnswer = fmt.Errorf("gamespy2net: the master has not answered: %w", lobbywire.ErrTimeout)

var errUnconfirmed = errors.New("gamespy2net: the master has challenged the server, but not confirmed the answer; " +
	"the key may be wrong")

// A task is the [registration.Task] of a Registration.
type task struct{ *Registration }

// Begin starts over like a server that has just started.
func (t task) Begin() {
	t.session = session{told: t.reported()}
	rand.Read(t.instance[:])
}

func (t task) Standing() (lobbywire.Standing, error) {
	switch {
	case t.isListed:
		return lobbywire.StandingListed, nil
	case t.unfit != nil:
		return lobbywire.StandingIncomplete, t.unfit
	case t.isChallenged:
		return lobbywire.StandingUnconfirmed, errUnconfirmed
	}
	return lobbywire.StandingStarting, nil
}

func (t task) Due() time.Time {
	if t.phase == phaseOver {
		return time.Now().Add(heartbeatEvery)
	}
	due := append(make([]time.Time, 0, 4), t.next)
	if t.phase == phaseListed {
		due = append(due, t.last.Add(keepaliveEvery))
		if t.hasChange() {
			due = append(due, t.beaten.Add(changeEvery))
		}
		if !t.unanswered.IsZero() {
			due = append(due, t.unanswered.Add(aliveTimeout))
		}
	}
	return slices.MinFunc(due, time.Time.Compare)
}

func (t task) Send(now time.Time, dst []byte) []byte {
	b := t.tick(now, dst)
	if len(b) > len(dst) {
		t.tries++
	}
	return b
}

// hasChange reports whether the keys have changed since the last heartbeat.
func (r *Registration) hasChange() bool { return !slices.Equal(r.told.Info, r.reported().Info) }

func (r *Registration) tick(now time.Time, dst []byte) []byte {
	isDue := !now.Before(r.next)
	switch {
	case r.phase == phaseOver:
	case r.phase == phaseListed && r.hasChange() && !now.Before(r.beaten.Add(changeEvery)):
		return r.beat(qr2.StateChanged, now, heartbeatEvery, dst)
	case r.phase == phaseListed && (isDue || r.isForgotten(now)):
		if r.isForgotten(now) {
			r.runner.Err = errNoAnswer
		}
		return r.beat(qr2.StateSame, now, heartbeatEvery, dst)
	case r.phase == phaseListed && !now.Before(r.last.Add(keepaliveEvery)):
		r.last = now
		if r.answersAlive {
			r.unanswered = now
		}
		dst, _ = qr2.Keepalive{Key: r.instance}.AppendBinary(dst) // cannot fail
	case !isDue:
	case r.phase == phaseAsking && r.tries < maxAsked:
		r.next = now.Add(askEvery)
		dst, _ = qr2.AvailabilityRequest{GameName: r.Game}.AppendBinary(dst)
	case r.phase == phaseAsking:
		r.enter(phaseStarting) // as if the game were available
		return r.tick(now, dst)
	case r.phase == phaseStarting && r.tries < maxFirst:
		return r.beat(qr2.StateStart, now, firstEvery, dst)
	case r.phase == phaseStarting:
		r.runner.Err = errNoAnswer
		r.enter(phaseListed)
		return r.tick(now, dst)
	}
	return dst
}

// isForgotten reports whether the master has stopped answering keepalives: it is down, or
// has restarted and will answer a heartbeat with a challenge.
func (r *Registration) isForgotten(now time.Time) bool {
	return !r.unanswered.IsZero() && !now.Before(r.unanswered.Add(aliveTimeout))
}

// beat appends a heartbeat; the next one is due after the duration every. If the tables do
// not fit, the heartbeat contains only keys, as many as fit.
func (r *Registration) beat(state qr2.State, now time.Time, every time.Duration, dst []byte) []byte {
	r.next, r.last, r.beaten = now.Add(every), now, now
	r.told, r.unanswered = r.reported(), time.Time{}
	m := r.heartbeat(state)
	own := len(m.Info)
	m.Info = append(m.Info, r.told.Info...)
	m.Players, m.Teams = r.told.Players, r.told.Teams
	b, err := m.AppendBinary(dst)
	for err != nil && (m.Players != nil || len(m.Info) > own) {
		if m.Players == nil {
			m.Info = m.Info[:len(m.Info)-1]
		}
		m.Players, m.Teams = nil, nil
		b, err = m.AppendBinary(dst)
	}
	r.unfit = cmp.Or(r.told.err, err)
	return b
}

// heartbeat returns a heartbeat with the keys about the server itself.
func (r *Registration) heartbeat(state qr2.State) qr2.Heartbeat {
	identity := qr2.Identity{
		LocalAddrs:     r.LocalAddrs,
		LocalPort:      r.localPort(),
		NATNegotiation: r.NATNegotiation,
		State:          state,
		GameName:       r.Game,
	}
	return qr2.Heartbeat{Key: r.instance, Info: identity.AppendTo(nil)}
}

func (t task) Goodbye(dst []byte) []byte {
	isOver := t.phase == phaseOver
	t.phase = phaseOver
	if isOver || t.beaten.IsZero() {
		return dst
	}
	dst, _ = t.heartbeat(qr2.StateShutdown).AppendBinary(dst) // cannot fail, like the other heartbeats
	return dst
}
