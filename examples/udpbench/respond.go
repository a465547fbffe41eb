package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// respondOptions are the flags of the command respond.
type respondOptions struct {
	games  []string
	rounds int
	each   time.Duration
	load   loadJob // Clients and Window
	pin    bool
	json   bool
}

func respondCommand(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o := respondOptions{games: gameNames()}
	flags := flag.NewFlagSet("udpbench respond", flag.ContinueOnError)
	flags.Func("games", "comma-separated; default "+strings.Join(o.games, ","), func(s string) error {
		o.games = strings.Split(s, ",")
		return nil
	})
	flags.IntVar(&o.rounds, "rounds", 15, "of ours and echo in turn")
	flags.DurationVar(&o.each, "for", 500*time.Millisecond, "`duration` of a load")
	flags.IntVar(&o.load.Clients, "clients", 16, "sockets that ask")
	flags.IntVar(&o.load.Window, "window", 8, "requests that each sends at once")
	flags.BoolVar(&o.pin, "pin", false, "servers to processor 0 and the load to 1, with taskset")
	flags.BoolVar(&o.json, "json", false, "print JSON, one object a line")
	if err := parseFlags(flags, args, stderr); err != nil {
		return err
	}
	if o.rounds < 1 || o.load.Clients < 1 || o.load.Window < 1 {
		return &usageError{fmt.Errorf("rounds, clients and window must be at least 1")}
	}
	if !o.json {
		fmt.Fprintf(stdout, "%-11s %16s %16s %24s %10s %10s %9s\n",
			"", "ours 1/s/core", "echo 1/s/core", "ours/echo (min to max)", "allocs", "echo's", "lost")
	}
	for _, name := range o.games {
		row, err := o.measure(ctx, name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if o.json {
			err = json.NewEncoder(stdout).Encode(row)
		} else {
			_, err = fmt.Fprintf(stdout, "%-11s %16.0f %16.0f %24v %10.2f %10.2f %4d %4d\n",
				row.Game, row.Ours.Rate.Median, row.Echo.Rate.Median, row.Ratio,
				row.Ours.Allocs, row.Echo.Allocs, row.Ours.Lost, row.Echo.Lost)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// A respondRow is the outcome for one game.
type respondRow struct {
	Game  string    `json:"game"`
	Ours  responder `json:"ours"`
	Echo  responder `json:"echo"`
	Ratio spread    `json:"ratio"` // of rates, round by round
}

// A responder is how one side did.
type responder struct {
	Rate   spread  `json:"rate"`   // answers in a second of processor time
	Busy   spread  `json:"busy"`   // processor time in a second
	Allocs float64 `json:"allocs"` // for each answer
	Lost   int     `json:"lost"`   // answers that did not come
}

// measure loads a server of ours and an echo that says the same, in turn.
func (o *respondOptions) measure(ctx context.Context, name string) (row respondRow, err error) {
	ours, err := o.startSide(ctx, serverJob{Game: name})
	if err != nil {
		return row, err
	}
	defer ours.end()
	answers, err := probe(name, ours)
	if err != nil {
		return row, err
	}
	echo, err := o.startSide(ctx, serverJob{Game: name, Echo: answers})
	if err != nil {
		return row, err
	}
	defer echo.end()
	load, err := startChild(ctx, kindLoad, 1)
	if err != nil {
		return row, err
	}
	defer load.end()
	o.bind(load, "1")

	job := o.load
	job.Game = name
	const longerNumber = 10 // than in answers of before
	for _, b := range answers {
		job.Longest = max(job.Longest, len(b)+longerNumber)
	}
	for round := range o.rounds + 1 {
		job.For = o.each
		if round == 0 { // warms up, and does not count
			job.For = o.each / 4
		}
		sides := []*side{ours, echo}
		if round%2 == 1 {
			slices.Reverse(sides)
		}
		counts := round > 0
		for _, s := range sides {
			if err := s.measure(load, job); err != nil {
				return row, err
			}
			counts = counts && s.last.rate > 0
		}
		for _, s := range sides {
			s.keep(counts)
		}
	}
	if len(ours.rates) == 0 {
		return row, errors.New("no round in which both were heard")
	}
	return respondRow{name, ours.result(), echo.result(), spreadOf(ratios(ours.rates, echo.rates))}, nil
}

// A side is a server under measurement.
type side struct {
	*child
	serverReady
	last        round
	rates, busy []float64
	answers     int
	allocs      uint64
	lost        int
}

// A round is one load on one side.
type round struct {
	loadResult
	rate, busy float64
	allocs     uint64
}

func (o *respondOptions) startSide(ctx context.Context, job serverJob) (*side, error) {
	c, err := startChild(ctx, kindServer, 1)
	if err != nil {
		return nil, err
	}
	o.bind(c, "0")
	s := &side{child: c}
	if err := c.ask(job, &s.serverReady); err != nil {
		c.end()
		return nil, err
	}
	return s, nil
}

// bind binds a child to a processor if that is wished and can be done.
func (o *respondOptions) bind(c *child, processor string) {
	if o.pin {
		_ = exec.Command("taskset", "-a", "-c", "-p", processor, strconv.Itoa(c.cmd.Process.Pid)).Run()
	}
}

// probe asks a server once for everything.
func probe(name string, s *side) (map[int][]byte, error) {
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

// measure has the load made.
func (s *side) measure(load *child, job loadJob) error {
	job.Server = s.Addr
	var before, after usage
	s.last = round{}
	start := time.Now()
	for _, step := range []struct {
		c                *child
		question, answer any
	}{{s.child, struct{}{}, &before}, {load, job, &s.last.loadResult}, {s.child, struct{}{}, &after}} {
		if err := step.c.ask(step.question, step.answer); err != nil {
			return err
		}
	}
	spent := after.minus(before)
	if spent.CPU > 0 {
		s.last.rate = float64(s.last.Answers) / spent.CPU.Seconds()
	}
	s.last.busy = spent.CPU.Seconds() / time.Since(start).Seconds()
	s.last.allocs = spent.Allocs
	return nil
}

// keep keeps the last round if it counts. What was lost counts in any case.
func (s *side) keep(counts bool) {
	s.lost += s.last.Lost
	if counts {
		s.rates = append(s.rates, s.last.rate)
		s.busy = append(s.busy, s.last.busy)
		s.answers += s.last.Answers
		s.allocs += s.last.allocs
	}
}

func (s *side) result() responder {
	return responder{
		Rate:   spreadOf(s.rates),
		Busy:   spreadOf(s.busy),
		Allocs: float64(s.allocs) / float64(s.answers),
		Lost:   s.lost,
	}
}
