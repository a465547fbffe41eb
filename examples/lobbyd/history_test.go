package main

import (
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/data"
)

// The history survives a restart, and a damaged file is kept aside.
func TestHistoryIsKept(t *testing.T) {
	dir, err := data.Open(t.Context(), t.TempDir(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	begin := func() *lists {
		l := &lists{life: &life{log: slog.New(slog.DiscardHandler)}, data: dir}
		l.restoreHistory()
		return l
	}
	first := begin()
	entry := catalogue.Entry{ID: "one", Family: catalogue.GameSpy, Address: "192.0.2.1:1", Players: 3}
	first.catalogue.Update([]*catalogue.Entry{&entry}, nil, time.Now())
	first.saveHistory()

	next := begin()
	if got := next.catalogue.Track("one", catalogue.Day); len(got) != 1 || got[0].Players != 3 {
		t.Errorf("the history of the server is %v", got)
	}
	if got := next.catalogue.History("", catalogue.Day); len(got) != 1 || got[0].Players != 3 {
		t.Errorf("the history is %v", got)
	}

	path := dir.Path(historyFile)
	if err := os.Truncate(path, 20); err != nil {
		t.Fatal(err)
	}
	if got := begin().catalogue.History("", catalogue.Day); len(got) > 0 {
		t.Errorf("a damaged file gives %v", got)
	}
	if _, err := os.Stat(path + ".bad"); err != nil {
		t.Error(err)
	}
}
