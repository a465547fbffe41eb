package laws

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
)

// A Registrant keeps a server in the list of a master or lobby.
type Registrant interface {
	Run(ctx context.Context) error
	Status() lobbywire.RegistrationStatus
}

// A statusWatch compares the status of a Registrant with what its Changed has received.
type statusWatch struct {
	t      *testing.T
	of     Registrant
	cancel context.CancelFunc
	ended  <-chan error
	busy   atomic.Bool

	mu   sync.Mutex
	told lobbywire.RegistrationStatus
}

// run runs a Registrant until end.
func (w *statusWatch) run(r Registrant) {
	w.of = r
	if s := r.Status(); s != (lobbywire.RegistrationStatus{}) {
		w.t.Errorf("before Run: %+v", s)
	}
	ctx, cancel := context.WithCancel(w.t.Context())
	w.cancel = cancel
	w.ended = run(ctx, r)
}

// changed is the Changed of the Registrant.
func (w *statusWatch) changed(s lobbywire.RegistrationStatus) {
	if !w.busy.CompareAndSwap(false, true) {
		w.t.Error("Changed is called by several goroutines at once")
	}
	defer w.busy.Store(false)
	w.of.Status() // takes the lock
	time.Sleep(time.Millisecond)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.told = s
}

// want checks that the status is of this kind, and that Changed has received it.
func (w *statusWatch) want(want lobbywire.Standing) {
	w.t.Helper()
	synctest.Wait()
	s := w.of.Status()
	w.mu.Lock()
	told := w.told
	w.mu.Unlock()
	hasErr := want != lobbywire.StandingListed && want != lobbywire.StandingLeft
	switch {
	case s.Standing != want || (s.Err != nil) != hasErr || s.Since.IsZero() || s.Since.After(time.Now()):
		w.t.Errorf("the status is %v since %v, want %v", s, s.Since, want)
	case told.Standing != s.Standing || told.Since != s.Since || (told.Err != nil) != hasErr:
		w.t.Errorf("Changed has received %v, the status is %v", told, s)
	case errors.Is(s.Err, lobbywire.ErrTimeout) != (want == lobbywire.StandingSilent),
		errors.Is(s.Err, lobbywire.ErrRefused) != (want == lobbywire.StandingRefused):
		w.t.Errorf("%v has the wrong kind", s)
	}
}

// end ends Run, after which the server has left.
func (w *statusWatch) end() {
	w.t.Helper()
	w.cancel()
	<-w.ended
	w.want(lobbywire.StandingLeft)
}
