package check

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
)

// Options are the settings of a run.
type Options struct {
	Expect *lobbywire.View              // the state of the game, nil if it is unknown
	Set    func(v lobbywire.View) error // sets the state of the game, nil if that is impossible
	Robust bool                         // runs the cases of this level
	Match  []string                     // patterns of IDs; none means all
	Skip   []string                     // patterns of IDs that do not run
	Seed   uint64                       // of broken requests
	Limit  time.Duration                // no case starts after it, 0 means no limit
	Done   func(f Finding)              // is called after each case, nil for nothing
}

// A Result says how a case ended.
type Result string

// The results of cases.
const (
	Pass    Result = "pass"
	Fail    Result = "fail"
	Skip    Result = "skipped"
	expects        = "0" // number of the case that compares the state at the start, in its section
)

// A Finding is a case that was run.
type Finding struct {
	Case
	Result  Result
	Err     error         // why it failed or was skipped, nil if it passed
	Like    string        // ID of an earlier case that failed for the same reason
	Packets []Packet      // what was sent and received if it failed, unless Like is set
	Took    time.Duration // both tries
}

// Why returns why a case failed or was skipped.
func (f Finding) Why() string {
	switch {
	case f.Err == nil:
		return ""
	case f.Like != "":
		return "like " + f.Like
	}
	return reason(f.Err)
}

// A Report is the result of a run.
type Report struct {
	Findings       []Finding
	Misread        []string // what old clients misread
	Holds          int      // how many players are shown, 0 if it is unknown
	Sent, Received int      // datagrams, or directions of connections
	Stopped        string   // why not all cases were run, "" if they were
	Took           time.Duration
}

// Count returns how many cases of a level had a result; "" means any level.
func (r Report) Count(result Result, level Level) (n int) {
	for _, f := range r.Findings {
		if f.Result == result && (level == "" || f.Level == level) {
			n++
		}
	}
	return n
}

// add adds a finding. If a case of the same or a graver level has failed for the same reason, the
// finding refers to it.
func (r *Report) add(f Finding) Finding {
	if f.Result == Fail {
		if earlier := r.like(f); earlier != nil {
			f.Like, f.Packets = earlier.ID, nil
		}
	}
	r.Findings = append(r.Findings, f)
	return f
}

// like returns the first finding that failed for the same reason, or nil.
func (r *Report) like(f Finding) *Finding {
	for i, earlier := range r.Findings {
		isGrave := earlier.Level == Must || f.Level == Robust || earlier.Level == f.Level
		if earlier.Result == Fail && earlier.Like == "" && isGrave && alike(earlier.Err, f.Err) {
			return &r.Findings[i]
		}
	}
	return nil
}

// Match reports whether a pattern matches an ID. In it, * also matches a slash.
func Match(pattern, id string) bool {
	const slash = "\x00" // is in no ID
	ok, err := path.Match(strings.ReplaceAll(pattern, "/", slash), strings.ReplaceAll(id, "/", slash))
	return ok && err == nil
}

// Any reports whether there is a case to run.
func (s *Suite) Any(o Options) bool {
	return slices.ContainsFunc(s.Cases, func(c Case) bool { return o.Runs(c) })
}

// Runs reports whether a case is to be run.
func (o Options) Runs(c Case) bool {
	matches := func(pattern string) bool { return Match(pattern, c.ID) }
	switch {
	case slices.ContainsFunc(o.Skip, matches):
		return false
	case c.Slow:
		return slices.Contains(o.Match, c.ID)
	case strings.HasSuffix(c.ID, "."+expects) && o.Expect == nil:
		return false
	}
	return (len(o.Match) == 0 || slices.ContainsFunc(o.Match, matches)) && (c.Level != Robust || o.Robust)
}

