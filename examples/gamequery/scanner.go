package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/targets"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
)

// A scanner holds the settings of a scan.
type scanner struct {
	protocols.Settings
	output.Flags
	protocol protocols.Protocol
	left     lobbywire.LeftOut // servers of a list that are not queried
	partial  bool              // the list may lack servers
}

// check checks the flags, for a protocol with these values of -ask.
func (s *scanner) check(cmd *cobra.Command, asks []string) error {
	if err := s.Settings.Check(cmd, s.protocol, asks); err != nil {
		return err
	}
	return s.Flags.Check(cmd, &s.Sockets)
}

// checkFilter refuses a -filter on a member that the scan does not request.
func (s *scanner) checkFilter(cmd *cobra.Command) error {
	for _, member := range []string{"roster", "teams", "rules"} {
		flag := s.Unrequested(s.protocol, member)
		if flag != "" && s.Condition.Uses(member) {
			return usage.Bad(cmd, "-filter: servers are not asked for %s; add %s", member, flag)
		}
	}
	return nil
}

// Errors of scans without an answer.
var (
	errNoTarget = errors.New("there are no TARGETs")
	errNoAnswer = errors.New("no server answered; check the protocol and the query ports, or try a longer -timeout")
	errNoQuery  = fmt.Errorf("no server answered the query: %w", lobbywire.ErrChallengeOnly)
)

// maxReported limits the reported errors of a list. In a file that is not a list, every
// line may be invalid.
const maxReported = 10

// run runs the scan. Results go to stdout, and everything else to stderr.
func (s *scanner) run(ctx context.Context, all *targets.Feed, stdout, stderr io.Writer) error {
	start := time.Now()
	out := s.NewPrinter(stdout, output.ScanLayout())
	out.Compare = compareQueries
	p := newProgress(stderr, !out.Waits() && terminal.IsTerminal(stdout))
	var mu sync.Mutex // all calls Wrong in another goroutine
	over := false
	var sum tally
	all.Wrong = func(err error) {
		mu.Lock()
		defer mu.Unlock()
		if over {
			return
		}
		sum.wrong++
		if sum.wrong <= maxReported {
			p.clear()
			fmt.Fprintln(stderr, "gamequery: "+terminal.Printable(err.Error()))
		}
		if s.JSON {
			// A write error is reported with the next server, or at the end.
			_ = output.Answer{Protocol: s.protocol.Name, Err: err}.WriteLine(out.W)
		}
	}
	show := func(got output.Answer) error {
		mu.Lock()
		defer mu.Unlock()
		if !got.Query.IsValid() {
			return got.Err
		}
		sum.count(got.Err)
		if text := got.OtherPort(); text != "" {
			sum.others++
			if sum.others <= maxReported {
				p.clear()
				fmt.Fprintf(stderr, "gamequery: %s: %s\n", got.Query.Addr(), text)
			}
		}
		if err := out.Add(got); err != nil {
			return err
		}
		p.add(all)
		return out.W.Flush()
	}
	var failed error
	for got := range s.protocol.Answers(ctx, s.Settings, all) {
		failed = show(got)
		if failed != nil {
			break
		}
	}
	mu.Lock()
	defer mu.Unlock()
	over = true
	p.clear()
	if s.JSON && s.left.Total() > 0 {
		left := output.Answer{Protocol: s.protocol.Name, Err: lobbywire.LeftOutError{LeftOut: s.left}}
		failed = errors.Join(failed, left.WriteLine(out.W))
	}
	if s.JSON && s.partial {
		failed = errors.Join(failed, output.Answer{Protocol: s.protocol.Name, Err: output.ErrPartial}.WriteLine(out.W))
	}
	failed = errors.Join(failed, out.End())
	fmt.Fprintln(stderr, s.summary(sum, out.Shown, time.Since(start)))
	if ctx.Err() != nil {
		return output.ErrInterrupted
	}
	err := cmp.Or(failed, sum.err())
	if err == nil && s.partial {
		err = output.ErrPartial
	}
	if err == errNoAnswer && s.protocol.Advice != "" {
		err = &protocols.SilenceError{Err: err, Advice: s.protocol.Advice}
	}
	if s.JSON && failed == nil && err != nil && err != errNoTarget {
		return output.PrintedError{Err: err} // each server has its own
	}
	return err
}

// summary returns the last line of a scan.
func (s *scanner) summary(sum tally, shown int, took time.Duration) string {
	text := sum.String()
	if s.left.Total() > 0 {
		text += ", " + s.left.String()
	}
	if s.partial {
		text += ", the list is not whole"
	}
	if s.Condition != nil || s.Top > 0 {
		text += fmt.Sprintf(", shown %d", shown)
	}
	return fmt.Sprintf("%s, in %.2f s", text, took.Seconds())
}

// A tally counts the servers of a scan and the invalid targets.
type tally struct{ answered, challenge, unreadable, silent, lost, failed, wrong, others int }

func (t *tally) count(err error) {
	switch {
	case err == nil:
		t.answered++
	case errors.Is(err, lobbywire.ErrUnreadable):
		t.unreadable++
	case errors.Is(err, lobbywire.ErrLost):
		t.lost++
	case errors.Is(err, lobbywire.ErrChallengeOnly):
		t.challenge++
	case errors.Is(err, lobbywire.ErrTimeout):
		t.silent++
	default:
		t.failed++
	}
}

func (t tally) String() string {
	text := fmt.Sprintf("answered %d, silent %d, lost %d", t.answered, t.silent, t.lost)
	if t.challenge > 0 {
		text += fmt.Sprintf(", answered only the challenge %d", t.challenge)
	}
	if t.unreadable > 0 {
		text += fmt.Sprintf(", unreadable %d", t.unreadable)
	}
	if t.failed > 0 {
		text += fmt.Sprintf(", failed %d", t.failed)
	}
	if t.wrong > 0 {
		text += fmt.Sprintf(", left out %d", t.wrong)
	}
	if t.others > 0 {
		text += fmt.Sprintf(", another port named by %d", t.others)
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
	case t.challenge > 0:
		return errNoQuery
	case t.unreadable+t.silent+t.lost+t.failed > 0:
		return errNoAnswer
	}
	return errNoTarget
}

// compareQueries compares servers by their query addresses.
func compareQueries(a, b output.Answer) int {
	return cmp.Or(a.Query.Addr().Compare(b.Query.Addr()), cmp.Compare(a.Query.Port(), b.Query.Port()))
}
