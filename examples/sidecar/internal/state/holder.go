package state

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire"
)

// A Snapshot is the state of the game at some time. Its memory is shared: do not change it.
type Snapshot struct {
	View    lobbywire.View
	Text    []byte    // the View as JSON
	Tag     string    // a digest of Text: equal states have equal tags
	Heard   time.Time // when the game last reported; zero before its first report
	Changes uint64    // reports that differed from the one before
}

// A Holder holds the state of one game. Use New to make one.
type Holder struct {
	publish func(lobbywire.View)
	ended   func(err error) // gets the result of each report
	now     atomic.Pointer[Snapshot]

	mu      sync.Mutex // one change at a time, so that all servers see the same order
	refused atomic.Uint64
	failure atomic.Pointer[error] // of the last report; nil if it had none
	first   chan struct{}         // closed at the first report
}

// New returns a Holder that starts with a state, to which the first patch applies. It
// calls publish with each reported state that differs from the one before, one at a time,
// and ended with the error of each report, nil if it has none.
func New(start lobbywire.View, publish func(lobbywire.View), ended func(err error)) *Holder {
	h := &Holder{publish: publish, ended: ended, first: make(chan struct{})}
	h.now.Store(snapshot(start))
	return h
}

// snapshot returns the Snapshot of a View that no one has reported yet.
func snapshot(v lobbywire.View) *Snapshot {
	text, _ := json.Marshal(v) // cannot fail: a View has only texts, numbers and lists
	return &Snapshot{View: v, Text: text, Tag: tag(text)}
}

const tagSize = 15 // bytes of a digest: 24 characters

func tag(text []byte) string {
	sum := sha256.Sum256(text)
	return base32.StdEncoding.EncodeToString(sum[:tagSize])
}

// Now returns the latest state.
func (h *Holder) Now() Snapshot { return *h.now.Load() }

// First is closed after the first report.
func (h *Holder) First() <-chan struct{} { return h.first }

// Refused returns the number of reports that had an error.
func (h *Holder) Refused() uint64 { return h.refused.Load() }

// Fail records why there was no report.
func (h *Holder) Fail(err error) {
	h.refused.Add(1)
	h.failure.Store(&err)
	h.ended(err)
}

// Err returns why the last report failed, nil if it did not.
func (h *Holder) Err() error {
	if err := h.failure.Load(); err != nil {
		return *err
	}
	return nil
}

// Report replaces the state by the result of change, which gets the latest one. When it
// returns, the new state is published. If change fails, the state stays as it was.
func (h *Holder) Report(change func(now Snapshot) (lobbywire.View, error)) (Snapshot, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	was := h.now.Load()
	v, err := change(*was)
	if err != nil {
		h.Fail(err)
		return *was, err
	}
	h.failure.Store(nil)
	next := snapshot(v)
	next.Heard, next.Changes = time.Now(), was.Changes
	if next.Tag != was.Tag || was.Heard.IsZero() {
		next.Changes++
		h.publish(v)
	}
	h.now.Store(next)
	if was.Heard.IsZero() {
		close(h.first)
	}
	h.ended(nil)
	return *next, nil
}

// Put reports a whole state in JSON.
func (h *Holder) Put(text []byte) error {
	_, err := h.Report(func(Snapshot) (lobbywire.View, error) { return Parse(text) })
	return err
}

// ErrChanged is the error of a conditional report if the state has another tag.
var ErrChanged = errors.New("the state has changed: it has another tag")
