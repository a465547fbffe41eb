package health

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// Games that come and go for hours, each with unique names and many with the name of another,
// leave only a bounded history.
func TestGamesLeaveOnlyHistoryOverHours(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := watcher()
		w.Warzone = &warzonegames.Games{Admit: w.Judge.AdmitWarzone}
		w.Judge.SetRules(Rules{SameName: 4})
		var open []uint32
		most := 0
		for i := range 4 * 60 {
			for j := range 10 {
				name := fmt.Sprintf("Game %d of minute %d", j, i)
				if j%2 == 0 {
					name = fmt.Sprint("Crowd of minute ", i)
				}
				open = append(open, game(t, w.Warzone, uint16(1024+i*10%60_000+j), name, 1).ID)
			}
			w.look(t.Context(), time.Now())
			w.look(t.Context(), time.Now())
			most = max(most, len(w.last.crowds))
			for _, id := range open {
				w.Warzone.Remove(id)
			}
			open = nil
			time.Sleep(time.Minute)
		}
		w.look(t.Context(), time.Now())
		if most > 20 || len(w.last.crowds) > 0 || len(w.Catalogue.Snapshot().Entries) > 0 {
			t.Errorf("%d names at one time, and %d in the end with %d entries", most, len(w.last.crowds),
				len(w.Catalogue.Snapshot().Entries))
		}
	})
}
