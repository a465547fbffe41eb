package check

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire"
)

// Options are the settings of a run.
type Options struct {
	Expect *lobbywire.View              // the state of the game, nil if it is unknown
	Set    func(v lobbywire.View) error // sets the state of the game, nil if that is impossible
	Robust bool                         // runs the cases of this level
	Match  string                       // a pattern of [path.Match] for the IDs of the cases, "" for all
	Seed   uint64                       // of broken requests
}

// A Result says how a case ended.
type Result string

// The results.
const (
	Pass    Result = "pass"
	Fail    Result = "fail"
	Skipped Result = "skipped"
)

// A Finding is a case that was run.
type Finding struct {
	Case
	Result  Result
	Why     string   // why it failed or was skipped, "" if it passed
	Packets []Packet // what was sent and received if it failed
}

// A Report is the result of a run.
type Report struct {
	Findings       []Finding
	Misread        []string // what old clients misread
	Holds          int      // how many players are shown, 0 if it is unknown
	Sent, Received int      // datagrams, or directions of connections
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

// add adds a finding. One fault of answers makes many cases fail; only the first of them
// says so. The number of answers and the state of the game are faults of their own in
// each case.
func (r *Report) add(f Finding) {
	if f.Result == Fail && !strings.Contains(f.Why, "answers, want") && !strings.HasPrefix(f.Sentence, "the state ") {
		kind := withoutNumbers(f.Why)
		for _, earlier := range r.Findings {
			isGrave := earlier.Level == Must || f.Level == Robust || earlier.Level == f.Level
			if earlier.Result == Fail && isGrave && withoutNumbers(earlier.Why) == kind {
				f.Result, f.Why, f.Packets = Skipped, "it failed like "+earlier.ID, nil
				break
			}
		}
	}
	r.Findings = append(r.Findings, f)
}

// withoutNumbers returns a text without its digits.
func withoutNumbers(text string) string {
	return strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' {
			return -1
		}
		return c
	}, text)
}

// Any reports whether there is a case to run.
func (s *Suite) Any(o Options) bool {
	return slices.ContainsFunc(s.Cases, func(c Case) bool { return o.runs(c) })
}

// runs reports whether a case is to be run.
func (o Options) runs(c Case) bool {
	matches, err := path.Match(o.Match, c.ID)
	if c.slow {
		return o.Match == c.ID
	}
	return (o.Match == "" || matches && err == nil) && (c.Level != Robust || o.Robust)
}

// HasState reports whether cases compare states.
func (s *Suite) HasState() bool { return s.show != nil }

// Run runs the cases against a server until ctx is done.
func (s *Suite) Run(ctx context.Context, peer Peer, o Options) (r Report) {
	session := &Session{peer: peer, set: o.Set, random: rand.New(rand.NewPCG(o.Seed, 0))}
	if o.Expect != nil && s.show != nil {
		s.addExpected(*o.Expect)
	}
	before := o.Expect // restored at the end
	if before == nil && o.Set != nil && s.show != nil {
		if v, err := s.show(session, 0); err == nil {
			before = &v
		}
	}
	for _, c := range s.Cases {
		if o.runs(c) && ctx.Err() == nil {
			r.add(s.run(session, c))
		}
	}
	if s.withdraw != nil {
		s.withdraw(session)
	}
	if o.Set != nil && before != nil {
		if ctx.Err() == nil {
			r.Holds, _ = s.holds(session, *before)
		}
		_ = o.Set(*before) // also after an interrupt; the findings matter more than an error
	}
	if s.misread != nil && ctx.Err() == nil {
		r.Misread = s.misread(session)
	}
	r.Sent, r.Received = session.sent, session.received
	return r
}

// run runs a case.
func (s *Suite) run(session *Session, c Case) Finding {
	session.packets = nil
	err := c.run(session)
	f := Finding{Case: c, Result: Pass}
	switch reason := skipped(""); {
	case err == nil:
		return f
	case errors.As(err, &reason):
		f.Result = Skipped
	default:
		f.Result, f.Packets = Fail, session.packets
	}
	f.Why = err.Error()
	return f
}

// addExpected adds the case that compares the state at the start. It is the first.
func (s *Suite) addExpected(expect lobbywire.View) {
	c := Case{ID: fmt.Sprintf("%s/%d.0", s.Protocol, len(s.Sections)), Level: Must,
		Sentence: "the expected state is shown, to each client",
		run: func(session *Session) error {
			for source := range s.sources {
				if err := s.compare(session, source, expect); err != nil {
					return err
				}
			}
			return nil
		}}
	s.Cases = append([]Case{c}, s.Cases...)
}

// Explain returns a packet with the meaning of its bytes. Only the start of a long one is
// explained.
func (s *Suite) Explain(p Packet) string {
	const most = 8000
	e := s.explain(p)
	text := e.Annotate(p.Bytes)
	if len(text) <= most {
		return text
	}
	return text[:strings.LastIndexByte(text[:most], '\n')+1] + "...\n"
}
