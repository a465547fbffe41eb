package gamespy2net

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/internal/registration"
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

// Next returns the time at which Tick next has something to send; the zero time
// means now. Datagrams from the master, Set, SetView, Renew and Leave change it. After
// Leave, it is far in the future.
func (r *Registration) Next() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.Changed != nil && r.status.HasNews():
		return time.Time{}
	case r.phase == phaseOver:
		return time.Now().Add(heartbeatEvery)
	}
	due := append(make([]time.Time, 0, 4), r.next)
	if r.phase == phaseListed {
		due = append(due, r.last.Add(keepaliveEvery))
		if r.hasChange() {
			due = append(due, r.beaten.Add(changeEvery))
		}
		if !r.unanswered.IsZero() {
			due = append(due, r.unanswered.Add(aliveTimeout))
		}
	}
	return slices.MinFunc(due, time.Time.Compare)
}

// Tick appends the next datagram to send to the address of Master now, if there
// is one. Call it again until it appends nothing. If Master fails or the master
// has refused the server, it appends nothing; Status returns the reason.
func (r *Registration) Tick(now time.Time, dst []byte) []byte {
	if r.Server != nil && !now.Before(r.Next()) {
		r.Server.start().Demand(time.Now())
	}
	dst = r.step(now, dst)
	r.status.Tell(r.Changed)
	return dst
}

func (r *Registration) step(now time.Time, dst []byte) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer r.note()
	if !r.master.IsValid() && r.phase != phaseOver {
		master, err := registration.MasterAddr(r.Addr)
		r.err = err
		if err != nil {
			return dst
		}
		r.beginLocked(master, nil)
	}
	before := len(dst)
	dst = r.tick(now, dst)
	if len(dst) > before {
		r.sent++
		r.tries++
	}
	return dst
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
			r.err = errNoAnswer
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
		r.err = errNoAnswer
		r.enter(phaseListed)
		return r.tick(now, dst)
	}
	return dst
}

// isForgotten reports whether the master, which has answered keepalives, no longer does: it
// is down or has started again, and then answers a heartbeat with a challenge.
func (r *Registration) isForgotten(now time.Time) bool {
	return !r.unanswered.IsZero() && !now.Before(r.unanswered.Add(aliveTimeout))
}

// Renew registers the server at the master at once, and not only with the next heartbeat,
// for example because the master has started again. A Registration that has left or was
// refused does nothing.
func (r *Registration) Renew() {
	r.mu.Lock()
	r.next, r.tries = time.Time{}, 0
	r.mu.Unlock()
	r.runner.Changed.Send()
}

// beat appends a heartbeat; the next one is due after the duration every. If the
// tables do not fit, the heartbeat has only the keys, and of them as many as fit.
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

// Leave ends the Registration. If the master has received a heartbeat, Leave appends
// the datagram that removes the server from the list. Tick then appends nothing more.
func (r *Registration) Leave(dst []byte) []byte {
	dst = r.leave(dst)
	r.status.Set(lobbywire.StandingLeft, nil)
	r.status.Tell(r.Changed)
	return dst
}

func (r *Registration) leave(dst []byte) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	isOver := r.phase == phaseOver
	r.phase, r.left = phaseOver, true
	if !r.master.IsValid() {
		return dst
	}
	if r.Server != nil {
		r.Server.masters.Remove(r)
	}
	if isOver || r.beaten.IsZero() {
		return dst
	}
	r.sent++
	dst, _ = r.heartbeat(qr2.StateShutdown).AppendBinary(dst) // cannot fail, like the other heartbeats
	return dst
}
