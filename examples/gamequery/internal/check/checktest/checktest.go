// Package checktest contains what tests of cases share: servers over TCP in this process,
// and the check that the cases find faults that are planted in servers.
package checktest

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"net"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// A Fault is a mistake that is planted in a server.
type Fault struct {
	Name string
	Case string // the ID of the case that must find it

	// Run runs the cases with these IDs, or all.
	Run func(t *testing.T, ids ...string) check.Report
}

// found runs some or all cases, and returns those that find the fault.
func (f Fault) found(t *testing.T, ids ...string) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	for _, finding := range f.Run(t, ids...).Findings {
		found[finding.ID] = finding.Result == check.Fail
	}
	return found
}

// Faults checks that each fault is found by its case, and that each case finds a fault. It
// does not check which other cases find it: some do so at times, for example cases that
// compare what two clients see. The short suite runs other cases only until each has found a
// fault.
func Faults(t *testing.T, all []Fault, cases []check.Case) {
	var mu sync.Mutex
	missing := map[string]bool{}
	for _, c := range cases {
		missing[c.ID] = true
	}
	note := func(found map[string]bool) {
		mu.Lock()
		defer mu.Unlock()
		maps.DeleteFunc(missing, func(id string, _ bool) bool { return found[id] })
	}
	t.Run("faults", func(t *testing.T) {
		for _, f := range all {
			t.Run(f.Case+" "+f.Name, func(t *testing.T) {
				t.Parallel()
				found := map[string]bool{}
				if !suite.IsLong() {
					found = f.found(t, f.Case)
				}
				if !found[f.Case] { // some cases need what others leave behind
					found = f.found(t)
				}
				if !found[f.Case] {
					t.Error("its case does not find it")
				}
				note(found)
			})
		}
	})
	for _, f := range all {
		protocol, _, _ := strings.Cut(f.Case, "/")
		var others []string
		for id := range missing {
			if strings.HasPrefix(id, protocol+"/") {
				others = append(others, id)
			}
		}
		if len(others) > 0 {
			note(f.found(t, others...))
		}
	}
	if len(missing) > 0 {
		t.Errorf("no fault is planted for %q", slices.Sorted(maps.Keys(missing)))
	}
}

// Edited returns an edit of packets by a regular expression, whose characters are bytes. An empty
// result is nil.
func Edited(pattern, with string) func(b []byte) []byte {
	re := regexp.MustCompile("(?s)" + pattern)
	return func(b []byte) []byte {
		text := make([]rune, len(b))
		for i, c := range b {
			text[i] = rune(c)
		}
		var edited []byte
		for _, c := range re.ReplaceAllString(string(text), with) {
			edited = append(edited, byte(c))
		}
		return edited
	}
}

// Passes fails t unless a report has no failed case.
func Passes(t *testing.T, r check.Report) {
	t.Helper()
	passed := false
	for _, f := range r.Findings {
		passed = passed || f.Result == check.Pass
		if f.Result == check.Fail {
			t.Errorf("%s %s: %s", f.ID, f.Sentence, f.Why())
		}
	}
	if !passed || r.Stopped != "" {
		t.Errorf("no case passed, or the run was stopped: %s", r.Stopped)
	}
}

// A Talker is a server for connections in this process.
type Talker struct {
	Converse func(from string, r io.Reader, w io.Writer) error
	Change   func(sent, answers []byte) []byte // nil changes nothing
}

// Ask fails: these servers have no datagrams.
func (*Talker) Ask(int, []byte, check.Whole, bool) ([][]byte, error) {
	return nil, errors.New("not over TCP")
}

// Dial connects to the server. Changed answers arrive when the client has closed its side.
func (t *Talker) Dial(int) (*check.Line, error) {
	requests, sends := net.Pipe()
	answers, hears := net.Pipe()
	go func() {
		defer requests.Close()
		defer answers.Close()
		const from = "192.0.2.7"
		if t.Change == nil {
			_ = t.Converse(from, requests, answers) // its error does not matter, here and below
			return
		}
		var sent, right bytes.Buffer
		_ = t.Converse(from, io.TeeReader(requests, &sent), &right)
		_, _ = io.Copy(&sent, requests)
		_, _ = answers.Write(t.Change(sent.Bytes(), right.Bytes()))
	}()
	return check.NewLine(wire{hears, sends}, time.Second), nil
}

// Renew does nothing.
func (*Talker) Renew() {}

// Hasten does nothing.
func (*Talker) Hasten() {}

// Pause waits until the server has seen what was sent.
func (*Talker) Pause(int) { synctest.Wait() }

// A wire is a pair of pipes, one for each direction.
type wire struct {
	net.Conn
	sends net.Conn
}

func (w wire) Write(b []byte) (int, error)        { return w.sends.Write(b) }
func (w wire) CloseWrite() error                  { return w.sends.Close() }
func (w wire) SetWriteDeadline(t time.Time) error { return w.sends.SetWriteDeadline(t) }
func (w wire) Close() error                       { return errors.Join(w.sends.Close(), w.Conn.Close()) }
