package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire"
)

// A scanner is how to scan and to print.
type scanner struct {
	asking
	protocol protocol
	json     bool
}

// Ends of a scan that tell to look at what was asked.
var (
	errNoTarget = errors.New("there was nothing to ask: no TARGET is named")
	errNoAnswer = errors.New("no server answered; check the protocol and that these are ports of queries, or give it a longer -timeout")
)

// maxTold is how many errors of a list are printed; a file that is no list has
// nothing else.
const maxTold = 10

// run scans and prints: results to stdout, how it went to stderr.
func (s *scanner) run(ctx context.Context, all *feed, stdout, stderr io.Writer) error {
	start := time.Now()
	p := newProgress(stderr, s.json && isTerminal(stdout))
	var sum tally
	var rows []scanned
	all.wrong = func(err error) {
		if sum.wrong++; sum.wrong <= maxTold {
			p.clear()
			fmt.Fprintln(stderr, "gamequery: "+printable(err.Error()))
		}
	}
	show := func(addr netip.AddrPort, r result) error {
		switch {
		case !addr.IsValid():
			return r.err
		case s.json:
			sum.count(r.err)
			return writeLine(stdout, addr, r)
		case r.err == nil:
			rows = append(rows, scanned{addr, r.answer})
		}
		sum.count(r.err)
		return nil
	}
	var failed error
	for failed == nil && all.wait(ctx) {
		for addr, r := range s.protocol.scan(ctx, all.ready(ctx), s.asking) {
			if failed = show(addr, r); failed != nil {
				break
			}
			p.add(all)
		}
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

// A tally counts the servers of a scan, and what was to be one.
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

// err tells if not all went well.
func (t tally) err() error {
	switch {
	case t.wrong > 0:
		return errors.New("not all that was to be asked could be")
	case t.answered > 0:
		return nil
	case t.silent+t.lost+t.failed > 0:
		return errNoAnswer
	}
	return errNoTarget
}

// writeLine prints one result as it comes.
func writeLine(w io.Writer, addr netip.AddrPort, r result) error {
	var line []byte
	var err error
	if r.err != nil {
		line, err = errorLine(addr.String(), r.err)
	} else {
		line, err = r.jsonLine(addr.String())
	}
	if err == nil {
		_, err = w.Write(append(line, '\n'))
	}
	return err
}

// scanned is a row of the table.
type scanned struct {
	addr netip.AddrPort
	answer
}

func writeScanned(w io.Writer, rows []scanned, on screen) error {
	slices.SortFunc(rows, func(a, b scanned) int {
		return cmp.Or(a.addr.Addr().Compare(b.addr.Addr()), cmp.Compare(a.addr.Port(), b.addr.Port()))
	})
	t := table{header: []string{"ADDRESS", "RTT/ms", "PLAYERS", "TYPE", "MAP", "NAME"}}
	for _, row := range rows {
		r := reportOf(row.message)
		t.add(row.addr.String(), milliseconds(row.rtt), r.playerCount(), r.gameType, r.level, r.name)
	}
	return t.write(w, on)
}
