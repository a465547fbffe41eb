package main

import (
	"encoding/json"
	"net"
	"net/netip"

	"github.com/lobbywire/lobbywire/examples/internal/bench"
)

// A serverJob describes a server.
type serverJob struct {
	Game   string     // that it serves
	Master *masterJob // if not nil, the server is a master

	// If Yardstick is set, the server answers a datagram with the Answers for its length.
	Yardstick yardstick
	Answers   map[int][][]byte
}

// serve serves in the background.
func (j *serverJob) serve(conn *net.UDPConn) error {
	if j.Yardstick != "" {
		return j.Yardstick.serve(conn, j.Answers)
	}
	if j.Master != nil {
		m, err := j.Master.master()
		if err == nil {
			go m.Serve(conn)
		}
		return err
	}
	g, err := newGame(j.Game)
	if err == nil {
		go g.serve(conn)
	}
	return err
}

// serverReady means that the server answers.
type serverReady struct{ Addr netip.AddrPort }

// serverChild runs a server, and answers each question with its usage.
func serverChild(in *json.Decoder, out *json.Encoder) error {
	var job serverJob
	if err := in.Decode(&job); err != nil {
		return err
	}
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return err
	}
	defer conn.Close()
	_ = conn.SetReadBuffer(receiveBuffer) // the default is too small for the load
	if err := job.serve(conn); err != nil {
		return err
	}
	if err := out.Encode(serverReady{conn.LocalAddr().(*net.UDPAddr).AddrPort()}); err != nil {
		return err
	}
	return bench.AnswerUsage(in, out)
}
