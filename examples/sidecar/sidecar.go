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
	"github.com/lobbywire/lobbywire/examples/sidecar/internal/answers"
	"github.com/lobbywire/lobbywire/examples/sidecar/internal/api"
	"github.com/lobbywire/lobbywire/examples/sidecar/internal/state"
)

// A sidecar is everything that runs beside the game.
type sidecar struct {
	options
	log     *log.Logger
	state   *state.Holder
	answers []*answers.Answerer

	feed  net.Listener // HTTP for the game
	watch net.Listener // HTTP for operators; nil if there is none
}

// open opens all sockets. They answer nothing yet.
func open(o options, _ io.Reader, stderr io.Writer) (*sidecar, error) {
	s := &sidecar{options: o, log: log.New(stderr, "sidecar: ", 0)}
	start, err := startOf(o.Start)
	if err != nil {
		return nil, fmt.Errorf("start: %w", err)
	}
	s.state = state.New(start, s.publish)
	if err := s.listen(); err != nil {
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
		answer func(pc net.PacketConn) *answers.Answerer
	}{
		{s.SQP, answers.SQP},
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
	feed, err := listenHTTP(s.State, true, s.token)
	if err != nil {
		return err
	}
	s.feed = feed
	if s.Status != "" {
		s.watch, err = listenHTTP(s.Status, false, "")
	}
	return err
}

func (s *sidecar) answerGameSpy2(pc net.PacketConn) *answers.Answerer {
	a, _ := answers.GameSpy2(pc)
	return a
}

func (s *sidecar) answerGameAgent(pc net.PacketConn) *answers.Answerer {
	a, _ := answers.GameAgent(pc, "")
	return a
}

// publish passes a state to all servers.
func (s *sidecar) publish(v lobbywire.View) {
	for _, a := range s.answers {
		a.SetView(v)
	}
}

// status describes the sidecar.
func (s *sidecar) status() api.Status {
	now, at := s.state.Now(), time.Now()
	status := api.Status{
		State: api.StateStatus{
			From: s.State, Health: api.Fresh, Tag: now.Tag, Changes: now.Changes, Refused: s.state.Refused(),
		},
		Protocols: []answers.Status{},
	}
	if now.Heard.IsZero() {
		status.State.Health = api.Waiting
	} else {
		status.State.Heard = &now.Heard
	}
	for _, a := range s.answers {
		status.Protocols = append(status.Protocols, a.Status(at))
	}
	return status
}

// run answers queries until ctx is done or a socket for the game fails.
func (s *sidecar) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var tasks sync.WaitGroup
	defer tasks.Wait()
	defer s.close()

	failed := make(chan error, 2) // one for each server of HTTP
	serve := func(h *http.Server, l net.Listener) {
		tasks.Go(func() { failed <- h.Serve(l) })
	}
	web := &api.Server{State: s.state, Token: s.token, Status: s.status}
	feed, watch := web.Feed(), web.Watch()
	defer feed.Close()
	defer watch.Close()
	s.log.Printf("the game reports its state at %s", s.feed.Addr())
	serve(feed, s.feed)
	if s.watch != nil {
		s.log.Printf("status at %s", s.watch.Addr())
		serve(watch, s.watch)
	}
	tasks.Go(func() { s.answer(ctx, &tasks) })

	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
		return s.shutdown()
	}
}

// answer starts to answer queries once there is a state: an empty server would be shown
// in browsers.
func (s *sidecar) answer(ctx context.Context, tasks *sync.WaitGroup) {
	select {
	case <-ctx.Done():
		return
	case <-s.state.First():
	}
	for _, a := range s.answers {
		s.log.Printf("%s answers queries at %s", a.Protocol, a.Conn.LocalAddr())
		tasks.Go(func() {
			if err := a.Serve(); err != nil {
				s.log.Print(err) // the others go on
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
