package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/cli"
	"github.com/lobbywire/lobbywire/examples/internal/oneport"
	"github.com/lobbywire/lobbywire/examples/sidecar/internal/api"
	"github.com/lobbywire/lobbywire/examples/sidecar/internal/registrations"
	"github.com/lobbywire/lobbywire/examples/sidecar/internal/servers"
	"github.com/lobbywire/lobbywire/examples/sidecar/internal/state"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
)

// A sidecar is everything that runs beside the game.
type sidecar struct {
	options
	log      *log.Logger
	state    *state.Holder
	failures *reportLog
	stdin    io.Reader
	answers  []*servers.Server
	lists    lists

	gamespy   *gamespy2net.Server // nil if it is not answered, like the next
	gameagent *oneport.Server

	feed  net.Listener // HTTP for the game; nil if it reports in another way
	watch net.Listener // HTTP for operators; nil if there is none
}

// open opens all sockets. They answer nothing yet.
func open(o options, stdin io.Reader, stderr io.Writer) (*sidecar, error) {
	s := &sidecar{options: o, stdin: stdin, log: log.New(stderr, "sidecar: ", 0)}
	start, err := startOf(o.Start)
	if err != nil {
		return nil, fmt.Errorf("start: %w", err)
	}
	s.failures = &reportLog{log: s.log, from: s.from()}
	if s.source() == sourceLines {
		s.failures.from = "standard input"
	}
	s.state = state.New(start, s.publish, s.note)
	err = s.listen()
	if err == nil {
		err = s.register()
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// startOf returns the state before the first report.
func startOf(members map[string]any) (lobbywire.View, error) {
	if members == nil {
		return lobbywire.View{}, nil
	}
	text, err := json.Marshal(members)
	if err != nil {
		return lobbywire.View{}, err
	}
	return state.Parse(text)
}

// listen opens the sockets.
func (s *sidecar) listen() error {
	for _, p := range []struct {
		at     string
		answer func(pc net.PacketConn) *servers.Server
	}{
		{s.SQP, s.answerSQP},
		{s.GameSpy2, s.answerGameSpy2},
		{s.GameAgent, s.answerGameAgent},
	} {
		if p.at == "" {
			continue
		}
		pc, err := net.ListenPacket("udp", p.at)
		if err != nil {
			return err
		}
		s.answers = append(s.answers, p.answer(pc))
	}
	var err error
	if s.source() == sourceHTTP {
		s.feed, err = listenHTTP(s.State, true, s.token)
		if err != nil {
			return err
		}
	}
	if s.Status != "" {
		s.watch, err = listenHTTP(s.Status, false, "")
	}
	return err
}

func (s *sidecar) answerSQP(pc net.PacketConn) *servers.Server { return servers.SQP(pc, s.rates) }

func (s *sidecar) answerGameSpy2(pc net.PacketConn) (a *servers.Server) {
	a, s.gamespy = servers.GameSpy2(pc, s.rates)
	return a
}

func (s *sidecar) answerGameAgent(pc net.PacketConn) (a *servers.Server) {
	a, s.gameagent = servers.GameAgent(pc, s.rates)
	return a
}

// publish passes a state to all servers.
func (s *sidecar) publish(v lobbywire.View) {
	if v.Host == "" {
		v.Host = s.Public
	}
	for _, a := range s.answers {
		a.SetView(v)
	}
	s.lists.setView(v)
}

// note logs the result of a report, but not over HTTP, where the answer contains it.
func (s *sidecar) note(err error) {
	if s.source() != sourceHTTP {
		s.failures.note(err, time.Now())
	}
}

// status describes the sidecar.
func (s *sidecar) status() api.Status {
	now, at := s.state.Now(), time.Now()
	status := api.Status{
		State: api.StateStatus{
			From: s.from(), Health: s.health(at), Tag: now.Tag, Changes: now.Changes, Refused: s.state.Refused(),
		},
		Protocols: []servers.Status{},
		Masters:   []registrations.Status{},
	}
	if !now.Heard.IsZero() {
		status.State.Heard = &now.Heard
	}
	if err := s.state.Err(); err != nil {
		status.State.Error = err.Error()
	}
	for _, a := range s.answers {
		status.Protocols = append(status.Protocols, a.Status(at))
	}
	for _, r := range s.lists.all {
		status.Masters = append(status.Masters, r.Status())
	}
	return status
}

// run answers queries until ctx is done, the game ends or a socket for it fails.
func (s *sidecar) run(ctx context.Context) error {
	cli.OutliveLog()
	var tasks sync.WaitGroup
	defer tasks.Wait()
	defer s.close()
	inside, cancel := context.WithCancel(context.WithoutCancel(ctx)) // the game may report while it ends
	defer cancel()

	ended := make(chan error, 4) // one for each goroutine that sends to it
	web := &api.Server{State: s.state, Token: s.token, Status: s.status}
	for _, h := range []struct {
		server *http.Server
		at     net.Listener
		what   string
	}{{web.Feed(), s.feed, "the game reports its state"}, {web.Watch(), s.watch, "status"}} {
		if h.at == nil {
			continue
		}
		s.log.Printf("%s at %s", h.what, h.at.Addr())
		tasks.Go(func() { ended <- h.server.Serve(h.at) })
		defer h.server.Close()
	}
	s.read(inside, s.stdin, &tasks, ended)
	tasks.Go(func() { s.answer(inside, &tasks) })
	tasks.Go(func() {
		if err := s.watchReports(inside); err != nil {
			ended <- err
		}
	})
	if s.Agones {
		tasks.Go(func() { s.reportToAgones(inside, agonesEvery) })
	}
	err := s.wait(ctx, ended)
	cancel()
	s.lists.exit()
	return errors.Join(err, s.shutdown())
}

// answer starts answering queries once there is a state, because browsers would show an
// empty server.
func (s *sidecar) answer(ctx context.Context, tasks *sync.WaitGroup) {
	select {
	case <-ctx.Done():
		return
	case <-s.state.First():
	}
	s.lists.enter(ctx)
	for _, a := range s.answers {
		s.log.Printf("%s answers queries at %s", a.Protocol, a.Conn.LocalAddr())
		tasks.Go(func() {
			if err := a.Serve(); err != nil {
				s.log.Print(err) // the others continue
			}
		})
	}
}

// shutdown sends the last answers.
func (s *sidecar) shutdown() error {
	ctx, cancel := context.WithTimeout(context.Background(), shutdownTime)
	defer cancel()
	var errs []error
	for _, a := range s.answers {
		errs = append(errs, a.Shutdown(ctx))
	}
	return errors.Join(errs...)
}

// close closes all sockets.
func (s *sidecar) close() {
	for _, a := range s.answers {
		a.Conn.Close()
	}
	for _, l := range []net.Listener{s.feed, s.watch} {
		if l != nil {
			l.Close()
		}
	}
}
