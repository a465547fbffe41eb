package web

import (
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

// A late call with an earlier snapshot returns the list of the later one, so that no
// two lists have the same tag.
func TestEarlierSnapshot(t *testing.T) {
	var c catalogue.Catalogue
	now := time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC)
	set := func(players int, seen time.Time) *catalogue.Snapshot {
		c.Update([]*catalogue.Entry{{ID: "w", Family: catalogue.Warzone, Players: players, Seen: seen}}, nil, now)
		return c.Snapshot()
	}
	var l listing
	first := l.get("boot", set(1, now))
	earlier := set(1, now.Add(time.Second)) // only the Seen time differs
	if got := l.get("boot", earlier); got != first {
		t.Error("the same is made twice")
	}
	later := l.get("boot", set(2, now))
	if later.tag == first.tag || later.number != 2 {
		t.Errorf("tags %s and %s, number %d", first.tag, later.tag, later.number)
	}
	if got := l.get("boot", earlier); got != later {
		t.Errorf("got %+v", got)
	}
}
