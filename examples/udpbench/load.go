package main

import (
	"encoding/json"
	"errors"
	"net"
	"net/netip"
	"os"
	"slices"
	"sync"
	"time"

	"golang.org/x/net/ipv4"

	"github.com/lobbywire/lobbywire/examples/internal/bench"
)

// A loadJob describes a load.
type loadJob struct {
	Game    string // whose requests are sent
	Server  netip.AddrPort
	Longest int // size of the longest answer in bytes
	For     time.Duration
	Clients int // each has its own socket and port
	Window  int // requests that a client sends before it reads the answers
}

// A loadResult is the result of a load.
type loadResult struct {
	Answers int // received
	Lost    int // not received within patience
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
	pc := ipv4.NewPacketConn(conn)
	requests := make([][]byte, len(g.requests))
	for i := range requests {
		requests[i] = slices.Clone(g.requests[i])
	}
	if _, err := converse(conn, g, requests); err != nil {
		return r, err
	}
	in, out := messages(j.Window, j.Longest), make([]ipv4.Message, j.Window)
	for i := range out {
		out[i].Buffers = [][]byte{requests[i%len(requests)]}
	}
	for time.Now().Before(end) {
		if err := writeAll(pc, out); err != nil {
			return r, err
		}
		if err := conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
			return r, err
		}
		for waiting := j.Window; waiting > 0; {
			n, err := pc.ReadBatch(in[:waiting], 0)
			if errors.Is(err, os.ErrDeadlineExceeded) {
				r.Lost += waiting
				break
			}
			if err != nil {
				return r, err
			}
			waiting -= n
			r.Answers += n
			for i := range n {
				g.learnFrom(in[i].Buffers[0][:in[i].N], requests)
			}
		}
	}
	return r, nil
}
