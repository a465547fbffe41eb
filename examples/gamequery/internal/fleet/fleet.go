// Package fleet queries servers periodically, and serves metrics about their answers.
package fleet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"syscall"
	"time"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/tap"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/targets"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/verdict"
)

// A Fleet is the servers of a watch.
type Fleet struct {
	protocol protocols.Protocol
	asking   protocols.Settings
	Judge    verdict.Judge
	Servers  []*watched
	names    map[string]bool // of servers
	Out      io.Writer       // for reports of changes; may be nil

	mu    sync.Mutex // guards what ask changes here and in servers
	asked bool       // all servers were queried at least once
}

// A watched is a server of a fleet.
type watched struct {
	name  string // as given by the user, with one port
	place targets.Place

	last     output.Answer
	row      verdict.Row
	answers  uint64            // number of queries with an answer
	failures map[string]uint64 // number of queries without an answer, by error code
}

// maxAsked limits the concurrent queries of a fleet.
const maxAsked = 256

// New returns a fleet without servers, which are queried in protocol p.
func New(p protocols.Protocol, a protocols.Settings) *Fleet {
	judge := verdict.Judge{Slow: verdict.DefaultSlow, Row: verdict.DefaultRow}
	return &Fleet{protocol: p, asking: a, Judge: judge, names: map[string]bool{}}
}

// Add adds the servers of a target, unless they are there already.
func (f *Fleet) Add(s string) error {
	at, err := targets.ParsePlace(s)
	if err == nil && at.Port == 0 && f.protocol.Ports.Query == 0 {
		err = targets.ErrNoPort
	}
	if err != nil {
		return targets.Bad(s, err.Error())
	}
	for range at.Count {
		one := targets.Place{Host: at.Host, Port: at.Port, Count: 1}
		name := at.Host
		if at.Port != 0 {
			name = one.String()
		}
		if !f.names[name] {
			f.names[name] = true
			f.Servers = append(f.Servers, &watched{name: name, place: one, failures: map[string]uint64{}})
		}
		at.Port++
	}
	return nil
}

// askEach queries all servers and calls take with each finding, unless ctx is done first.
// Calls of take are concurrent.
func (f *Fleet) askEach(ctx context.Context, take func(i int, got verdict.Finding)) {
	f.each(func(i int, s *watched) {
		got := f.ask(ctx, s)
		if ctx.Err() == nil {
			take(i, got)
		}
	})
}

// each calls do for each server, up to maxAsked at a time, and waits.
func (f *Fleet) each(do func(i int, s *watched)) {
	var running sync.WaitGroup
	asked := make(chan struct{}, maxAsked)
	for i, s := range f.Servers {
		asked <- struct{}{}
		running.Go(func() {
			do(i, s)
			<-asked
		})
	}
	running.Wait()
}

// ask queries a server once.
func (f *Fleet) ask(ctx context.Context, s *watched) verdict.Finding {
	return f.Judge.Query(f.asking.Sockets, func(via tap.Sockets) output.Answer {
		a := f.asking
		a.Sockets = via
		got, _ := f.protocol.Ask(ctx, s.place, a)
		return got
	})
}

// Ask queries all servers and reports changes, unless ctx is done first.
func (f *Fleet) Ask(ctx context.Context) {
	changed := make([]bool, len(f.Servers))
	f.askEach(ctx, func(i int, got verdict.Finding) { changed[i] = f.take(f.Servers[i], got) })
	if ctx.Err() != nil {
		return
	}
	f.mu.Lock()
	f.asked = true
	f.mu.Unlock()
	for i, s := range f.Servers {
		if changed[i] && f.Out != nil {
			fmt.Fprintf(f.Out, "%s %s\n", time.Now().Format(time.RFC3339), f.state(s))
		}
	}
}

// take records a finding. It reports whether the server has started or stopped answering,
// fails in another way, is down now, or was queried for the first time.
func (f *Fleet) take(s *watched, got verdict.Finding) (changed bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	before, wasDown := s.row.Last, f.Judge.IsDown(s.row)
	s.last = got.Answer
	s.row.Add(got.Verdict)
	if got.Err == nil {
		s.answers++
	} else {
		s.failures[output.ErrorCode(got.Err)]++
	}
	if before.Answers() && got.Verdict.Answers() {
		return false // perhaps slower
	}
	return before != got.Verdict || wasDown != f.Judge.IsDown(s.row)
}

// state describes the last finding on one line.
func (f *Fleet) state(s *watched) string {
	if v := s.row.Last; !v.Answers() {
		text := fmt.Sprintf("%s does not answer: %s, %s", s.name, v, terminal.Printable(problem(s.last).Error()))
		if f.Judge.IsDown(s.row) {
			text += fmt.Sprintf("; down after %s in a row", terminal.Count(s.row.Failures, "failure"))
		}
		return text
	}
	text := fmt.Sprintf("%s answers, %s ms", s.name, terminal.Milliseconds(s.last.RTT))
	if players := output.PlayerCount(s.last.View); players != "" {
		text += ", players " + players
	}
	if name := terminal.Clean(s.last.View.Name); name != "" {
		text += ", " + name
	}
	if other := s.last.OtherPort(); other != "" {
		text += "; " + other
	}
	return text
}

var errCut = errors.New("a part of the answer is missing")

// problem returns the reason why an answer is incomplete.
func problem(got output.Answer) error {
	if got.Err == nil {
		return errCut
	}
	return brief(got.Err)
}

// brief returns an error without the addresses of sockets, which change.
func brief(err error) error {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return errno
	}
	return err
}

// errNotAsked is the health of a fleet before the first round of queries.
var errNotAsked = errors.New("not all servers were queried yet")

// Health returns nil if no server is down and all have answered before.
func (f *Fleet) Health() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.asked {
		return errNotAsked
	}
	silent := 0
	for _, s := range f.Servers {
		if s.answers == 0 || f.Judge.IsDown(s.row) {
			silent++
		}
	}
	return f.unless(silent)
}

// unless returns an error if some servers do not answer.
func (f *Fleet) unless(silent int) error {
	if silent > 0 {
		return fmt.Errorf("no answer from %d of %s", silent, terminal.Count(len(f.Servers), "server"))
	}
	return nil
}

// CheckHealth queries each server until it answers or its failure is confirmed, prints the
// results, and fails unless all servers answered.
func (f *Fleet) CheckHealth(ctx context.Context, stdout io.Writer) error {
	f.each(func(_ int, s *watched) {
		last, row := f.Judge.Confirm(ctx, func(ctx context.Context) verdict.Finding { return f.ask(ctx, s) })
		s.last, s.row = last.Answer, row
	})
	if ctx.Err() != nil {
		return errors.New("interrupted before the end")
	}
	silent := 0
	for _, s := range f.Servers {
		if !s.row.Last.Answers() {
			silent++
		}
		if _, err := fmt.Fprintln(stdout, f.state(s)); err != nil {
			return err
		}
	}
	return f.unless(silent)
}
