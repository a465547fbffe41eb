package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/spf13/cobra"
)

// A scanner has the settings of a scan.
type scanner struct {
	asking
	output
	protocol protocol
}

// check checks the flags, for a protocol with these values of -ask.
func (s *scanner) check(cmd *cobra.Command, asks []string) error {
	if err := s.asking.check(cmd, s.protocol, asks); err != nil {
		return err
	}
	return s.output.check(cmd, &s.asking)
}

// Errors of scans without a result.
var (
	errInterrupted = errors.New("interrupted before the end")
	errNoTarget    = errors.New("there are no TARGETs")
	errNoAnswer    = errors.New("no server answered; check the protocol and the query ports, or try a longer -timeout")
)

// maxReported limits the reported errors of a list. In a file that is not a list, every
// line may be invalid.
const maxReported = 10

// run runs the scan. Results go to stdout, and everything else to stderr.
func (s *scanner) run(ctx context.Context, all *feed, stdout, stderr io.Writer) error {
	start := time.Now()
	out := s.newPrinter(stdout, scanLayout())
	out.compare = compareQueries
	p := newProgress(stderr, !out.waits() && isTerminal(stdout))
	var sum tally
	all.wrong = func(err error) {
		if sum.wrong++; sum.wrong <= maxReported {
			p.clear()
			fmt.Fprintln(stderr, "gamequery: "+printable(err.Error()))
		}
		if s.json {
			// A write error is reported with the next server, or at the end.
			_ = answer{protocol: s.protocol.name, err: err}.writeLine(out.w)
		}
	}
	show := func(got answer) error {
		if !got.query.IsValid() {
			return got.err
		}
		sum.count(got.err)
		if err := out.add(got); err != nil {
			return err
		}
		return out.w.Flush()
	}
	var failed error
	for got := range s.protocol.answers(ctx, s.asking, all) {
		if failed = show(got); failed != nil {
			break
		}
		p.add(all)
	}
	p.clear()
	failed = errors.Join(failed, out.end())
	fmt.Fprintln(stderr, s.summary(sum, out.shown, time.Since(start)))
	if ctx.Err() != nil {
		return errInterrupted
	}
	err := cmp.Or(failed, sum.err())
	if s.json && failed == nil && err != nil && err != errNoTarget {
		return printedError{err} // each server has its own
	}
	return err
}

// summary returns the last line of a scan.
func (s *scanner) summary(sum tally, shown int, took time.Duration) string {
	text := sum.String()
	if s.condition != nil || s.top > 0 {
		text += fmt.Sprintf(", shown %d", shown)
	}
	return fmt.Sprintf("%s, in %.2f s", text, took.Seconds())
}

// A tally counts the servers of a scan and the invalid targets.
type tally struct{ answered, silent, lost, failed, wrong int }

func (t *tally) count(err error) {
	switch {
	case err == nil:
		t.answered++
	case errors.Is(err, lobbywire.ErrLost):
		t.lost++
	case errors.Is(err, lobbywire.ErrTimeout):
		t.silent++
	default:
		t.failed++
	}
}

func (t tally) String() string {
	text := fmt.Sprintf("answered %d, silent %d, lost %d", t.answered, t.silent, t.lost)
	if t.failed > 0 {
		text += fmt.Sprintf(", failed %d", t.failed)
	}
	if t.wrong > 0 {
		text += fmt.Sprintf(", left out %d", t.wrong)
	}
	return text
}

// err returns an error if the scan was not successful.
func (t tally) err() error {
	switch {
	case t.wrong > 0:
		return errors.New("some targets were skipped")
	case t.answered > 0:
		return nil
	case t.silent+t.lost+t.failed > 0:
		return errNoAnswer
	}
	return errNoTarget
}

// scanLayout is the table of the servers that have answered.
func scanLayout() layout {
	return layout{
		header: []string{"ADDRESS", "QUERY", "RTT/ms", "PLAYERS", "MODE", "MAP", "NAME"},
		row: func(a answer) []string {
			address, query := a.addresses()
			return []string{address, query, milliseconds(a.rtt), playerCount(a.view), a.view.Mode, a.view.Map, a.view.Name}
		},
	}
}

// compareQueries compares servers by their query addresses.
func compareQueries(a, b answer) int {
	return cmp.Or(a.query.Addr().Compare(b.query.Addr()), cmp.Compare(a.query.Port(), b.query.Port()))
}
