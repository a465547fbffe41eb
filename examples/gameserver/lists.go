package main

import (
	"context"
	"fmt"
	"net"
	"sync"

	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// places are the addresses, host:port, of the lists to register at; "" means none.
type places struct {
	master     string // of GameAgent
	lobby      string // of Warzone
	management string // of Bomberman
	public     string // the public address that is sent to it
}

// join prepares the registrations. It sends nothing yet.
func (s *server) join(p places) error {
	if p.master != "" {
		master, err := net.ResolveUDPAddr("udp4", p.master)
		if err != nil {
			return fmt.Errorf("GameAgent lists hold IPv4 only: %w", err)
		}
		s.master = master.AddrPort()
		s.registration = &gameagentnet.Registration{
			Server: &s.gameagent,
			Addr:   s.master.String(),
			Conn:   s.at.gameagent,
		}
	}
	if p.lobby != "" {
		s.host = &warzonenet.Host{Addr: p.lobby, Changed: s.heard}
	}
	if p.management != "" {
		s.registrar, s.public = &bombermannet.Registrar{Addr: p.management}, p.public
	}
	return nil
}

// heard logs a reply of the lobby. It quotes text from the network.
func (s *server) heard(state warzonenet.HostState) {
	switch {
	case state.Err != nil:
		s.log.Printf("lobby: %v", state.Err)
	case state.Announced:
		s.log.Printf("lobby: %v, %q", state.Status.Code, state.Status.Text)
	}
}

// keepListed keeps the TCP connections to the lobby and the management server open
// until ctx is done, and then takes the game off their lists. Each connection has a
// goroutine, counted by wg, because connecting may take a while and the game must not
// wait for it.
func (s *server) keepListed(ctx context.Context, wg *sync.WaitGroup) {
	if s.host != nil {
		wg.Go(func() { _ = s.host.Run(ctx) })
	}
	if s.registrar != nil {
		wg.Go(func() { _ = s.registrar.Run(ctx) })
	}
}
