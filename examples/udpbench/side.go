package main

import (
	"context"
	"os/exec"
	"strconv"
	"time"
)

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

func (t *turns) startSide(ctx context.Context, job serverJob) (*side, error) {
	c, err := startChild(ctx, kindServer, 1)
	if err != nil {
		return nil, err
	}
	t.bind(c, "0")
	s := &side{child: c}
	if err := c.ask(job, &s.serverReady); err != nil {
		c.end()
		return nil, err
	}
	return s, nil
}

// bind binds a child to a processor if that is wished and can be done.
func (t *turns) bind(c *child, processor string) {
	if t.pin {
		_ = exec.Command("taskset", "-a", "-c", "-p", processor, strconv.Itoa(c.cmd.Process.Pid)).Run()
	}
}

// measure has the load made.
func (s *side) measure(load *child, job any) error {
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
