package verdict

import (
	"context"
	"time"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/tap"
	"github.com/lobbywire/lobbywire/examples/internal/cli"
)

// Defaults of a Judge.
const (
	DefaultSlow = 500 * time.Millisecond
	DefaultRow  = 3
)

// A Judge reaches verdicts by its settings.
type Judge struct {
	Slow time.Duration // round trips above are slow
	Row  int           // failures in a row after which a server is down
}

// A Finding is a judged answer.
type Finding struct {
	output.Answer
	Verdict Verdict
}

// Query queries a server once, with sockets of via, and judges its answer.
func (j Judge) Query(via tap.Sockets, query func(tap.Sockets) output.Answer) Finding {
	ear := new(Ear)
	got := query(ear.Sockets(via))
	return Finding{got, Of(got, ear.Heard(), j.Slow)}
}

// A Row counts the failures of a server since its last answer.
type Row struct {
	Failures int
	Last     Verdict
}

// Add takes the next verdict. A verdict that is neither an answer nor a failure changes
// only Last, because it says nothing about the health of the server.
func (r *Row) Add(v Verdict) {
	r.Last = v
	switch {
	case v.Answers():
		r.Failures = 0
	case v.IsFailure():
		r.Failures++
	}
}

// IsDown reports whether a server with this row needs a restart.
func (j Judge) IsDown(r Row) bool { return r.Failures >= j.Row }

// Pause is the time between queries that confirm a failure. A server that loads a map may
// be silent for a moment.
const Pause = 500 * time.Millisecond

// Confirm queries a server until it answers, a failure is confirmed by enough others, or
// more queries would not change the verdict. It returns the last finding and the row. If
// ctx ends it early, an unconfirmed failure does not count as down.
func (j Judge) Confirm(ctx context.Context, query func(context.Context) Finding) (Finding, Row) {
	var row Row
	last := query(ctx)
	for {
		row.Add(last.Verdict)
		if !last.Verdict.IsFailure() || j.IsDown(row) || !cli.Pause(ctx, Pause) {
			return last, row
		}
		next := query(ctx)
		if ctx.Err() != nil {
			return last, row
		}
		last = next
	}
}
