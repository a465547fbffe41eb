package main

import (
	"context"
	"os/exec"
	"strconv"

	"github.com/lobbywire/lobbywire/examples/internal/bench"
)

// A side is a server that is measured.
type side struct {
	*bench.Child
	serverReady
	beside    yardstick // "" if it is ours
	last      round
	cpu, busy []float64
	answers   int
	allocs    uint64
	lost      int
}

// A round is the result of one load on one side.
type round struct {
	loadResult
	cpu, busy float64
	allocs    uint64
}

func (t *turns) startSide(ctx context.Context, job serverJob) (*side, error) {
	c, err := bench.Start(ctx, kindServer, 1)
	if err != nil {
		return nil, err
	}
	t.bind(c, "0")
	s := &side{Child: c, beside: job.Yardstick}
	if err := c.Ask(job, &s.serverReady); err != nil {
		c.End()
		return nil, err
	}
	return s, nil
}

// startYardsticks starts the yardsticks for split or single answers. It returns the
// started ones even if it fails.
func (t *turns) startYardsticks(ctx context.Context, answers map[int][][]byte, split bool) (all []*side, err error) {
	for _, y := range yardsticksOf(split) {
		s, err := t.startSide(ctx, serverJob{Yardstick: y, Answers: answers})
		if err != nil {
			return all, err
		}
		all = append(all, s)
	}
	return all, nil
}

func endAll(sides []*side) {
	for _, s := range sides {
		s.End()
	}
}

// bind binds a child to a processor if requested and possible.
func (t *turns) bind(c *bench.Child, processor string) {
	if t.pin {
		_ = exec.Command("taskset", "-a", "-c", "-p", processor, strconv.Itoa(c.Pid())).Run()
	}
}

// measure runs the load.
func (s *side) measure(load *bench.Child, job any) error {
	s.last = round{}
	spent, wall, err := s.Measure(func() error { return load.Ask(job, &s.last.loadResult) })
	if err != nil {
		return err
	}
	if s.last.Answers > 0 {
		s.last.cpu = bench.Per(spent.CPU, s.last.Answers)
	}
	s.last.busy = spent.CPU.Seconds() / wall.Seconds()
	s.last.allocs = spent.Allocs
	return nil
}

// keep keeps the last round if it counts. Lost answers always count.
func (s *side) keep(counts bool) {
	s.lost += s.last.Lost
	if counts {
		s.cpu = append(s.cpu, s.last.cpu)
		s.busy = append(s.busy, s.last.busy)
		s.answers += s.last.Answers
		s.allocs += s.last.allocs
	}
}

func (s *side) result() responder {
	return responder{
		CPU:    bench.SpreadOf(s.cpu),
		Busy:   bench.SpreadOf(s.busy),
		Allocs: float64(s.allocs) / float64(s.answers),
		Lost:   s.lost,
	}
}
