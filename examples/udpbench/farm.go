package main

import (
	"encoding/json"
	"net"
	"net/netip"
)

// A farmJob describes a farm: a child that acts as many servers.
type farmJob struct {
	Game    string
	Servers int
	Silent  int // of them, percent
}

// isSilent reports whether server i never answers.
func (j *farmJob) isSilent(i int) bool { return i%100 < j.Silent }

// farmReady contains the addresses of the servers of a farm.
type farmReady struct{ Targets []netip.AddrPort }

// farmChild runs many servers until the end of its input.
func farmChild(in *json.Decoder, out *json.Encoder) error {
	var job farmJob
	if err := in.Decode(&job); err != nil {
		return err
	}
	g, err := newGame(job.Game)
	if err != nil {
		return err
	}
	var ready farmReady
	for i := range job.Servers {
		conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
		if err != nil {
			return err
		}
		defer conn.Close()
		ready.Targets = append(ready.Targets, conn.LocalAddr().(*net.UDPAddr).AddrPort())
		if !job.isSilent(i) {
			go g.serveFarm(conn, i)
		}
	}
	if err := out.Encode(ready); err != nil {
		return err
	}
	return in.Decode(new(struct{}))
}

// serveFarm runs server i of a farm. All share one server, to save memory. Each
// passes its own address as the source, since there is a limit per source.
func (g *game) serveFarm(conn *net.UDPConn, i int) {
	buf := make([]byte, maxRequest)
	var answers [][]byte
	for {
		n, from, err := conn.ReadFromUDPAddrPort(buf)
		if err != nil {
			return
		}
		source := netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)})
		answers, _ = g.respond(netip.AddrPortFrom(source, from.Port()), buf[:n], answers[:0])
		for _, b := range answers {
			_, _ = conn.WriteToUDPAddrPort(b, from) // the scanner counts what is lost
		}
	}
}
