package gameagentnet

import (
	"fmt"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
)

// Times of a Registration.
const (
	heartbeatEvery = 150 * time.Second
	firstRetry     = 3 * time.Second // of a join; doubles, up to heartbeatEvery
	repeatAfter    = 5 * time.Second // of the answer to a challenge
	changeEvery    = time.Second     // minimum
)

// errNoAnswer is the error for a master that does not answer joins.
var errNoAnswer = fmt.Errorf("gameagentnet: the master has not answered a join; it is down, cannot reach the server, "+
	"or speaks only the first GameSpy protocol: %w", lobbywire.ErrTimeout)

// A task is the [registration.Task] of a Registration.
type task struct{ *Registration }

func (t task) Begin() {
	t.isChallenged, t.next, t.retry, t.repeat = false, time.Time{}, firstRetry, time.Time{}
}

func (t task) Standing() (lobbywire.Standing, error) {
	if t.isChallenged {
		return lobbywire.StandingListed, nil
	}
	return lobbywire.StandingStarting, nil
}

func (t task) Due() time.Time {
	next := t.next
	if !t.repeat.IsZero() && t.repeat.Before(next) {
		next = t.repeat
	}
	change := t.reported.Add(changeEvery)
	if t.hasChange() && change.Before(next) {
		next = change
	}
	return next
}

// hasChange reports whether there is a change to send, now or later.
func (t task) hasChange() bool { return t.changed && t.isChallenged }

func (t task) Send(now time.Time, dst []byte) []byte {
	switch {
	case !now.Before(t.next):
		return t.beat(now, dst)
	case !t.repeat.IsZero() && !now.Before(t.repeat):
		t.repeat = time.Time{}
		dst, _ = t.Server.current().heartbeatFor(t.challenge).AppendBinary(dst)
	case t.hasChange() && !now.Before(t.reported.Add(changeEvery)):
		t.changed, t.reported = false, now
		dst, _ = gameagent.StateChanged{}.AppendBinary(dst)
	}
	return dst
}

// beat appends a join or a heartbeat.
func (t task) beat(now time.Time, dst []byte) []byte {
	t.next = now.Add(heartbeatEvery)
	if t.isChallenged {
		dst, _ = t.Server.current().heartbeatFor(0).AppendBinary(dst)
		return dst
	}
	if t.retry > firstRetry {
		t.runner.Err = errNoAnswer
	}
	t.next = now.Add(t.retry)
	t.retry = min(2*t.retry, heartbeatEvery)
	dst, _ = gameagent.Join{}.AppendBinary(dst)
	return dst
}

func (t task) Goodbye(dst []byte) []byte { return dst }

// challenged records a challenge that is being answered.
func (t task) challenged(challenge int32, now time.Time) {
	t.runner.Sent.Add(1)
	t.runner.Update(func() {
		if !t.isChallenged {
			t.isChallenged, t.runner.Err = true, nil
			t.next = now.Add(heartbeatEvery)
		}
		t.challenge, t.repeat = challenge, now.Add(repeatAfter)
	})
}
