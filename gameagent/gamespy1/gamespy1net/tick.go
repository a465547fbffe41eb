package gamespy1net

import (
	"errors"
	"time"

	"github.com/lobbywire/lobbywire"
)

// Times of a Registration.
const (
	heartbeatEvery = 150 * time.Second
	changeEvery    = time.Second // minimum
)

var errUnconfirmed = errors.New("gamespy1net: the master has sent no challenge, which not all masters do")

// A task is the [registration.Task] of a Registration.
type task struct{ *Registration }

func (t task) Begin() { t.next, t.isAnnounced, t.isChallenged = time.Time{}, false, false }

func (t task) Standing() (lobbywire.Standing, error) {
	switch {
	case t.isChallenged:
		return lobbywire.StandingListed, nil
	case t.isAnnounced:
		return lobbywire.StandingUnconfirmed, errUnconfirmed
	}
	return lobbywire.StandingStarting, nil
}

func (t task) Due() time.Time {
	if change := t.reported.Add(changeEvery); t.changed && change.Before(t.next) {
		return change
	}
	return t.next
}

func (t task) Send(now time.Time, dst []byte) []byte {
	switch {
	case !now.Before(t.next):
		t.next, t.isAnnounced = now.Add(heartbeatEvery), true
		return append(dst, t.Server.current().heartbeat...)
	case t.changed && !now.Before(t.reported.Add(changeEvery)):
		t.changed, t.reported = false, now
		return append(dst, t.Server.current().changed...)
	}
	return dst
}

func (t task) Goodbye(dst []byte) []byte {
	if !t.isAnnounced {
		return dst
	}
	return append(dst, t.Server.current().changed...)
}
