package web

import (
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

// A late call with an earlier snapshot returns the list of the later one, so that no
// two lists have the same tag.
func TestListingIgnoresStaleSnapshots(t *testing.T) {
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

// Only changed servers are encoded again, and hidden servers share their rows with the whole list.
func TestRowsAreShared(t *testing.T) {
	var c catalogue.Catalogue
	var l listing
	rows := func() map[string]*row {
		all := make(map[string]*row)
		list := l.get("boot", c.Snapshot())
		for _, r := range list.all.rows {
			all[r.id] = r
		}
		for _, r := range list.listed.rows {
			if r.isHidden || all[r.id] != r {
				t.Errorf("%s is listed", r.id)
			}
		}
		if len(list.listed.rows) != len(all)-1 {
			t.Errorf("%d of %d are listed", len(list.listed.rows), len(all))
		}
		return all
	}
	hidden := catalogue.Entry{ID: "b", Quarantine: "banned"}
	c.Update([]*catalogue.Entry{{ID: "a"}, &hidden, {ID: "c"}, {ID: "d"}}, nil, time.Now())
	before := rows()
	c.Update([]*catalogue.Entry{{ID: "c", Players: 3}, {ID: "e"}, {ID: "aa"}}, []string{"d"}, time.Now())
	after := rows()
	if after["a"] != before["a"] || after["b"] != before["b"] || after["c"] == before["c"] || after["d"] != nil ||
		after["aa"] == nil || after["e"] == nil {
		t.Errorf("%v after %v", after, before)
	}
}
