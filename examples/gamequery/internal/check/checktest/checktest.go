// Package checktest has what tests of cases share: servers over TCP in this process, and the
// comparison of faults that are planted in servers with the cases that find them.
package checktest

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
)

// A Fault is a mistake that is planted in a server.
type Fault struct {
	Name string
	Case string // for which it is planted, the ID
	Run  func(t *testing.T) check.Report
}

// Faults checks that each fault is found by its case, that each of the cases has one, and that
// the cases which find a fault are those of testdata/planted.txt.
func Faults(t *testing.T, all []Fault, cases []check.Case) {
	t.Helper()
	const update = "UPDATE_GOLDEN"
	file := filepath.Join("testdata", "planted.txt")
	var got strings.Builder
	missing := map[string]bool{}
	for _, c := range cases {
		missing[c.ID] = true
	}
	for _, f := range all {
		var failed []string
		for _, finding := range f.Run(t).Findings {
			if finding.Result == check.Fail {
				failed = append(failed, finding.ID)
				delete(missing, finding.ID)
			}
		}
		if !slices.Contains(failed, f.Case) {
			t.Errorf("%q is found by %q, want %s", f.Name, failed, f.Case)
		}
		got.WriteString(f.Case + ": " + f.Name + ": " + strings.Join(failed, " ") + "\n")
	}
	if len(missing) > 0 {
		t.Errorf("no fault is planted for %q", slices.Sorted(maps.Keys(missing)))
	}
	if os.Getenv(update) != "" {
		const mode = 0o644
		if err := os.WriteFile(file, []byte(got.String()), mode); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("%s (-) differs from the cases that find faults (+); $%s writes it:\n%s", file, update, diff)
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

// Dial calls the server. If its answers are changed, they come when the client has closed its
// side.
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

// A wire has a pipe for each direction.
type wire struct {
	net.Conn
	sends net.Conn
}

func (w wire) Write(b []byte) (int, error)        { return w.sends.Write(b) }
func (w wire) CloseWrite() error                  { return w.sends.Close() }
func (w wire) SetWriteDeadline(t time.Time) error { return w.sends.SetWriteDeadline(t) }
func (w wire) Close() error                       { return errors.Join(w.sends.Close(), w.Conn.Close()) }
