package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/lobbywire/lobbywire/examples/internal/atomicfile"
	"github.com/lobbywire/lobbywire/examples/internal/regular"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

const (
	historyFile    = "history.json"
	maxHistoryFile = 48 << 20
	historyMode    = 0o600 // it has the IDs of games whose addresses only players may know
)

// restoreHistory reads the history that an earlier process has saved. A file that cannot be
// read is kept aside.
func (d *lobbyd) restoreHistory() {
	if d.data == nil {
		return
	}
	path := d.data.Path(historyFile)
	f, err := regular.Open(path, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err == nil {
		err = d.catalogue.RestoreHistory(io.LimitReader(f, maxHistoryFile), time.Now())
		f.Close() // it was only read
	}
	if err != nil {
		kept, failed := atomicfile.SetAside(path)
		d.logUnread("the history cannot be read", path, kept, errors.Join(err, failed))
	}
}

// saveHistory writes the history.
func (d *lobbyd) saveHistory() {
	if d.data == nil {
		return
	}
	f, err := atomicfile.Replace(d.data.Path(historyFile), historyMode)
	if err == nil {
		if err = d.catalogue.SaveHistory(f); err != nil {
			err = errors.Join(err, f.Discard())
		} else {
			err = f.Commit()
		}
	}
	if err != nil {
		d.log.Warn("the history is not saved", "error", err)
	}
}

// keepHistory saves the history once in each span, until done is closed.
func (d *lobbyd) keepHistory(done <-chan struct{}) {
	often := time.NewTicker(catalogue.Span)
	defer often.Stop()
	for {
		select {
		case <-often.C:
			d.saveHistory()
		case <-done:
			return
		}
	}
}
