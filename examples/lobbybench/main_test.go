package main

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/bench"
)

// The test binary is its own child, as the program is.
func TestMain(m *testing.M) {
	children.RunChild()
	os.Exit(m.Run())
}

func TestMeasureReportsAllFigures(t *testing.T) {
	if _, err := bench.Used(); err != nil {
		t.Skip("this system does not report processor times")
	}
	if _, err := bench.Resident(os.Getpid()); err != nil {
		t.Skip("this system does not report the memory of a process")
	}
	const hosts = 300 // from three addresses
	var out, errs bytes.Buffer
	if code := run(t.Context(), []string{"-hosts", "300", "-clients", "4", "-rounds", "1", "-for", "300ms", "-json"},
		&out, &errs); code != exitOK {
		t.Fatalf("exit code %d\n%s", code, errs.String())
	}
	var r report
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	if r.Listed != hosts || r.Kept != hosts || r.Ours.Failed != 0 || r.Floor.Failed != 0 {
		t.Errorf("something was lost: %+v", r)
	}
	if r.Ratio.Median <= 0 || r.Ours.Rate.Median <= 0 || r.Memory.Held <= r.Memory.Before {
		t.Errorf("nothing measured: %+v", r)
	}
	var table bytes.Buffer
	if err := r.print(&table); err != nil || !bytes.Contains(table.Bytes(), []byte("300 games are listed")) {
		t.Errorf("%v\n%s", err, table.String())
	}
}

func TestRefusesWrongUsage(t *testing.T) {
	for _, args := range [][]string{{"-hosts", "0"}, {"-rounds", "0"}, {"-no"}, {"more"}} {
		if code := run(t.Context(), args, &bytes.Buffer{}, &bytes.Buffer{}); code != exitUsage {
			t.Errorf("%v: exit code %d", args, code)
		}
	}
	if code := run(t.Context(), []string{"-help"}, &bytes.Buffer{}, &bytes.Buffer{}); code != exitOK {
		t.Errorf("help: exit code %d", code)
	}
}
