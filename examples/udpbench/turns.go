package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"time"

	"github.com/lobbywire/lobbywire/examples/internal/bench"
)

// turns loads one of our servers and yardsticks in turn, with the settings of the flags.
type turns struct {
	rounds int
	each   time.Duration
	pin    bool
	json   bool
}

func (t *turns) addFlags(flags *flag.FlagSet) {
	flags.IntVar(&t.rounds, "rounds", 15, "`number` of rounds with our server and those beside it")
	flags.DurationVar(&t.each, "for", 500*time.Millisecond, "`time` of a load")
	flags.BoolVar(&t.pin, "pin", false, "bind servers to processor 0 and the load to processor 1, with taskset")
	flags.BoolVar(&t.json, "json", false, "print JSON, one object for each row")
}

// errNoAnswers is the error of rounds so short, or on so busy a machine, that nothing is measured.
var errNoAnswers = errors.New("no round with answers from all")

// A respondRow compares one of our servers with one other.
type respondRow struct {
	Game   string       `json:"game"`
	Beside yardstick    `json:"beside"`
	Ours   responder    `json:"ours"`
	Theirs responder    `json:"theirs"`
	Ratio  bench.Spread `json:"ratio"` // of their processor time and ours, by round
}

// A responder is the result of one server.
type responder struct {
	CPU    bench.Spread `json:"cpu"`    // microseconds of processor time per answer
	Busy   bench.Spread `json:"busy"`   // processor time per second
	Allocs float64      `json:"allocs"` // per answer
	Lost   int          `json:"lost"`   // datagrams of answers that did not arrive
}

// take loads our server and the others in turn, for the same time each, and returns a row for
// each of the others.
func (t *turns) take(name string, ours *side, others []*side, load func(s *side, d time.Duration) error) (
	rows []respondRow, err error) {
	sides := append([]*side{ours}, others...)
	err = bench.Rounds(t.rounds, t.each, sides, func(sides []*side, each time.Duration, counts bool) error {
		for _, s := range sides {
			if err := load(s, each); err != nil {
				return err
			}
			counts = counts && s.last.cpu > 0
		}
		for _, s := range sides {
			s.keep(counts)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(ours.cpu) == 0 {
		return nil, errNoAnswers
	}
	for _, s := range others {
		ratio := bench.SpreadOf(bench.Ratios(s.cpu, ours.cpu))
		rows = append(rows, respondRow{name, s.beside, ours.result(), s.result(), ratio})
	}
	return rows, nil
}

// print measures and prints the rows of each name.
func (t *turns) print(w io.Writer, names []string, measure func(name string) ([]respondRow, error)) error {
	if !t.json {
		fmt.Fprintf(w, "%-14s %-9s %9s %9s %24s %7s %7s %9s\n",
			"", "beside", "ours us", "its us", "its/ours (min to max)", "allocs", "its", "lost")
	}
	for _, name := range names {
		rows, err := measure(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for _, row := range rows {
			if err := row.print(w, t.json); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *respondRow) print(w io.Writer, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(r)
	}
	_, err := fmt.Fprintf(w, "%-14s %-9s %9.2f %9.2f %24v %7.2f %7.2f %4d %4d\n", r.Game, r.Beside, r.Ours.CPU.Median,
		r.Theirs.CPU.Median, r.Ratio, r.Ours.Allocs, r.Theirs.Allocs, r.Ours.Lost, r.Theirs.Lost)
	return err
}
