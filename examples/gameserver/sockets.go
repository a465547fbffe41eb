package main

import (
	"net"
	"strconv"
)

// sockets are all sockets of the server. Query ports can be chosen freely, except
// that of GameAgent: its clients add 1 to the port of the game. They are bound to one
// address, from which all answers leave. A loop that reads sockets of all addresses must send
// each answer from the address at which the request arrived.
type sockets struct {
	game      net.Listener // players, and lobbies that check the game
	gameagent *net.UDPConn // port + 1
	gamespy   *net.UDPConn // port + 2
	sqp       *net.UDPConn // port + 3
}

func listen(host string, port int) (at sockets, err error) {
	at.game, err = net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err != nil {
		return at, err
	}
	for _, udp := range []**net.UDPConn{&at.gameagent, &at.gamespy, &at.sqp} {
		port++
		pc, err := net.ListenPacket("udp", net.JoinHostPort(host, strconv.Itoa(port)))
		if err != nil {
			at.close()
			return at, err
		}
		*udp = pc.(*net.UDPConn)
	}
	return at, nil
}

// close closes the sockets that are open.
func (at sockets) close() {
	at.game.Close()
	for _, pc := range []*net.UDPConn{at.gameagent, at.gamespy, at.sqp} {
		if pc != nil {
			pc.Close()
		}
	}
}
