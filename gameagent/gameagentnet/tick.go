package gameagentnet

import (
	"fmt"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/registration"
)

// errNoAnswer is the error for a master that does not answer joins.
var errNoAnswer = fmt.Errorf("gameagentnet: the master has not answered a join; it is down, cannot reach the server, "+
	"or speaks only the first GameSpy protocol: %w", lobbywire.ErrTimeout)

// Renew registers the server at the master at once, and not only with the next heartbeat,
// for example because the master has started again. A master that has forgotten the server
// answers with a challenge.
func (r *Registration) Renew() {
	r.mu.Lock()
	r.next = time.Time{}
	r.mu.Unlock()
	r.runner.Changed.Send()
}

// Next returns the time at which Tick next has something to send; the zero time
// means now. A challenge, Set, SetView, Renew and Leave change it. After
// Leave, it is far in the future.
func (r *Registration) Next() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.Changed != nil && r.status.HasNews():
		return time.Time{}
	case r.left:
		return time.Now().Add(heartbeatEvery)
	}
	next := r.next
	if !r.repeat.IsZero() && r.repeat.Before(next) {
		next = r.repeat
	}
	change := r.reported.Add(changeEvery)
	if r.hasChange() && change.Before(next) {
		next = change
	}
	return next
}

// hasChange reports whether there is a change to send, now or later.
func (r *Registration) hasChange() bool {
	return r.changed && r.isChallenged
}

// Tick appends the next datagram to send to the address of Master now, if there is
// one. Call it again until it appends nothing. If there is no Server or Master
// fails, it appends nothing; Status returns the reason.
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
	if !r.master.IsValid() && !r.left {
		master, err := registration.MasterAddr(r.Addr)
		if r.Server == nil {
			err = errNoServer
		}
		r.err = err
		if err != nil {
			return dst
		}
		r.beginLocked(master, nil)
	}
	before := len(dst)
	dst = r.tick(now, r.Server.current(), dst)
	if len(dst) > before {
		r.sent++
	}
	return dst
}

func (r *Registration) tick(now time.Time, state *encoded, dst []byte) []byte {
	switch {
	case r.left:
	case !now.Before(r.next):
		return r.beat(now, state, dst)
	case !r.repeat.IsZero() && !now.Before(r.repeat):
		r.repeat = time.Time{}
		dst, _ = state.heartbeatFor(r.challenge).AppendBinary(dst)
	case r.hasChange() && !now.Before(r.reported.Add(changeEvery)):
		r.changed, r.reported = false, now
		dst, _ = gameagent.StateChanged{}.AppendBinary(dst)
	}
	return dst
}

// beat appends a join or a heartbeat.
func (r *Registration) beat(now time.Time, state *encoded, dst []byte) []byte {
	r.next = now.Add(heartbeatEvery)
	if r.isChallenged {
		dst, _ = state.heartbeatFor(0).AppendBinary(dst)
		return dst
	}
	if r.retry > firstRetry {
		r.err = errNoAnswer
	}
	r.next = now.Add(r.retry)
	r.retry = min(2*r.retry, heartbeatEvery)
	dst, _ = gameagent.Join{}.AppendBinary(dst)
	return dst
}

// Leave ends the Registration. It appends nothing, because the protocol has no goodbye: the
// server expires. Tick then appends nothing more either.
func (r *Registration) Leave(dst []byte) []byte {
	r.leave()
	r.status.Set(lobbywire.StandingLeft, nil)
	r.status.Tell(r.Changed)
	return dst
}

func (r *Registration) leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left = true
	if r.master.IsValid() {
		r.Server.masters.Remove(r)
	}
}
