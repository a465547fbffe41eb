package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"syscall"
	"time"
)

// A fleet is the servers of a watch.
type fleet struct {
	protocol protocol
	asking   asking
	servers  []*watched
	names    map[string]bool // of servers
	out      io.Writer       // for reports of changes; may be nil

	mu    sync.Mutex // guards what ask changes here and in servers
	asked bool       // all servers were queried at least once
}

// A watched is a server of a fleet.
type watched struct {
	name  string // as given by the user, with one port
	place place

	last     answer
	answers  uint64            // number of queries with an answer
	failures map[string]uint64 // number of queries without an answer, by error code
}

// maxAsked limits the concurrent queries of a fleet.
const maxAsked = 256

func newFleet(p protocol, a asking) *fleet {
	return &fleet{protocol: p, asking: a, names: map[string]bool{}}
}

// add adds the servers of a target, unless they are there already.
func (f *fleet) add(s string) error {
	at, err := parsePlace(s)
	if err == nil && at.port == 0 && f.protocol.ports.query == 0 {
		err = errNoPort
	}
	if err != nil {
		return badTarget(s, err.Error())
	}
	for range at.count {
		one := place{host: at.host, port: at.port, count: 1}
		name := at.host
		if at.port != 0 {
			name = one.String()
		}
		if !f.names[name] {
			f.names[name] = true
			f.servers = append(f.servers, &watched{name: name, place: one, failures: map[string]uint64{}})
		}
		at.port++
	}
	return nil
}

// askEach queries all servers and calls take with each answer, whose err may be set,
// unless ctx is done first. Calls of take are concurrent.
func (f *fleet) askEach(ctx context.Context, take func(i int, got answer)) {
	var running sync.WaitGroup
	asked := make(chan struct{}, maxAsked)
	for i, s := range f.servers {
		asked <- struct{}{}
		running.Go(func() {
			got, _ := f.protocol.ask(ctx, s.place, f.asking)
			if ctx.Err() == nil {
				take(i, got)
			}
			<-asked
		})
	}
	running.Wait()
}

// ask queries all servers and reports changes, unless ctx is done first.
func (f *fleet) ask(ctx context.Context) {
	changed := make([]bool, len(f.servers))
	f.askEach(ctx, func(i int, got answer) { changed[i] = f.take(f.servers[i], got) })
	if ctx.Err() != nil {
		return
	}
	f.mu.Lock()
	f.asked = true
	f.mu.Unlock()
	for i, s := range f.servers {
		if changed[i] && f.out != nil {
			fmt.Fprintf(f.out, "%s %s\n", time.Now().Format(time.RFC3339), s.state())
		}
	}
}

// take records an answer, whose err may be set. It reports whether the server has
// started or stopped answering, or was queried for the first time.
func (f *fleet) take(s *watched, got answer) (changed bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	isFirst := s.answers == 0 && len(s.failures) == 0
	changed = isFirst || (s.last.err == nil) != (got.err == nil)
	s.last = got
	if got.err == nil {
		s.answers++
	} else {
		s.failures[errorCode(got.err)]++
	}
	return changed
}

// state describes the last answer on one line.
func (s *watched) state() string {
	if err := s.last.err; err != nil {
		return fmt.Sprintf("%s does not answer: %s, %s", s.name, errorCode(err), printable(brief(err).Error()))
	}
	text := fmt.Sprintf("%s answers, %s ms", s.name, milliseconds(s.last.rtt))
	if players := playerCount(s.last.view); players != "" {
		text += ", players " + players
	}
	if name := clean(s.last.view.Name); name != "" {
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

// health returns nil if all servers answered the last query.
func (f *fleet) health() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.asked {
		return errNotAsked
	}
	silent := 0
	for _, s := range f.servers {
		if s.last.err != nil {
			silent++
		}
	}
	if silent > 0 {
		return fmt.Errorf("no answer from %d of %s", silent, count(len(f.servers), "server"))
	}
	return nil
}
