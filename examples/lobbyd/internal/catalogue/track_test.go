package catalogue

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func players(c *Catalogue, id string) (all []int) {
	for _, p := range c.Track(id, Day) {
		all = append(all, p.Players)
	}
	return all
}

func TestTrackHasThePlayersOfAServer(t *testing.T) {
	points := Day.points()
	var c Catalogue
	start := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	at := func(spans int, entries ...Entry) {
		var put []*Entry
		for _, e := range entries {
			put = append(put, &e)
		}
		c.Update(put, []string{"one"}, start.Add(time.Duration(spans)*Span+time.Minute))
	}
	one := func(players int) Entry {
		return Entry{ID: "one", Family: GameSpy, Address: "192.0.2.1:1", Players: players}
	}
	at(0, one(3))
	at(0, one(5))
	at(0, one(1))
	at(1, one(1)) // unchanged, in a new span
	at(2)
	at(4, one(2))
	if diff := cmp.Diff([]int{5, 1, 2}, players(&c, "one")); diff != "" {
		t.Error(diff)
	}
	if got := c.Track("one", Day)[2].Time; !got.Equal(start.Add(4 * Span)) {
		t.Errorf("the last point is of %v", got)
	}

	// After a restart, it continues; points older than a day are gone.
	var file bytes.Buffer
	if err := c.SaveHistory(&file); err != nil {
		t.Fatal(err)
	}
	saved := file.String()
	for _, tt := range []struct {
		after int // spans
		want  []int
	}{{4, []int{5, 1, 2}}, {points + 3, []int{5, 1, 2}}, {points + 4, nil}, {3, nil}} {
		var next Catalogue
		if err := next.RestoreHistory(strings.NewReader(saved), start.Add(time.Duration(tt.after)*Span)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, players(&next, "one")); diff != "" {
			t.Errorf("%d spans later: %s", tt.after, diff)
		}
		if (len(next.History("", Day)) > 0) != (tt.want != nil) && tt.after != 3 {
			t.Errorf("%d spans later: %d points", tt.after, len(next.History("", Day)))
		}
	}
	for _, bad := range []string{"", "{", `{"span":5}`, `{"span":600,"servers":[]}`} {
		if err := new(Catalogue).RestoreHistory(strings.NewReader(bad), start); err == nil {
			t.Errorf("%q is a history", bad)
		}
	}

	// Another game with the same ID has a history of its own.
	other := one(7)
	other.Address = "192.0.2.2:1"
	at(5, other)
	if diff := cmp.Diff([]int{7}, players(&c, "one")); diff != "" {
		t.Error(diff)
	}
	for i := range 2 * points {
		at(6+i, other)
	}
	if got := len(c.Track("one", Day)); got != points {
		t.Errorf("%d points, want %d", got, points)
	}
}

// A server has a week and a month too, also after a restart, with the maxima of their spans.
func TestTracksCoverAWeekAndAMonth(t *testing.T) {
	var c Catalogue
	start := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	const spans = 40 * 24 * 6 // of ten minutes
	for i := range spans {
		c.Update([]*Entry{{ID: "one", Players: i}}, nil, start.Add(time.Duration(i)*Span))
	}
	end := start.Add(spans*Span - 1)
	var file bytes.Buffer
	if err := c.SaveHistory(&file); err != nil {
		t.Fatal(err)
	}
	var next Catalogue
	if err := next.RestoreHistory(&file, end); err != nil {
		t.Fatal(err)
	}
	for scale := range scales {
		got := c.Track("one", scale)
		if len(got) != scale.points() || got[0].Time.Before(end.Add(-scale.Length()-scale.Span())) {
			t.Fatalf("%d: %d points since %v", scale, len(got), got[0].Time)
		}
		for _, p := range got {
			last := p.Time.Add(scale.Span() - Span)
			if want := int(last.Sub(start) / Span); p.Players != want {
				t.Fatalf("%d: %d players at %v, want %d", scale, p.Players, p.Time, want)
			}
		}
		if diff := cmp.Diff(got, next.Track("one", scale)); diff != "" {
			t.Errorf("%d after a restart:\n%s", scale, diff)
		}
	}
}

// Members that a later version has saved stay in the file.
func TestHistoryKeepsUnknownMembers(t *testing.T) {
	var c Catalogue
	const later = `"decade":[{"at":1,"servers":2}]`
	now := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	if err := c.RestoreHistory(strings.NewReader(`{"span":600,`+later+`}`), now); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := c.SaveHistory(&file); err != nil || !strings.Contains(file.String(), later) {
		t.Errorf("%s, %v", &file, err)
	}
	if err := new(Catalogue).RestoreHistory(&file, now); err != nil {
		t.Error(err)
	}
}

// The memory of tracks and the size of their file are bounded, however many servers come.
func TestTracksAreBounded(t *testing.T) {
	for scale := range scales {
		testBoundedTracks(t, scale)
	}
}

func testBoundedTracks(t *testing.T, scale Scale) {
	h, maxTracks := tracks{scale: scale}, scale.maxTracks()
	now := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	for round := range 3 {
		var all []*Entry
		for i := range maxTracks {
			all = append(all, &Entry{ID: fmt.Sprint(round, "-", i), Players: 1})
		}
		h.add(now.Add(time.Duration(2*round)*scale.Span()), nil, all, nil)
		if len(h.of) != maxTracks || h.of[all[0].ID] == nil {
			t.Fatalf("round %d: %d tracks", round, len(h.of))
		}
		h.add(now.Add(time.Duration(2*round)*scale.Span()), []*Entry{{ID: "one more"}}, nil, nil)
		if len(h.of) != maxTracks {
			t.Fatalf("%d tracks", len(h.of))
		}
	}
}

// Servers that are listed within one span of a day only have no week and no month. Others
// have them from their first point on.
func TestShortListingsHaveNoLongTrack(t *testing.T) {
	var c Catalogue
	start := time.Date(2026, 1, 5, 0, 50, 0, 0, time.UTC) // the last span of an hour
	c.Update([]*Entry{{ID: "short", Players: 1}, {ID: "long", Players: 9}}, nil, start)
	c.Update([]*Entry{{ID: "long", Players: 2}}, []string{"short"}, start.Add(Span))
	for scale, want := range map[Scale][]int{Day: {9, 2}, Week: {9, 2}, Month: {9}} {
		var got []int
		for _, p := range c.Track("long", scale) {
			got = append(got, p.Players)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("scale %d of the long one:\n%s", scale, diff)
		}
		if got := c.Track("short", scale); (len(got) > 0) != (scale == Day) {
			t.Errorf("scale %d of the short one: %v", scale, got)
		}
	}
}
