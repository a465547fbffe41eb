// Package fleet queries servers again and again, and serves metrics about their answers.
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
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/targets"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
)

// A Fleet is the servers of a watch.
type Fleet struct {
	protocol protocols.Protocol
	asking   protocols.Settings
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
	answers  uint64            // number of queries with an answer
	failures map[string]uint64 // number of queries without an answer, by error code
}

// maxAsked limits the concurrent queries of a fleet.
const maxAsked = 256

// New returns a fleet without servers, which are queried in protocol p.
func New(p protocols.Protocol, a protocols.Settings) *Fleet {
	return &Fleet{protocol: p, asking: a, names: map[string]bool{}}
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

// askEach queries all servers and calls take with each answer, whose err may be set,
// unless ctx is done first. Calls of take are concurrent.
func (f *Fleet) askEach(ctx context.Context, take func(i int, got output.Answer)) {
	var running sync.WaitGroup
	asked := make(chan struct{}, maxAsked)
	for i, s := range f.Servers {
		asked <- struct{}{}
		running.Go(func() {
			got, _ := f.protocol.Ask(ctx, s.place, f.asking)
			if ctx.Err() == nil {
				take(i, got)
			}
			<-asked
		})
	}
	running.Wait()
}

// Ask queries all servers and reports changes, unless ctx is done first.
func (f *Fleet) Ask(ctx context.Context) {
	changed := make([]bool, len(f.Servers))
	f.askEach(ctx, func(i int, got output.Answer) { changed[i] = f.take(f.Servers[i], got) })
	if ctx.Err() != nil {
		return
	}
	f.mu.Lock()
	f.asked = true
	f.mu.Unlock()
	for i, s := range f.Servers {
		if changed[i] && f.Out != nil {
			fmt.Fprintf(f.Out, "%s %s\n", time.Now().Format(time.RFC3339), s.state())
		}
	}
}

// take records an answer, whose err may be set. It reports whether the server has
// started or stopped answering, or was queried for the first time.
func (f *Fleet) take(s *watched, got output.Answer) (changed bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	isFirst := s.answers == 0 && len(s.failures) == 0
	changed = isFirst || (s.last.Err == nil) != (got.Err == nil)
	s.last = got
	if got.Err == nil {
		s.answers++
	} else {
		s.failures[output.ErrorCode(got.Err)]++
	}
	return changed
}

// state describes the last answer on one line.
func (s *watched) state() string {
	if err := s.last.Err; err != nil {
		return fmt.Sprintf("%s does not answer: %s, %s", s.name, output.ErrorCode(err), terminal.Printable(brief(err).Error()))
	}
	text := fmt.Sprintf("%s answers, %s ms", s.name, terminal.Milliseconds(s.last.RTT))
	if players := output.PlayerCount(s.last.View); players != "" {
		text += ", players " + players
	}
	if name := terminal.Clean(s.last.View.Name); name != "" {
		text += ", " + name
	}
	return text
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

// Health returns nil if all servers answered the last query.
func (f *Fleet) Health() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.asked {
		return errNotAsked
	}
	silent := 0
	for _, s := range f.Servers {
		if s.last.Err != nil {
			silent++
		}
	}
	if silent > 0 {
		return fmt.Errorf("no answer from %d of %s", silent, terminal.Count(len(f.Servers), "server"))
	}
	return nil
}

// CheckHealth queries the servers once, prints the result of each, and fails unless all
// of them answered.
func (f *Fleet) CheckHealth(ctx context.Context, stdout io.Writer) error {
	f.Ask(ctx)
	if ctx.Err() != nil {
		return errors.New("interrupted before the end")
	}
	for _, s := range f.Servers {
		if _, err := fmt.Fprintln(stdout, s.state()); err != nil {
			return err
		}
	}
	return f.Health()
}
