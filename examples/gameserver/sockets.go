package main

import (
	"net"
	"strconv"
)

// sockets are all sockets of the server. GameAgent and both GameSpy protocols and SQP share the
// socket for queries, at the port after the game's, because clients of GameAgent add 1 to the
// game port. It is bound to one address, from which all answers leave. A loop that reads
// sockets of all addresses must send each answer from the address at which the request arrived.
type sockets struct {
	game    net.Listener // players, and lobbies that check the game
	queries *net.UDPConn // port + 1
}

func listen(host string, port int) (at sockets, err error) {
	at.game, err = net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err != nil {
		return at, err
	}
	pc, err := net.ListenPacket("udp", net.JoinHostPort(host, strconv.Itoa(port+1)))
	if err != nil {
		at.game.Close()
		return at, err
	}
	at.queries = pc.(*net.UDPConn)
	return at, nil
}

func (at sockets) close() {
	at.game.Close()
	at.queries.Close()
}
