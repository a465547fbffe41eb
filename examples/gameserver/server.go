package main

import (
	"log"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// A server is a game with everything that makes it discoverable.
type server struct {
	game game
	at   sockets
	log  *log.Logger

	// These answer queries.
	sqp       sqpnet.Server
	gamespy   gamespy2net.Server
	gameagent gameagentnet.Server
	gamespy1  gamespy1net.Server

	// These keep the game in lists; nil if it is not in that list.
	registrations []registration
	host          *warzonenet.Host
	registrar     *bombermannet.Registrar
	public        string // address that the registrar sends
}

func newServer(o options, at sockets, log *log.Logger) (*server, error) {
	s := &server{game: game{name: o.name, port: o.port, every: o.every}, at: at, log: log}
	s.gamespy.Challenge = gamespy2net.ChallengeOffered // for clients of all versions
	s.gamespy.Other = s.other
	if err := s.join(o.places); err != nil {
		return nil, err
	}
	s.advance(time.Now())
	return s, nil
}

// other answers datagrams that are not GameSpy's second protocol. A game that receives its
// own datagrams on the same socket adds them at the end.
func (s *server) other(
	_ netip.Addr, from netip.AddrPort, req []byte, dst [][]byte,
) (answers [][]byte, ok bool) {
	if answers, ok = s.sqp.Respond(from, req, dst); ok {
		return answers, true
	}
	if answers, ok = s.gameagent.Respond(from, req, dst); ok {
		return answers, true
	}
	return s.gamespy1.Respond(from, req, dst) // last: its queries may be anywhere in a datagram
}

// advance lets the game play until now and publishes its state.
func (s *server) advance(now time.Time) {
	event := s.game.step(now)
	if event == "" {
		return
	}
	s.log.Println(event)
	s.publish()
}

// publish passes the state of the game to all servers. It logs values that they cannot
// report unchanged, for example a name that is too long.
func (s *server) publish() {
	view := s.game.view(s.public)
	all := []interface {
		SetView(lobbywire.View) (changed []string)
	}{&s.sqp, &s.gamespy, &s.gameagent, &s.gamespy1}
	if s.host != nil {
		all = append(all, s.host)
	}
	if s.registrar != nil {
		all = append(all, s.registrar)
	}
	for _, t := range all {
		if changed := t.SetView(view); changed != nil {
			s.log.Printf("%T has changed %q to report it", t, changed)
		}
	}
}
