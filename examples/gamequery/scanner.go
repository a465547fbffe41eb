package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire"
)

// A scanner has the settings of a scan.
type scanner struct {
	asking
	protocol protocol
	json     bool
}

// Errors of scans without a result.
var (
	errNoTarget = errors.New("there are no TARGETs")
	errNoAnswer = errors.New("no server answered; check the protocol and the query ports, or try a longer -timeout")
)

// maxTold is the number of errors of a list that are printed. A file that is not a
// list may have nothing else.
const maxTold = 10

// run runs the scan. Results go to stdout, and everything else to stderr.
func (s *scanner) run(ctx context.Context, all *feed, stdout, stderr io.Writer) error {
	start := time.Now()
	p := newProgress(stderr, s.json && isTerminal(stdout))
	var sum tally
	var rows []answer
	all.wrong = func(err error) {
		if sum.wrong++; sum.wrong <= maxTold {
			p.clear()
			fmt.Fprintln(stderr, "gamequery: "+printable(err.Error()))
		}
	}
	show := func(got answer) error {
		switch {
		case !got.query.IsValid():
			return got.err
		case s.json:
			sum.count(got.err)
			return got.writeLine(stdout)
		case got.err == nil:
			rows = append(rows, got)
		}
		sum.count(got.err)
		return nil
	}
	var failed error
	for got := range s.protocol.answers(ctx, s.asking, all) {
		if failed = show(got); failed != nil {
			break
		}
		p.add(all)
	}
	p.clear()
	if !s.json && len(rows) > 0 {
		failed = errors.Join(failed, buffered(stdout, func(w io.Writer) error {
			return writeScanned(w, rows, screenOf(stdout))
		}))
	}
	fmt.Fprintf(stderr, "%v, in %.2f s\n", sum, time.Since(start).Seconds())
	if ctx.Err() != nil {
		return errors.New("interrupted before the end")
	}
	return cmp.Or(failed, sum.err())
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

// writeScanned prints the servers that have answered, in the order of addresses.
func writeScanned(w io.Writer, rows []answer, on screen) error {
	slices.SortFunc(rows, func(a, b answer) int {
		return cmp.Or(a.query.Addr().Compare(b.query.Addr()), cmp.Compare(a.query.Port(), b.query.Port()))
	})
	t := table{header: []string{"ADDRESS", "QUERY", "RTT/ms", "PLAYERS", "MODE", "MAP", "NAME"}}
	for _, row := range rows {
		address, query := row.addresses()
		t.add(address, query, milliseconds(row.rtt), playerCount(row.view), row.view.Mode, row.view.Map, row.view.Name)
	}
	return t.write(w, on)
}