// Run runs the cases against a server until ctx is done.
func (s *Suite) Run(ctx context.Context, peer Peer, o Options) (r Report) {
	start := time.Now()
	*s.Session = Session{Peer: peer, Set: o.Set, Expect: o.Expect, Random: rand.New(rand.NewPCG(o.Seed, 0))}
	before := o.Expect // restored at the end
	if before == nil && o.Set != nil && s.States != nil {
		s.renew()
		_ = s.Session.Try(func() { before = new(s.States.Show()) }) // which the cases judge
	}
	s.runCases(ctx, o, start, &r)
	s.renew()
	if s.Withdraw != nil {
		_ = s.Session.Try(s.Withdraw) // the server may be gone, here and below
	}
	if o.Set != nil && before != nil {
		if ctx.Err() == nil && r.Stopped == "" {
			s.renew()
			_ = s.Session.Try(func() { r.Holds = s.States.Holds(*before) })
		}
		_ = o.Set(*before) // also after an interrupt; the findings matter more than an error
	}
	if s.Misread != nil && ctx.Err() == nil && r.Stopped == "" {
		s.renew()
		_ = s.Session.Try(func() { r.Misread = s.Misread() })
	}
	r.Sent, r.Received, r.Took = s.Session.sent, s.Session.received, time.Since(start)
	return r
}

// runCases runs the cases until one of them ends the run.
func (s *Suite) runCases(ctx context.Context, o Options, start time.Time, r *Report) {
	alive, vain := false, 0
	for i, c := range s.Cases {
		if !o.Runs(c) {
			continue
		}
		if o.Limit > 0 && time.Since(start) > o.Limit {
			r.Stopped = fmt.Sprintf("the run has taken %v, and ends before %s", o.Limit, c.ID)
			return
		}
		f := s.judge(c, r)
		if ctx.Err() != nil {
			return
		}
		const enough = 2 // it never answers
		if alive || f.Result == Pass && vain < enough {
			s.renew()
			err := s.Session.Try(s.Alive)
			if alive && err != nil {
				f.Result, f.Err, f.Packets = Fail, fmt.Errorf("%w: %w", ErrDied, err), s.Session.kept
			}
			alive = err == nil
			if !alive {
				vain++
			}
		}
		if !errors.Is(f.Err, ErrOther) {
			f = r.add(f)
			if o.Done != nil {
				o.Done(f)
			}
		}
		if errors.Is(f.Err, ErrDied) {
			r.Stopped = fmt.Sprintf("the server does not answer after %s; %d cases are left", c.ID, len(s.Cases)-i-1)
			return
		}
	}
}

// judge runs a case, and runs it again if it fails, because a packet may have been lost or
// late. If an earlier case has failed twice for the same reason, it runs only once.
func (s *Suite) judge(c Case, r *Report) Finding {
	start := time.Now()
	f := s.try(c)
	if f.Result == Fail && r.like(f) == nil {
		s.Session.Again = true
		again := s.try(c)
		s.Session.Again = false
		if again.Result == Fail && isWait(again.Err) {
			s.Session.Peer.Hasten()
		}
		f = again
	}
	s.Session.kept = s.Session.packets
	f.Took = time.Since(start)
	return f
}

// isWait reports whether an error came after waiting in vain.
func isWait(err error) bool {
	return errors.Is(err, fuzzharness.ErrSilent) || errors.Is(err, ErrStaysOpen) || errors.Is(err, ErrIncomplete)
}

// renew begins with new sockets.
func (s *Suite) renew() {
	s.Session.Peer.Renew()
	if s.Reset != nil {
		_ = s.Session.Try(s.Reset) // the server may be gone
	}
}

// try runs a case once.
func (s *Suite) try(c Case) Finding {
	s.renew()
	s.Session.packets = nil
	err := s.Session.Try(c.run)
	f := Finding{Case: c, Result: Pass, Err: err}
	_, skipped := errors.AsType[Skipped](err)
	switch {
	case err == nil:
	case skipped || errors.Is(err, ErrOther):
		f.Result = Skip
	default:
		f.Result, f.Packets = Fail, s.Session.packets
	}
	return f
}
