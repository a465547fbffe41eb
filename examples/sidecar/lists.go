package main

import (
	"context"
	"fmt"
	"net"
	"strings"
	"sync"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/cli"
	"github.com/lobbywire/lobbywire/examples/sidecar/internal/feeds"
	"github.com/lobbywire/lobbywire/examples/sidecar/internal/registrations"
	"github.com/lobbywire/lobbywire/examples/sidecar/internal/servers"
)

// A place is the address of a game or a master, in a protocol.
type place struct{ protocol, address string }

// placeOf returns the place PROTOCOL=ADDRESS.
func placeOf(text string) (place, error) {
	protocol, address, ok := strings.Cut(text, "=")
	if !ok || protocol == "" || address == "" {
		return place{}, fmt.Errorf("%q: want PROTOCOL=ADDRESS, such as gamespy2=192.0.2.1:27900", text)
	}
	if strings.Contains(address, "://") || protocol == "wzhttp" {
		return place{protocol, address}, nil
	}
	host, port, err := cli.SplitAddress(address)
	switch {
	case err != nil:
		return place{}, fmt.Errorf("%q: %w", text, err)
	case cli.IsPort(address):
		return place{}, fmt.Errorf("%q: %s is a port: write HOST:%s", text, address, address)
	case port != "":
		address = net.JoinHostPort(host, port)
	}
	return place{protocol, address}, nil
}

// asked returns the Query for the game, and its address.
func (o *options) asked() (feeds.Query, string, error) {
	at, err := placeOf(o.From)
	if err != nil {
		return nil, "", fmt.Errorf("-from %w", err)
	}
	query, err := feeds.QueryOf(at.protocol)
	return query, at.address, err
}

// places returns the masters. It fails if the flags lack what one of them needs.
func (o *options) places() (all []place, err error) {
	for _, text := range o.Register {
		at, err := placeOf(text)
		if err != nil {
			return nil, fmt.Errorf("-register %w", err)
		}
		switch at.protocol {
		case "gamespy2":
			if o.GameSpy2 == "" || o.Game == "" {
				err = fmt.Errorf("-register %s needs -gamespy2, because the master queries the server, and -game", text)
			}
		case "gameagent", "gameagent-legacy":
			if o.GameAgent == "" {
				err = fmt.Errorf("-register %s needs -gameagent, because the master queries the server", text)
			}
		case "bomberman", "warzone", "wzhttp":
		default:
			err = fmt.Errorf("-register %s: there are masters of gamespy2, gameagent, gameagent-legacy, bomberman, "+
				"warzone and wzhttp", text)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, at)
	}
	return all, nil
}

// register prepares the registrations. They send nothing yet.
func (s *sidecar) register() error {
	places, err := s.places()
	for _, at := range places {
		s.lists.all = append(s.lists.all, s.registrationAt(at))
	}
	return err
}

// registrationAt returns the registration with a master. Over UDP it sends from the
// socket that answers queries.
func (s *sidecar) registrationAt(at place) *registrations.Registration {
	switch at.protocol {
	case "gamespy2":
		return registrations.GameSpy2(at.address, s.Game, s.GameKey, s.gamespy, s.socket(servers.NameGameSpy2))
	case "gameagent":
		return registrations.GameAgent(at.address, &s.gameagent.Server, s.socket(servers.NameGameAgent))
	case "gameagent-legacy":
		return registrations.GameSpy1(at.address, s.GameKey, &s.gameagent.GameSpy, s.socket(servers.NameGameAgent))
	case "bomberman":
		return registrations.Bomberman(at.address)
	case "warzone":
		return registrations.Warzone(at.address)
	}
	return registrations.WZHTTP(at.address)
}

// socket returns the socket at which a protocol is answered.
func (s *sidecar) socket(protocol string) net.PacketConn {
	for _, a := range s.answers {
		if a.Protocol == protocol {
			return a.Conn
		}
	}
	return nil
}

// lists are the registrations, which run while the game reports.
type lists struct {
	all []*registrations.Registration

	mu    sync.Mutex
	leave context.CancelFunc // nil while they do not run
	tasks sync.WaitGroup
}

func (l *lists) setView(v lobbywire.View) {
	for _, r := range l.all {
		r.SetView(v)
	}
}

// enter runs the registrations until ctx is done or exit is called.
func (l *lists) enter(ctx context.Context) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.leave != nil {
		return
	}
	ctx, l.leave = context.WithCancel(ctx)
	for _, r := range l.all {
		l.tasks.Go(func() { r.Run(ctx) })
	}
}

// exit takes the game off all lists.
func (l *lists) exit() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.leave != nil {
		l.leave()
		l.leave = nil
	}
	l.tasks.Wait()
}
