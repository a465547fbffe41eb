package main

import (
	"context"
	"fmt"
	"io"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/examples/internal/bench"
	"github.com/lobbywire/lobbywire/warzone"
)

// A report is the result of a measurement.
type report struct {
	Hosts   int      `json:"hosts"`
	PerHost float64  `json:"perHost"` // memory of the lobby per host, in bytes
	Listed  int      `json:"listed"`  // games on the list
	Reply   int      `json:"reply"`   // bytes of it
	Ours    speed    `json:"ours"`
	Floor   speed    `json:"floor"`
	Ratio   spread   `json:"ratio"`   // of the floor's processor time and ours, by round
	Updates int      `json:"updates"` // per second, while our lobby was measured
	Kept    int      `json:"kept"`    // hosts that could be updated at the end and whose updates the list showed
	Memory  struct { // of the lobby's process, in bytes
		Before int64 `json:"before"` // before the first host
		Held   int64 `json:"held"`   // with all hosts
		Loaded int64 `json:"loaded"` // after the lists were fetched
	} `json:"memory"`
}

type spread = bench.Spread

// speed is the result for one server.
type speed struct {
	CPU    spread `json:"cpu"`    // milliseconds of processor time per list
	Rate   spread `json:"rate"`   // lists per second
	Failed int    `json:"failed"` // lists and updates that failed
}

func (r report) print(w io.Writer) error {
	const mib = 1 << 20
	_, err := fmt.Fprintf(w,
		`%d hosts take %.1f KiB each: %.1f MiB of memory, %.1f MiB before the first, %.1f MiB after the lists were fetched
%d games are listed, in %d bytes

                ours                     floor                    floor/ours
ms a list       %-24v %-24v %v
lists a second  %-24v %v
failed          %-24d %d

Meanwhile there were %d updates a second. At the end %d hosts were connected, and the list had their last updates.
`, r.Hosts, r.PerHost/1024, float64(r.Memory.Held)/mib, float64(r.Memory.Before)/mib, float64(r.Memory.Loaded)/mib,
		r.Listed, r.Reply,
		r.Ours.CPU, r.Floor.CPU, r.Ratio, r.Ours.Rate, r.Floor.Rate, r.Ours.Failed, r.Floor.Failed,
		r.Updates, r.Kept)
	return err
}

// measure registers the hosts, and then measures our lobby and the floor in turn.
func (o *options) measure(ctx context.Context) (r report, err error) {
	r.Hosts, r.Updates = o.hosts, o.updates
	lobby, err := startSide(ctx, "lobby", o.hosts)
	if err != nil {
		return r, err
	}
	defer lobby.End()
	load, err := bench.Start(ctx, "load", 0)
	if err != nil {
		return r, err
	}
	defer load.End()
	var done loadResult
	if err := load.Ask(loadJob{List: &listJob{Server: lobby.addr}}, &done); err != nil { // warms up
		return r, err
	}
	r.Memory.Before, err = bench.Resident(lobby.Pid())
	if err != nil {
		return r, err
	}
	if err := load.Ask(loadJob{Register: &registerJob{lobby.addr, o.hosts}}, &done); err != nil {
		return r, err
	}
	r.Memory.Held, err = bench.Resident(lobby.Pid())
	if err != nil {
		return r, err
	}
	r.PerHost = float64(r.Memory.Held-r.Memory.Before) / float64(o.hosts)
	if err := load.Ask(loadJob{List: &listJob{Server: lobby.addr}}, &done); err != nil {
		return r, err
	}
	r.Reply = len(done.Reply)
	floor, err := startSide(ctx, "floor", done.Reply)
	if err != nil {
		return r, err
	}
	defer floor.End()
	if err := o.compare(load, lobby, floor, &r); err != nil {
		return r, err
	}
	r.Memory.Loaded, err = bench.Resident(lobby.Pid())
	if err != nil {
		return r, err
	}
	return r, r.check(load, lobby)
}

// compare measures both servers in turn.
func (o *options) compare(load *bench.Child, lobby, floor *side, r *report) error {
	sides := []*side{lobby, floor}
	err := bench.Rounds(o.rounds, o.each, sides, func(sides []*side, each time.Duration, counts bool) error {
		if err := load.Ask(loadJob{Keep: true}, new(loadResult)); err != nil {
			return err
		}
		for _, s := range sides {
			job := listJob{Server: s.addr, Clients: o.clients, For: each}
			if s == lobby {
				job.Updates = o.updates
			}
			if err := s.measure(load, job, counts); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	r.Ours, r.Floor = lobby.result(), floor.result()
	r.Ratio = bench.SpreadOf(bench.Ratios(floor.cpu, lobby.cpu))
	return nil
}

// check updates all hosts and checks that the list shows it.
func (r *report) check(load *bench.Child, lobby *side) error {
	const players = 3
	var done loadResult
	if err := load.Ask(loadJob{Update: &updateJob{players}}, &done); err != nil {
		return err
	}
	r.Kept = done.Done
	if err := load.Ask(loadJob{List: &listJob{Server: lobby.addr}}, &done); err != nil {
		return err
	}
	list, err := listOptions.ParseListReply(done.Reply)
	if err != nil {
		return err
	}
	r.Listed = len(list.Games)
	for _, g := range list.Games {
		if g.CurrentPlayers != players {
			return fmt.Errorf("%s was updated, and is listed with %d players", g.JoinAddr(), g.CurrentPlayers)
		}
	}
	return nil
}

// listOptions allow the longest list that any hosts can cause.
var listOptions = warzone.Options{MaxGames: 1 << 20}

// A side is a server that is measured.
type side struct {
	*bench.Child
	addr      netip.AddrPort
	cpu, rate []float64
	failed    int
}

func startSide(ctx context.Context, kind string, job any) (*side, error) {
	c, err := bench.Start(ctx, kind, 1)
	if err != nil {
		return nil, err
	}
	s := &side{Child: c}
	if err := c.Ask(job, &s.addr); err != nil {
		c.End()
		return nil, err
	}
	return s, nil
}

// measure fetches lists for a while, and records the result if the round counts.
// Failures always count.
func (s *side) measure(load *bench.Child, job listJob, counts bool) error {
	var done loadResult
	spent, wall, err := s.Measure(func() error { return load.Ask(loadJob{List: &job}, &done) })
	if err != nil {
		return err
	}
	s.failed += done.Failed
	if done.Done == 0 {
		return fmt.Errorf("no list in %v, and %d failed", wall, done.Failed)
	}
	if counts {
		s.cpu = append(s.cpu, bench.Per(spent.CPU, done.Done)/1000)
		s.rate = append(s.rate, float64(done.Done)/wall.Seconds())
	}
	return nil
}

func (s *side) result() speed {
	return speed{bench.SpreadOf(s.cpu), bench.SpreadOf(s.rate), s.failed}
}
