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
)

// A loadJob describes a load.
type loadJob struct {
	Game    string // whose requests are sent
	Server  netip.AddrPort
	Longest int // size of the longest datagram of an answer in bytes
	For     time.Duration
	Clients int // each has its own socket and port
	Window  int // requests that a client sends before it reads the answers
}

// A loadResult is the result of a load.
type loadResult struct {
	Answers int // whole ones, each of one or more datagrams
	Lost    int // datagrams that did not arrive within patience
}

// patience is how long a client waits for an answer.
const patience = time.Second

// loadChild runs one load after another.
func loadChild(in *json.Decoder, out *json.Encoder) error {
	return bench.AnswerEach(in, out, (*loadJob).run)
}

func (j *loadJob) run() (loadResult, error) {
	g, err := newGame(j.Game)
	if err != nil {
		return loadResult{}, err
	}
	end := time.Now().Add(j.For)
	results, errs := make([]loadResult, j.Clients), make([]error, j.Clients)
	var clients sync.WaitGroup
	for i := range j.Clients {
		clients.Go(func() { results[i], errs[i] = j.client(g, end) })
	}
	clients.Wait()
	return sumOf(results), errors.Join(errs...)
}

func sumOf(results []loadResult) (sum loadResult) {
	for _, r := range results {
		sum.Answers += r.Answers
		sum.Lost += r.Lost
	}
	return sum
}

// client sends requests until the end of the load.
func (j *loadJob) client(g *game, end time.Time) (r loadResult, err error) {
	conn, err := net.DialUDP("udp4", nil, net.UDPAddrFromAddrPort(j.Server))
	if err != nil {
		return r, err
	}
	defer conn.Close()
	if err := conn.SetReadBuffer(receiveBuffer); err != nil {
		return r, err
	}
	pc := ipv4.NewPacketConn(conn)
	requests := cloneAll(g.requests)
	if _, err := converse(conn, g, requests); err != nil {
		return r, err
	}
	in, out := messages(batchSize, j.Longest), make([]ipv4.Message, j.Window)
	next := g.repeated
	for time.Now().Before(end) {
		waiting := 0
		for i := range out {
			out[i].Buffers = requests[next : next+1]
			waiting += g.answers[next]
			next++
			if next == len(requests) {
				next = g.repeated
			}
		}
		if err := writeAll(pc, out); err != nil {
			return r, err
		}
		if err := conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
			return r, err
		}
		for waiting > 0 {
			n, err := pc.ReadBatch(in[:min(waiting, len(in))], 0)
			if errors.Is(err, os.ErrDeadlineExceeded) {
				r.Lost += waiting
				break
			}
			if err != nil {
				return r, err
			}
			waiting -= n
			for _, m := range in[:n] {
				g.learnFrom(m.Buffers[0][:m.N], requests)
			}
		}
		if waiting == 0 {
			r.Answers += len(out)
		}
	}
	return r, nil
}
