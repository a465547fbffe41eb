package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire/examples/internal/bench"
)

// scanOptions are the flags of the command scan.
type scanOptions struct {
	games      []string
	servers    []int
	silent     []int
	rounds     int
	peers      int // rounds with scanners of other projects
	processors int
	json       bool
}

func scanCommand(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o := scanOptions{games: []string{"sqp-0", "gamespy2", "gameagent"}, servers: []int{1000, 10000},
		silent: []int{0, 10}}
	flags := flag.NewFlagSet("udpbench scan", flag.ContinueOnError)
	flags.Func("games", "`names` separated by commas; default "+strings.Join(o.games, ","), func(s string) error {
		o.games = strings.Split(s, ",")
		return nil
	})
	flags.Func("servers", "`numbers` of servers, separated by commas; default 1000,10000", numbers(&o.servers, 1))
	flags.Func("silent", "percentages of silent servers, `numbers` separated by commas; default 0,10",
		numbers(&o.silent, 0))
	flags.IntVar(&o.rounds, "rounds", 7, "`number` of rounds with our scanner and the floor")
	flags.IntVar(&o.peers, "peers", 7, "`number` of these rounds that also run the scanners of other projects\n"+
		"that are installed, unless servers are silent")
	flags.IntVar(&o.processors, "processors", 0, "`number` of processors on which a scanner runs Go code; 0 means all")
	flags.BoolVar(&o.json, "json", false, "print JSON, one object for each row")
	if err := parseFlags(flags, args, stderr); err != nil {
		return err
	}
	if o.rounds < 1 {
		return &usageError{fmt.Errorf("rounds must be at least 1")}
	}
	if !o.json {
		fmt.Fprintf(stdout, "%-9s %7s %6s %9s %9s %24s %8s %8s %7s  %s\n",
			"", "servers", "silent", "ours us", "floor us", "ours/floor (min to max)", "ours s", "floor s", "lost", "peers")
	}
	for _, name := range o.games {
		for _, servers := range o.servers {
			for _, silent := range o.silent {
				row, err := o.measure(ctx, farmJob{name, servers, silent})
				if err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				if err := row.print(stdout, o.json); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// numbers returns a parser that appends numbers of at least min to list.
func numbers(list *[]int, least int) func(string) error {
	return func(s string) error {
		*list = nil
		for part := range strings.SplitSeq(s, ",") {
			n, err := strconv.Atoi(part)
			if err != nil || n < least {
				return fmt.Errorf("%q is not a number of at least %d", part, least)
			}
			*list = append(*list, n)
		}
		return nil
	}
}

// A scanRow is the result for one farm.
type scanRow struct {
	Game    string             `json:"game"`
	Servers int                `json:"servers"`
	Silent  int                `json:"silent"` // percent
	Ours    scanner            `json:"ours"`
	Floor   scanner            `json:"floor"`
	Ratio   bench.Spread       `json:"ratio"`           // of processor times, by round
	Peers   map[string]scanner `json:"peers,omitempty"` // by name
}

// A scanner is the result of one scanner.
type scanner struct {
	CPU    bench.Spread `json:"cpu"`    // microseconds of processor time per server
	Wall   bench.Spread `json:"wall"`   // seconds for the whole scan
	Allocs float64      `json:"allocs"` // per server
	Lost   int          `json:"lost"`   // servers that should have answered and did not, in all rounds
}

func (r *scanRow) print(w io.Writer, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(r)
	}
	var others strings.Builder
	for _, name := range slices.Sorted(maps.Keys(r.Peers)) {
		peer := r.Peers[name]
		fmt.Fprintf(&others, "  %s %.2f us, %d lost", name, peer.CPU.Median, peer.Lost)
	}
	_, err := fmt.Fprintf(w, "%-9s %7d %5d%% %9.2f %9.2f %24v %8.2f %8.2f %3d %3d%s\n",
		r.Game, r.Servers, r.Silent, r.Ours.CPU.Median, r.Floor.CPU.Median, r.Ratio,
		r.Ours.Wall.Median, r.Floor.Wall.Median, r.Ours.Lost, r.Floor.Lost, others.String())
	return err
}

// measure scans a farm with each scanner in turn, each time in a new process.
func (o *scanOptions) measure(ctx context.Context, farm farmJob) (row scanRow, err error) {
	c, err := bench.Start(ctx, kindFarm, 1)
	if err != nil {
		return row, err
	}
	defer c.End()
	var ready farmReady
	if err := c.Ask(farm, &ready); err != nil {
		return row, err
	}
	alive := 0
	for i := range farm.Servers {
		if !farm.isSilent(i) {
			alive++
		}
	}
	var ours, floor scans
	var others []peer
	if o.peers > 0 && farm.Silent == 0 {
		others = installed(ctx, farm.Game)
	}
	beside := make([]scans, len(others))
	for round := range o.rounds {
		if round < o.peers {
			for i := range others {
				r, err := others[i].scan(ctx, ready.Targets)
				if err != nil {
					return row, err
				}
				beside[i].add(r, farm.Servers, alive)
			}
		}
		job := scanJob{Game: farm.Game, Targets: ready.Targets}
		if farm.Silent > 0 {
			job.Attempts = 1 // as the floor makes one
		}
		bare := job
		bare.Floor = true
		steps := []struct {
			job   scanJob
			scans *scans
		}{{job, &ours}, {bare, &floor}}
		if round%2 == 1 {
			slices.Reverse(steps)
		}
		for _, s := range steps {
			r, err := o.scan(ctx, s.job)
			if err != nil {
				return row, err
			}
			s.scans.add(r, farm.Servers, alive)
		}
	}
	row = scanRow{
		Game:    farm.Game,
		Servers: farm.Servers,
		Silent:  farm.Silent,
		Ours:    ours.result(),
		Floor:   floor.result(),
		Ratio:   bench.SpreadOf(bench.Ratios(ours.cpu, floor.cpu)),
		Peers:   map[string]scanner{},
	}
	for i, p := range others {
		row.Peers[p.tool.Name] = beside[i].result()
	}
	return row, nil
}

// scan runs a scan in a child.
func (o *scanOptions) scan(ctx context.Context, job scanJob) (r scanResult, err error) {
	c, err := bench.Start(ctx, kindScan, o.processors)
	if err != nil {
		return r, err
	}
	defer c.End()
	return r, c.Ask(job, &r)
}

// scans are the measurements of one scanner.
type scans struct {
	cpu, wall, allocs []float64
	lost              int
}

func (s *scans) add(r scanResult, servers, alive int) {
	s.cpu = append(s.cpu, bench.Per(r.Used.CPU, servers))
	s.wall = append(s.wall, r.Wall.Seconds())
	s.allocs = append(s.allocs, float64(r.Used.Allocs)/float64(servers))
	s.lost += alive - r.Answered
}

func (s *scans) result() scanner {
	return scanner{CPU: bench.SpreadOf(s.cpu), Wall: bench.SpreadOf(s.wall), Allocs: bench.SpreadOf(s.allocs).Median,
		Lost: s.lost}
}
