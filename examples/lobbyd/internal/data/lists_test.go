package data

import (
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// A change is in the file soon after it is made, without Close.
func TestChangesAreWrittenSoon(t *testing.T) {
	path := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		l := open(t, path).Lists(slog.New(slog.DiscardHandler))
		defer l.Close()
		now := time.Now()
		for id := range uint32(3) {
			l.Warzone.Put(warzonegames.Entry{Key: from, ID: id + 1, Opened: now, Expires: now.Add(time.Minute)})
			time.Sleep(gather)
			synctest.Wait()
			after := warzones(&Dir{path: path})
			if err := after.restore(time.Now()); err != nil || len(after.kept) != int(id)+1 {
				t.Errorf("after a crash there are %d games of %d, %v", len(after.kept), id+1, err)
			}
			after.close()
		}
	})
}
