package main

import (
	"encoding/json"
	"net"
	"net/netip"

	"github.com/lobbywire/lobbywire/examples/internal/bench"
	"golang.org/x/net/ipv4"
)

// A serverJob describes a server.
type serverJob struct {
	Game   string     // that it serves
	Master *masterJob // if not nil, the server is a master

	// If Echo is not empty, the server is an echo: it answers a datagram with the
	// answers for its length.
	Echo map[int][][]byte
}

// serve serves in the background.
func (j *serverJob) serve(conn *net.UDPConn) error {
	if j.Echo != nil {
		go echo(conn, j.Echo)
		return nil
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

const (
	batchSize     = 64
	maxRequest    = 128
	receiveBuffer = 4 << 20
)

// echo is the least that a server does: it reads a batch, looks up the answers, and
// writes a batch.
func echo(conn *net.UDPConn, answers map[int][][]byte) error {
	var byLength [maxRequest + 1][][]byte
	for n, all := range answers {
		byLength[n] = all
	}
	pc := ipv4.NewPacketConn(conn)
	in, out := messages(batchSize, maxRequest), make([]ipv4.Message, batchSize)
	for i := range out {
		out[i].Buffers = make([][]byte, 1)
	}
	for {
		n, err := pc.ReadBatch(in, 0)
		if err != nil {
			return err
		}
		ready := 0
		for i := range n {
			for _, b := range byLength[in[i].N] {
				if ready == len(out) {
					if err := writeAll(pc, out); err != nil {
						return err
					}
					ready = 0
				}
				out[ready].Buffers[0] = b
				out[ready].Addr = in[i].Addr
				ready++
			}
		}
		if err := writeAll(pc, out[:ready]); err != nil {
			return err
		}
	}
}

// messages returns n messages with room for size bytes each.
func messages(n, size int) []ipv4.Message {
	ms := make([]ipv4.Message, n)
	for i := range ms {
		ms[i].Buffers = [][]byte{make([]byte, size)}
	}
	return ms
}

// writeAll writes messages in as few system calls as possible.
func writeAll(pc *ipv4.PacketConn, ms []ipv4.Message) error {
	for len(ms) > 0 {
		n, err := pc.WriteBatch(ms, 0)
		if err != nil {
			return err
		}
		ms = ms[n:]
	}
	return nil
}
