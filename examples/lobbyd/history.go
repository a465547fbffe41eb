package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/lobbywire/lobbywire/examples/internal/files"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

const (
	historyFile    = "history.json"
	maxHistoryFile = 48 << 20
	historyMode    = 0o600 // it contains the IDs of games whose addresses only players may know
)

// restoreHistory reads the history that an earlier process has saved. A file that cannot be
// read is kept aside.
func (l *lists) restoreHistory() {
	if l.data == nil {
		return
	}
	path := l.data.Path(historyFile)
	f, err := files.OpenRegular(path, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err == nil {
		err = l.catalogue.RestoreHistory(io.LimitReader(f, maxHistoryFile), time.Now())
		f.Close() // it was only read
	}
	if err != nil {
		kept, failed := files.SetAside(path)
		l.logUnread("the history cannot be read", path, kept, errors.Join(err, failed))
	}
}

// saveHistory writes the history.
func (l *lists) saveHistory() {
	if l.data == nil {
		return
	}
	f, err := files.Replace(l.data.Path(historyFile), historyMode)
	if err == nil {
		if err = l.catalogue.SaveHistory(f); err != nil {
			err = errors.Join(err, f.Discard())
		} else {
			err = f.Commit()
		}
	}
	if err != nil {
		l.log.Warn("the history is not saved", "error", err)
	}
}

// keepHistory saves the history once in each span, until done is closed.
func (l *lists) keepHistory(done <-chan struct{}) {
	often := time.NewTicker(catalogue.Span)
	defer often.Stop()
	for {
		select {
		case <-often.C:
			l.saveHistory()
		case <-done:
			return
		}
	}
}
