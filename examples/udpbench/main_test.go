package main

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lobbywire/lobbywire/examples/internal/bench"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// The test binary is its own child, as the program is.
func TestMain(m *testing.M) {
	children.RunChild()
	os.Exit(m.Run())
}

// udpbench runs the program and returns its output, and its rows if the output is JSON.
func udpbench[Row any](t *testing.T, args ...string) (stdout string, rows []Row) {
	t.Helper()
	if _, err := bench.Used(); err != nil {
		t.Skip("this system does not report processor times")
	}
	var out, errs bytes.Buffer
	code := run(t.Context(), args, &out, &errs)
	for code != exitOK && strings.Contains(errs.String(), errNoAnswers.Error()) { // the machine is busy
		out.Reset()
		errs.Reset()
		code = run(t.Context(), args, &out, &errs)
	}
	if code != exitOK {
		t.Fatalf("exit code %d\n%s", code, errs.String())
	}
	stdout = out.String()
	for d := json.NewDecoder(&out); strings.HasPrefix(stdout, "{") && d.More(); {
		var row Row
		if err := d.Decode(&row); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	return stdout, rows
}

func TestRespondMeasuresEachGame(t *testing.T) {
	_, rows := udpbench[respondRow](t, "respond", "-games", "sqp-255,gamespy2-parts,gameagent", "-rounds", "1", "-for",
		suite.Pick("50ms", "300ms"), "-clients", "2", "-window", "4", "-json")
	checkResponded(t, rows, "sqp-255 echo", "sqp-255 raw", "gamespy2-parts echo", "gamespy2-parts segmented",
		"gameagent echo", "gameagent raw")
}

// checkResponded checks that there is a measurement for each of want, a game and its
// yardstick.
func checkResponded(t *testing.T, rows []respondRow, want ...string) {
	t.Helper()
	var got []string
	for _, r := range rows {
		got = append(got, r.Game+" "+string(r.Beside))
		if r.Ours.CPU.Median <= 0 || r.Theirs.CPU.Median <= 0 || r.Ratio.Median <= 0 {
			t.Errorf("nothing measured: %+v", r)
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestMasterMeasuresEachRequest(t *testing.T) {
	_, rows := udpbench[respondRow](t, "master", "-rounds", "1", "-for", suite.Pick("50ms", "300ms"),
		"-servers", "3000", "-clients", "2", "-json")
	checkResponded(t, rows, "heartbeat echo", "heartbeat raw", "list-1 echo", "list-1 raw", "list-16 echo",
		"list-16 segmented")
}

func TestScanMeasuresEachGame(t *testing.T) {
	_, rows := udpbench[scanRow](t, "scan", "-rounds", "1", "-servers", "20", "-silent", "0", "-peers", "0",
		"-json")
	if len(rows) != 3 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, r := range rows {
		if r.Servers != 20 || r.Ours.CPU.Median <= 0 || r.Floor.CPU.Median <= 0 {
			t.Errorf("nothing measured: %+v", r)
		}
		if r.Ours.Lost == 20 || r.Floor.Lost == 20 {
			t.Errorf("nobody answered: %+v", r)
		}
	}
}

func TestTableHasARowForEachGame(t *testing.T) {
	args := []string{"respond", "-games", "sqp-0", "-rounds", "1", "-for", suite.Pick("50ms", "300ms"), "-clients", "1",
		"-window", "2"}
	if suite.IsLong() {
		args = append(args, "-pin") // by taskset
	}
	out, _ := udpbench[respondRow](t, args...)
	if strings.Count(out, "\n") != 3 || !strings.Contains(out, "\nsqp-0 ") {
		t.Errorf("respond: got\n%s", out)
	}
	out, _ = udpbench[scanRow](t, "scan", "-games", "gamespy2", "-rounds", "1", "-servers", "10", "-silent", "10")
	if strings.Count(out, "\n") != 2 || !strings.Contains(out, "\ngamespy2 ") {
		t.Errorf("scan: got\n%s", out)
	}
}

func TestRefusesWrongUsage(t *testing.T) {
	for _, tt := range []struct {
		args string
		code int
	}{
		{"", exitUsage},
		{"ask", exitUsage},
		{"respond -bogus", exitUsage},
		{"respond more", exitUsage},
		{"respond -rounds 0", exitUsage},
		{"respond -games chess", exitFailed},
		{"master -servers 0", exitUsage},
		{"master -for 10s", exitUsage},
		{"scan -servers 0", exitUsage},
		{"scan -games chess", exitFailed},
		{"scan -help", exitOK},
	} {
		var out, errs bytes.Buffer
		if code := run(t.Context(), strings.Fields(tt.args), &out, &errs); code != tt.code {
			t.Errorf("%q: exit code %d, want %d\n%s", tt.args, code, tt.code, errs.String())
		}
	}
}
