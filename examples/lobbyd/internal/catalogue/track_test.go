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
	for _, p := range c.Track(id) {
		all = append(all, p.Players)
	}
	return all
}

func TestTrack(t *testing.T) {
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
	if got := c.Track("one")[2].Time; !got.Equal(start.Add(4 * Span)) {
		t.Errorf("the last point is of %v", got)
	}

	// After a restart, it continues; what is older than a day is gone.
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
	if got := len(c.Track("one")); got != points {
		t.Errorf("%d points, want %d", got, points)
	}
}

// The memory of tracks and the size of their file are bounded, however many servers come.
func TestTracksAreBounded(t *testing.T) {
	var h tracks
	now := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	for round := range 3 {
		var all []*Entry
		for i := range maxTracks {
			all = append(all, &Entry{ID: fmt.Sprint(round, "-", i), Players: 1})
		}
		h.add(now.Add(time.Duration(2*round)*Span), nil, all)
		if len(h.of) != maxTracks || h.of[all[0].ID] == nil {
			t.Fatalf("round %d: %d tracks", round, len(h.of))
		}
		h.add(now.Add(time.Duration(2*round)*Span), []*Entry{{ID: "one more"}}, nil)
		if len(h.of) != maxTracks {
			t.Fatalf("%d tracks", len(h.of))
		}
	}
}
