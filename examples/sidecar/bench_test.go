package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/ipv4"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

// A plain is a server of the library. Its state never changes.
type plain interface {
	SetView(v lobbywire.View) (changed []string)
	Serve(pc net.PacketConn) error
	Close() error
}

// plainServers returns a server for each protocol, which answers every query.
func plainServers() map[string]plain {
	rates := lobbywire.Rates{PerSource: unlimited, PerPrefix: unlimited, Global: unlimited}
	return map[string]plain{
		"sqp":       &sqpnet.Server{Limits: rates},
		"gamespy2":  &gamespy2net.Server{Limits: gamespy2net.ServerLimits{Rates: rates}},
		"gameagent": &gameagentnet.Server{Limits: rates},
	}
}

const (
	benchPlayers   = 16
	changeInterval = time.Second / 100

	// turnTime is long enough for 10 changes, and so short that both sides of a ratio meet
	// the same machine.
	turnTime = 100 * time.Millisecond

	// window is the number of queries that a client sends at once.
	window = 32
)

// BenchmarkQueries compares a sidecar, whose game reports 100 changes a second over HTTP,
// with the servers of the library without changes. They take turns. All run in this
// process, with the client and the game, so the rates are lower than for a server alone.
//
//	ratio     of the sidecar's rate to that of the library, median of all turns
//	best      ratio of the best rates, which other work on the machine affects less
//	queries/s of the sidecar, median
func BenchmarkQueries(b *testing.B) {
	for _, q := range questions() {
		b.Run(q.name, func(b *testing.B) {
			r := startUnlimited(b)
			game := reporterOf(b, r)
			game.report(b)
			library := plainServers()[q.protocol]
			library.SetView(stateOfRound(0, benchPlayers))
			pc, err := net.ListenPacket("udp4", free)
			if err != nil {
				b.Fatal(err)
			}
			go library.Serve(pc)
			b.Cleanup(func() { library.Close() })

			ofLibrary, ofSidecar := q.dialed(b, pc.LocalAddr().String()), q.dialed(b, r.at(q.protocol))
			var without, with []float64
			turns := []func(){
				func() { without = append(without, ofLibrary.rate(b)) },
				func() {
					with = append(with, game.whileReporting(b, func() float64 { return ofSidecar.rate(b) }))
				},
			}
			for b.Loop() {
				turns[0]()
				turns[1]()
				slices.Reverse(turns) // the first may have an advantage
			}
			var ratios []float64
			for i := range with {
				ratios = append(ratios, with[i]/without[i])
			}
			b.ReportMetric(median(ratios), "ratio")
			b.ReportMetric(slices.Max(with)/slices.Max(without), "best")
			b.ReportMetric(median(with), "queries/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func median(rates []float64) float64 {
	slices.Sort(rates)
	return rates[len(rates)/2]
}

// rate sends queries for turnTime, and returns how many were answered in a second.
func (a *asker) rate(b *testing.B) float64 {
	if err := a.prepare(); err != nil {
		b.Fatal(err)
	}
	_, datagrams, err := a.ask()
	if err != nil {
		b.Fatal(err)
	}
	pc := ipv4.NewPacketConn(a.conn)
	out, in := make([]ipv4.Message, window), make([]ipv4.Message, window*datagrams)
	for i := range out {
		out[i].Buffers = [][]byte{a.request}
	}
	for i := range in {
		in[i].Buffers = [][]byte{make([]byte, 2048)}
	}
	answered := 0
	start := time.Now()
	for ; time.Since(start) < turnTime; answered += window {
		for sent := 0; sent < window; {
			n, err := pc.WriteBatch(out[sent:], 0)
			if err != nil {
				b.Fatal(err)
			}
			sent += n
		}
		if err := a.conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
			b.Fatal(err)
		}
		for waiting := len(in); waiting > 0; {
			n, err := pc.ReadBatch(in[:waiting], 0)
			if err != nil {
				b.Fatalf("%s: %d datagrams are lost: %v", a.name, waiting, err)
			}
			waiting -= n
		}
	}
	return float64(answered) / time.Since(start).Seconds()
}

// A reporter is a game that reports prepared states on one connection.
type reporter struct {
	conn     net.Conn
	answers  *bufio.Reader
	requests [][]byte // in turn; each state differs from the one before
	reports  int
}

func reporterOf(b *testing.B, r running) *reporter {
	b.Helper()
	conn, err := net.Dial("tcp", r.feed.Addr().String())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { conn.Close() })
	game := &reporter{conn: conn, answers: bufio.NewReader(conn)}
	for _, n := range []int{0, 8} { // states with the same number of players
		body, err := json.Marshal(stateOfRound(n, benchPlayers))
		if err != nil {
			b.Fatal(err)
		}
		const request = "PUT /v1/state HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n\r\n%s"
		game.requests = append(game.requests, fmt.Appendf(nil, request, conn.RemoteAddr(), len(body), body))
	}
	return game
}

// report reports the next state.
func (g *reporter) report(b *testing.B) {
	if _, err := g.conn.Write(g.requests[g.reports%len(g.requests)]); err != nil {
		b.Error(err)
		return
	}
	g.reports++
	resp, err := http.ReadResponse(g.answers, nil)
	if err != nil {
		b.Error(err)
		return
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
	if resp.StatusCode != http.StatusNoContent {
		b.Error(resp.Status)
	}
}

// whileReporting measures while the game reports 100 changes a second.
func (g *reporter) whileReporting(b *testing.B, measure func() float64) float64 {
	ctx, cancel := context.WithCancel(b.Context())
	var tasks sync.WaitGroup
	tasks.Go(func() {
		tick := time.NewTicker(changeInterval)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				g.report(b)
			}
		}
	})
	rate := measure()
	cancel()
	tasks.Wait()
	return rate
}
