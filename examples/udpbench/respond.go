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
	return o.print(stdout, o.games, func(name string) (respondRow, error) { return o.measure(ctx, name) })
}

// measure loads one of our servers and an echo with the same answers, in turn.
func (o *respondOptions) measure(ctx context.Context, name string) (row respondRow, err error) {
	ours, err := o.startSide(ctx, serverJob{Game: name})
	if err != nil {
		return row, err
	}
	defer ours.End()
	answers, err := probe(name, ours)
	if err != nil {
		return row, err
	}
	echo, err := o.startSide(ctx, serverJob{Game: name, Echo: answers})
	if err != nil {
		return row, err
	}
	defer echo.End()
	load, err := bench.Start(ctx, kindLoad, 1)
	if err != nil {
		return row, err
	}
	defer load.End()
	o.bind(load, "1")

	job := o.load
	job.Game = name
	const longerNumber = 10 // more bytes than in earlier answers
	for _, all := range answers {
		job.Longest = max(job.Longest, len(all[0])+longerNumber)
	}
	return o.take(name, ours, echo, func(s *side, d time.Duration) error {
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
