package main

import (
	"errors"
	"log"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// A server is a game with all that makes it found and asked.
type server struct {
	game game
	at   sockets
	log  *log.Logger

	// Those who answer queries.
	sqp       sqpnet.Server
	gamespy   gamespy2net.Server
	gameagent gameagentnet.Server

	// Those who keep the game in lists; nil where it is in none.
	registration *gameagentnet.Registration
	master       netip.AddrPort // of the registration
	host         *warzonenet.Host
	registrar    *bombermannet.Registrar
	public       string // address for the registrar to tell
}

func newServer(o options, at sockets, log *log.Logger) (*server, error) {
	s := &server{game: game{name: o.name, port: o.port, every: o.every}, at: at, log: log}
	s.gamespy.Challenge = gamespy2net.ChallengeOffered // for clients of all versions
	if err := s.join(o.places); err != nil {
		return nil, err
	}
	return s, s.advance(time.Now())
}

// advance lets the game play on until now, and tells all what is new.
func (s *server) advance(now time.Time) error {
	event, entered := s.game.step(now)
	if event == "" {
		return nil
	}
	s.log.Println(event)
	if err := s.publish(); err != nil {
		return err
	}
	if entered {
		s.gameagent.StateChanged()
	}
	return nil
}

// publish tells what the game is like now. It fails if that cannot be sent, as
// with a name that is too long.
func (s *server) publish() error {
	view := s.game.view(s.public)
	told := []interface {
		SetView(lobbywire.View) error
	}{&s.sqp, &s.gamespy, &s.gameagent}
	if s.host != nil {
		told = append(told, s.host)
	}
	if s.registrar != nil {
		told = append(told, s.registrar)
	}
	var err error
	for _, t := range told {
		err = errors.Join(err, t.SetView(view))
	}
	return err
}
