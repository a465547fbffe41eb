package main

import (
	"encoding/json"
	"net"
	"net/netip"
)

// A farmJob is what a child of kindFarm is to be.
type farmJob struct {
	Game    string
	Servers int
	Silent  int // of them, percent
}

// isSilent tells whether server i never answers.
func (j *farmJob) isSilent(i int) bool { return i%100 < j.Silent }

// farmReady tells where the servers of a farm are.
type farmReady struct{ Targets []netip.AddrPort }

// farmChild is many servers until its input ends.
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

// serveFarm is server i of a farm. They are one in truth, so that thousands have
// room: each tells it another source, for what one source may ask is limited.
func (g *game) serveFarm(conn *net.UDPConn, i int) {
	buf := make([]byte, maxRequest)
	var answers [][]byte
	for {
		n, from, err := conn.ReadFromUDPAddrPort(buf)
		if err != nil {
			return
		}
		source := netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)})
		answers = g.respond(netip.AddrPortFrom(source, from.Port()), buf[:n], answers[:0])
		for _, b := range answers {
			_, _ = conn.WriteToUDPAddrPort(b, from) // to a scanner, which counts what is lost
		}
	}
}
