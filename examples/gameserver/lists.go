package main

import (
	"cmp"
	"context"
	"fmt"
	"net/netip"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// places are the addresses, host:port, of the lists to register at; "" means none.
type places struct {
	gameagent  string // a master
	gamespy    string // a master
	gameName   string // the name of the game at the master
	secretKey  string // of the game
	lobby      string // of Warzone
	management string // of Bomberman
	public     string // the public address that is sent to it
}

// A registration keeps the game in the list of a master over UDP. It sends from the
// socket that answers queries.
type registration struct {
	task interface {
		Run(ctx context.Context) error
		Master() (netip.AddrPort, error)
		Tick(now time.Time, dst []byte) []byte
		Leave(dst []byte) []byte
	}
	master netip.AddrPort // not valid if it has a name, which only Run looks up
}

// add adds a registration with the master at addr.
func (s *server) add(addr string, r registration) error {
	master, err := r.task.Master()
	if _, literal := netip.ParseAddrPort(addr); err != nil && literal == nil {
		return fmt.Errorf("lists of GameAgent and GameSpy contain only IPv4 addresses: %w", err)
	}
	r.master = master
	s.registrations = append(s.registrations, r)
	return nil
}

// join prepares the registrations. It sends nothing yet.
func (s *server) join(p places) error {
	if p.gameagent != "" {
		// A master that knows one form of the protocol ignores the other.
		err := cmp.Or(
			s.add(p.gameagent, registration{task: &gameagentnet.Registration{
				Server:  &s.gameagent,
				Addr:    p.gameagent,
				Conn:    s.at.queries,
				Changed: s.logs(p.gameagent),
			}}),
			s.add(p.gameagent, registration{task: &gamespy1net.Registration{
				Server:  &s.gamespy1,
				Addr:    p.gameagent,
				Conn:    s.at.queries,
				Changed: s.logs(p.gameagent),
			}}),
		)
		if err != nil {
			return err
		}
	}
	if p.gamespy != "" {
		err := s.add(p.gamespy, registration{task: &gamespy2net.Registration{
			Server:  &s.gamespy,
			Addr:    p.gamespy,
			Conn:    s.at.queries,
			Game:    p.gameName,
			Key:     p.secretKey,
			Changed: s.logs(p.gamespy),
		}})
		if err != nil {
			return err
		}
	}
	if p.lobby != "" {
		s.host = &warzonenet.Host{Addr: p.lobby, Changed: s.logs(p.lobby)}
	}
	if p.management != "" {
		s.registrar, s.public = &bombermannet.Registrar{Addr: p.management, Changed: s.logs(p.management)},
			p.public
	}
	return nil
}

// logs returns a function that logs how the game stands at a master.
func (s *server) logs(master string) func(lobbywire.RegistrationStatus) {
	return func(status lobbywire.RegistrationStatus) { s.log.Printf("%s: %v", master, status) }
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
