package main

import (
	"io"
	"net"
	"time"

	"github.com/lobbywire/lobbywire/warzone"
)

// acceptPlayers accepts connections to the port of the game until it is closed. A
// Warzone lobby connects there too, to check that the game is as announced.
func (s *server) acceptPlayers() {
	for {
		conn, err := s.at.game.Accept()
		if err != nil {
			return
		}
		s.greet(conn)
		conn.Close()
	}
}

// greet replies to the check of a lobby. Other peers get no reply, since the players
// of this game are not real. A peer that sends nothing holds up the others for at
// most a second.
func (s *server) greet(conn net.Conn) {
	var first [warzone.AliveSize]byte
	_ = conn.SetDeadline(time.Now().Add(time.Second))
	if _, err := io.ReadFull(conn, first[:]); err != nil {
		return
	}
	if answer := s.host.RespondAlive(first[:], nil); len(answer) > 0 {
		_, _ = conn.Write(answer)
	}
}
