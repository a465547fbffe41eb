package gamespy1net

import (
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/registration"
)

// Renew sends a heartbeat at once, for example because the master has started again.
func (r *Registration) Renew() {
	r.mu.Lock()
	r.next = time.Time{}
	r.mu.Unlock()
	r.runner.Changed.Send()
}

// Next returns the time at which Tick next has something to send; the zero time
// means now. Set, SetView, Renew and Leave change it. After Leave, it is far in the future.
func (r *Registration) Next() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.Changed != nil && r.status.HasNews():
		return time.Time{}
	case r.left:
		return time.Now().Add(heartbeatEvery)
	}
	if change := r.reported.Add(changeEvery); r.changed && change.Before(r.next) {
		return change
	}
	return r.next
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
	switch {
	case r.left:
	case !now.Before(r.next):
		r.next, r.isAnnounced = now.Add(heartbeatEvery), true
		r.sent++
		return append(dst, r.Server.current().heartbeat...)
	case r.changed && !now.Before(r.reported.Add(changeEvery)):
		r.changed, r.reported = false, now
		r.sent++
		return append(dst, r.Server.current().changed...)
	}
	return dst
}

// Leave ends the Registration. It appends the datagram that removes the server from the list.
// Tick then appends nothing more.
func (r *Registration) Leave(dst []byte) []byte {
	dst = r.leave(dst)
	r.status.Set(lobbywire.StandingLeft, nil)
	r.status.Tell(r.Changed)
	return dst
}

func (r *Registration) leave(dst []byte) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.left {
		return dst
	}
	r.left = true
	if !r.master.IsValid() {
		return dst
	}
	r.Server.masters.Remove(r)
	if !r.isAnnounced {
		return dst
	}
	r.sent++
	return append(dst, r.Server.current().changed...)
}
