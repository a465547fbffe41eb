package main

import (
	"encoding/json"
	"errors"
	"net"
	"net/netip"
	"os"
	"sync"
	"time"

	"golang.org/x/net/ipv4"

	"github.com/lobbywire/lobbywire/examples/internal/bench"
	"github.com/lobbywire/lobbywire/gameagent"
)

// A masterLoadJob describes the servers that a master lists.
type masterLoadJob struct {
	masterJob // except Ports, which belong to the clients
	Clients   int
}

// masterLoadReady contains the ports of the clients.
type masterLoadReady struct{ Ports []uint16 }

// A masterLoad is a load of bursts. Each client awaits the answers to one burst
// before it sends the next.
type masterLoad struct {
	Server            netip.AddrPort
	For               time.Duration
	Heartbeats, Lists int // per burst
	Packets           int // per list
}

// masterLoadChild runs one load after another.
func masterLoadChild(in *json.Decoder, out *json.Encoder) error {
	var job masterLoadJob
	if err := in.Decode(&job); err != nil {
		return err
	}
	var ready masterLoadReady
	clients := make([]*masterClient, job.Clients)
	for i := range clients {
		conn, err := net.ListenUDP("udp4", nil)
		if err != nil {
			return err
		}
		defer conn.Close()
		_ = conn.SetReadBuffer(receiveBuffer)
		clients[i] = &masterClient{conn: conn, pc: ipv4.NewPacketConn(conn)}
		ready.Ports = append(ready.Ports, uint16(conn.LocalAddr().(*net.UDPAddr).Port))
	}
	job.Ports = ready.Ports
	for i := range job.Servers {
		c := clients[i%len(clients)]
		source := ipv4.ControlMessage{Src: job.server(i).Addr().AsSlice()}
		c.sources = append(c.sources, source.Marshal())
	}
	if err := out.Encode(ready); err != nil {
		return err
	}
	return bench.AnswerEach(in, out, func(load *masterLoad) (loadResult, error) { return load.run(clients) })
}

// run counts the requests that were answered, or whose burst was.
func (l *masterLoad) run(clients []*masterClient) (loadResult, error) {
	end := time.Now().Add(l.For)
	results, errs := make([]loadResult, len(clients)), make([]error, len(clients))
	var running sync.WaitGroup
	for i, c := range clients {
		running.Go(func() { results[i], errs[i] = c.load(l, end) })
	}
	running.Wait()
	return sumOf(results), errors.Join(errs...)
}

// A masterClient acts as many servers with one socket. It sends from the address of
// each.
type masterClient struct {
	conn    *net.UDPConn
	pc      *ipv4.PacketConn
	sources [][]byte // control messages
	next    int      // of sources
}

// challengeSize is the size of a challenge, which no list has.
const challengeSize = 5

func (c *masterClient) load(l *masterLoad, end time.Time) (r loadResult, err error) {
	beat, err := heartbeat(0)
	if err != nil {
		return r, err
	}
	ask, err := gameagent.ListRequest{}.AppendBinary(nil)
	if err != nil {
		return r, err
	}
	to := net.UDPAddrFromAddrPort(l.Server)
	out := make([]ipv4.Message, l.Heartbeats+l.Lists)
	for i := range out {
		out[i] = ipv4.Message{Buffers: [][]byte{beat}, Addr: to}
		if i >= l.Heartbeats {
			out[i].Buffers[0] = ask
		}
	}
	in := messages(l.Lists*l.Packets, gameagent.MaxHeartbeat)
	for time.Now().Before(end) {
		for i := range out[:l.Heartbeats] {
			out[i].OOB = c.sources[c.next]
			c.next = (c.next + 1) % len(c.sources)
		}
		if err := writeAll(c.pc, out); err != nil {
			return r, err
		}
		if err := c.conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
			return r, err
		}
		waiting := len(in)
		for waiting > 0 && err == nil {
			var n int
			n, err = c.pc.ReadBatch(in[:waiting], 0)
			waiting -= n
			for _, m := range in[:max(n, 0)] {
				if m.N == challengeSize {
					return r, errors.New("a server is not listed")
				}
			}
		}
		switch {
		case err == nil:
			r.Answers += len(out)
		case errors.Is(err, os.ErrDeadlineExceeded):
			r.Lost += waiting
			err = nil
		default:
			return r, err
		}
	}
	return r, nil
}
