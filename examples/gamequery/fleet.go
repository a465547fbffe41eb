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
	out      io.Writer       // where changes are reported; nil if nowhere

	mu    sync.Mutex // guards what ask changes here and in servers
	asked bool       // all servers were asked once
}

// A watched is a server of a fleet.
type watched struct {
	name  string // as the user has given it, with one port
	place place

	last     answer
	answers  uint64            // number of queries with an answer
	failures map[string]uint64 // number of others, by the code of the error
}

// maxAsked limits the servers of a fleet that are asked at the same time.
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

// askEach asks all servers and calls take with each answer, or the error in it, unless
// ctx is done before. Calls of take are concurrent.
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

// ask asks all servers, unless ctx is done before, and reports changes.
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

// take takes an answer, or the error instead. It reports whether the server has started
// or stopped answering, or was asked for the first time.
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

// errNotAsked is that nothing is known of a fleet yet.
var errNotAsked = errors.New("not all servers were asked yet")

// health returns nil if all servers have answered when they were last asked.
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
