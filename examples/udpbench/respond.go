package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire/examples/internal/bench"
)

// respondOptions are the flags of the command respond.
type respondOptions struct {
	turns
	games []string
	load  loadJob // Clients and Window
}

func respondCommand(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o := respondOptions{games: gameNames()}
	flags := flag.NewFlagSet("udpbench respond", flag.ContinueOnError)
	flags.Func("games", "`names` separated by commas; default "+strings.Join(o.games, ","), func(s string) error {
		o.games = strings.Split(s, ",")
		return nil
	})
	o.turns.addFlags(flags)
	flags.IntVar(&o.load.Clients, "clients", 16, "`number` of sockets that send requests")
	flags.IntVar(&o.load.Window, "window", 8, "`number` of requests that each sends at once")
	if err := parseFlags(flags, args, stderr); err != nil {
		return err
	}
	if o.rounds < 1 || o.load.Clients < 1 || o.load.Window < 1 {
		return &usageError{fmt.Errorf("rounds, clients and window must be at least 1")}
	}
	return o.print(stdout, o.games, func(name string) ([]respondRow, error) { return o.measure(ctx, name) })
}

// measure loads one of our servers and yardsticks with the same answers, in turn.
func (o *respondOptions) measure(ctx context.Context, name string) (rows []respondRow, err error) {
	ours, err := o.startSide(ctx, serverJob{Game: name})
	if err != nil {
		return nil, err
	}
	defer ours.End()
	answers, err := probe(name, ours)
	if err != nil {
		return nil, err
	}
	job := o.load
	job.Game = name
	const longerNumber = 10 // more bytes than in earlier answers
	split := false
	for _, answer := range answers {
		split = split || len(answer) > 1
		for _, b := range answer {
			job.Longest = max(job.Longest, len(b)+longerNumber)
		}
	}
	others, err := o.startYardsticks(ctx, answers, split)
	defer endAll(others)
	if err != nil {
		return nil, err
	}
	load, err := bench.Start(ctx, kindLoad, 1)
	if err != nil {
		return nil, err
	}
	defer load.End()
	o.bind(load, "1")
	return o.take(name, ours, others, func(s *side, d time.Duration) error {
		job.Server, job.For = s.Addr, d
		return s.measure(load, job)
	})
}

// probe sends each request to a server once.
func probe(name string, s *side) (map[int][][]byte, error) {
	g, err := newGame(name)
	if err != nil {
		return nil, err
	}
	conn, err := net.Dial("udp4", s.Addr.String())
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	return converse(conn, g, g.requests)
}
