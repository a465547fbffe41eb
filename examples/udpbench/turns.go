package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire/examples/internal/bench"
)

// turns loads one of our servers and an echo in turn, as the flags say.
type turns struct {
	rounds int
	each   time.Duration
	pin    bool
	json   bool
}

func (t *turns) addFlags(flags *flag.FlagSet) {
	flags.IntVar(&t.rounds, "rounds", 15, "`number` of rounds with our server and the echo")
	flags.DurationVar(&t.each, "for", 500*time.Millisecond, "`time` of a load")
	flags.BoolVar(&t.pin, "pin", false, "bind servers to processor 0 and the load to processor 1, with taskset")
	flags.BoolVar(&t.json, "json", false, "print JSON, one object for each row")
}

// A respondRow is the result for one game.
type respondRow struct {
	Game  string       `json:"game"`
	Ours  responder    `json:"ours"`
	Echo  responder    `json:"echo"`
	Ratio bench.Spread `json:"ratio"` // of rates, by round
}

// A responder is the result of one server.
type responder struct {
	Rate   bench.Spread `json:"rate"`   // answers per second of processor time
	Busy   bench.Spread `json:"busy"`   // processor time per second
	Allocs float64      `json:"allocs"` // per answer
	Lost   int          `json:"lost"`   // answers that did not arrive
}

// take loads the sides in turn, for the same time each.
func (t *turns) take(name string, ours, echo *side, load func(s *side, d time.Duration) error) (row respondRow,
	err error) {
	for round := range t.rounds + 1 {
		d := t.each
		if round == 0 { // warm-up, not counted
			d /= 4
		}
		sides := []*side{ours, echo}
		if round%2 == 1 {
			slices.Reverse(sides)
		}
		counts := round > 0
		for _, s := range sides {
			if err := load(s, d); err != nil {
				return row, err
			}
			counts = counts && s.last.rate > 0
		}
		for _, s := range sides {
			s.keep(counts)
		}
	}
	if len(ours.rates) == 0 {
		return row, errors.New("no round with answers from both")
	}
	return respondRow{name, ours.result(), echo.result(), bench.SpreadOf(bench.Ratios(ours.rates, echo.rates))}, nil
}

// print measures and prints a row for each name.
func (t *turns) print(w io.Writer, names []string, measure func(name string) (respondRow, error)) error {
	if !t.json {
		fmt.Fprintf(w, "%-11s %16s %16s %24s %10s %10s %9s\n",
			"", "ours 1/s/core", "echo 1/s/core", "ours/echo (min to max)", "allocs", "echo's", "lost")
	}
	for _, name := range names {
		row, err := measure(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if t.json {
			err = json.NewEncoder(w).Encode(row)
		} else {
			_, err = fmt.Fprintf(w, "%-11s %16.0f %16.0f %24v %10.2f %10.2f %4d %4d\n",
				row.Game, row.Ours.Rate.Median, row.Echo.Rate.Median, row.Ratio,
				row.Ours.Allocs, row.Echo.Allocs, row.Ours.Lost, row.Echo.Lost)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
