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

// places are where the game is to be listed, host:port; "" is nowhere.
type places struct {
	master     string // of GameAgent
	lobby      string // of Warzone
	management string // of Bomberman
	public     string // what it is told
}

// join prepares to be listed. Nothing is sent yet.
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

// heard tells what the lobby says. Texts from the network are quoted.
func (s *server) heard(state warzonenet.HostState) {
	switch {
	case state.Err != nil:
		s.log.Printf("lobby: %v", state.Err)
	case state.Announced:
		s.log.Printf("lobby: %v, %q", state.Status.Code, state.Status.Text)
	}
}

// keepListed keeps the TCP connections to the lobby and the management server
// until ctx is done, with which they take the game off their lists. Each takes
// a goroutine, of which wg has the count: connecting may take a while, and a
// game must not wait for it.
func (s *server) keepListed(ctx context.Context, wg *sync.WaitGroup) {
	if s.host != nil {
		wg.Go(func() { _ = s.host.Run(ctx) })
	}
	if s.registrar != nil {
		wg.Go(func() { _ = s.registrar.Run(ctx) })
	}
}
