package main

import (
	"io"
	"net"
	"time"

	"github.com/lobbywire/lobbywire/warzone"
)

// acceptPlayers takes connections to the port of the game until that is closed.
// A Warzone lobby connects there too, to see whether the game is as announced.
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

// greet answers if it is a lobby that asks. Players of this game are not real, so
// there is nothing to say to others, and who says nothing may delay them by a
// second.
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
