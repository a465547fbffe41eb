package main

import (
	"errors"
	"net"
	"net/netip"
	"strings"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/test/scripted"
)

// The servers here stand for games that cannot be installed. They answer with the
// bytes that the games send.

// A scriptedServer answers each datagram with the datagrams that answer returns.
type scriptedServer struct {
	answer func(from netip.AddrPort, req string) []string
	closed chan struct{}
}

func script(answer func(req string) []string) packetServer {
	return scriptFrom(func(_ netip.AddrPort, req string) []string { return answer(req) })
}

// scriptFrom is script for servers that distinguish clients.
func scriptFrom(answer func(from netip.AddrPort, req string) []string) packetServer {
	return &scriptedServer{answer: answer, closed: make(chan struct{})}
}

func (s *scriptedServer) Serve(pc net.PacketConn) error {
	go func() {
		<-s.closed
		pc.Close()
	}()
	buf := make([]byte, 1<<16)
	for {
		n, from, err := pc.ReadFrom(buf)
		if errors.Is(err, net.ErrClosed) {
			return err
		}
		if err != nil {
			continue
		}
		for _, b := range s.answer(netip.MustParseAddrPort(from.String()), string(buf[:n])) {
			pc.WriteTo([]byte(b), from)
		}
	}
}

func (s *scriptedServer) Close() error {
	close(s.closed)
	return nil
}

// realBattlefield is Battlefield 2: it has no challenges, cuts an answer wherever a
// packet is full, and sends at most eight packets.
func realBattlefield(c testCase) (packetServer, error) {
	state := battlefieldState(c)
	m := gamespy2.Response{Split: true, Info: state.Info, Players: state.Players, Teams: state.Teams}
	packets, err := m.PacketsCut(gamespy2.CutAnywhere)
	if err != nil {
		return nil, err
	}
	return script(func(req string) (answers []string) {
		switch {
		case strings.HasPrefix(req, "\xfe\xfd\x09") && len(req) >= 7:
			return []string{"\x09" + req[3:7] + "0\x00"}
		case strings.HasPrefix(req, "\xfe\xfd\x00") && strings.HasSuffix(req, "\xff\xff\xff\x01"):
			for _, b := range packets {
				answers = append(answers, "\x00"+req[3:7]+string(b[5:]))
			}
		}
		return answers
	}), nil
}

// scriptOf returns a server that answers as a game does.
func scriptOf(server func(g scripted.Game) scripted.Server) func(c testCase) (packetServer, error) {
	return func(c testCase) (packetServer, error) {
		return scriptFrom(server(scripted.Game{
			Title: c.title, Map: mapName, Players: c.players, Max: maxPlayers, Name: c.player, Score: score, Ping: ping,
		})), nil
	}
}

func realUSQP(unreal bool) func(c testCase) (packetServer, error) {
	return scriptOf(func(g scripted.Game) scripted.Server { return scripted.USQP(g, unreal) })
}
