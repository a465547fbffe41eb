// Package checktest contains what tests of cases share: servers over TCP in this process,
// and the check that the cases find faults that are planted in servers.
package checktest

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
)

// A Fault is a mistake that is planted in a server.
type Fault struct {
	Name string
	Case string // the ID of the case that must find it
	Run  func(t *testing.T) check.Report
}

// planted lists the cases that may find each fault. Some find it only at times, for example
// cases that compare what two clients see.
var planted = filepath.Join("testdata", "planted.txt")

// Faults checks that each fault is found by its case, that each case has a fault, and that
// only the cases in testdata/planted.txt find a fault.
func Faults(t *testing.T, all []Fault, cases []check.Case) {
	t.Helper()
	const update = "UPDATE_GOLDEN"
	may := readPlanted(t)
	var lines strings.Builder
	missing := map[string]bool{}
	for _, c := range cases {
		missing[c.ID] = true
	}
	for _, f := range all {
		name := f.Case + ": " + f.Name
		found := map[string]bool{}
		for _, finding := range f.Run(t).Findings {
			if finding.Result == check.Fail {
				found[finding.ID] = true
				delete(missing, finding.ID)
			}
		}
		failed := slices.Sorted(maps.Keys(found))
		if !found[f.Case] {
			t.Errorf("%q is found by %q, want %s", f.Name, failed, f.Case)
		}
		other := slices.DeleteFunc(slices.Clone(failed), func(id string) bool { return slices.Contains(may[name], id) })
		if len(other) > 0 && os.Getenv(update) == "" {
			t.Errorf("%q is also found by %q; $%s adds them to %s", f.Name, other, update, planted)
		}
		either := slices.Sorted(slices.Values(append(other, may[name]...)))
		lines.WriteString(name + ": " + strings.Join(either, " ") + "\n")
	}
	if len(missing) > 0 {
		t.Errorf("no fault is planted for %q", slices.Sorted(maps.Keys(missing)))
	}
	if os.Getenv(update) != "" {
		const mode = 0o644
		if err := os.WriteFile(planted, []byte(lines.String()), mode); err != nil {
			t.Fatal(err)
		}
	}
}

// readPlanted returns the cases that may find each fault.
func readPlanted(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(planted)
	if err != nil {
		t.Fatal(err)
	}
	may := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		at := strings.LastIndex(line, ": ")
		if at < 0 {
			t.Fatalf("%s: %q", planted, line)
		}
		may[line[:at]] = strings.Fields(line[at+2:])
	}
	return may
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

// A wire has a pipe for each direction.
type wire struct {
	net.Conn
	sends net.Conn
}

func (w wire) Write(b []byte) (int, error)        { return w.sends.Write(b) }
func (w wire) CloseWrite() error                  { return w.sends.Close() }
func (w wire) SetWriteDeadline(t time.Time) error { return w.sends.SetWriteDeadline(t) }
func (w wire) Close() error                       { return errors.Join(w.sends.Close(), w.Conn.Close()) }
