package catalogue

import (
	"math"
	"slices"
	"time"
)

// maxTracks returns the maximum number of servers with a history. Each takes up to 500 bytes.
func (s Scale) maxTracks() int { return [scales]int{20_000, 4000, 4000}[s] }

// A PlayersPoint is the size of a server during a span of time.
type PlayersPoint struct {
	Time    time.Time // when the span began
	Players int       // maximum during the span
}

// A track is the history of a server.
type track struct {
	address string  // since games may reuse an ID
	last    int64   // number of the last span, since 1970
	players []int16 // maxima of consecutive spans; notListed if there is none
}

const notListed = -1

// spanOf returns the number of the span at a time, since 1970.
func (s Scale) spanOf(t time.Time) int64 { return t.Unix() / s.seconds() }

// startOf returns when a span begins.
func (s Scale) startOf(span int64) time.Time { return time.Unix(span*s.seconds(), 0).UTC() }

func (s Scale) seconds() int64 { return int64(s.Span() / time.Second) }

// add adds the maximum of a span to a track of limited length.
func (t *track) add(span int64, players, points int) {
	n := int16(min(players, math.MaxInt16))
	gap := span - t.last
	switch {
	case len(t.players) == 0 || gap >= int64(points):
		t.players, t.last = append(t.players[:0], n), span
		return
	case gap <= 0: // of the same span, or the clock was set back
		latest := &t.players[len(t.players)-1]
		*latest = max(*latest, n)
		return
	}
	for ; gap > 1; gap-- {
		t.players = append(t.players, notListed)
	}
	t.players, t.last = append(t.players, n), span
	t.players = slices.Delete(t.players, 0, max(len(t.players)-points, 0))
}

// tracks are the histories of servers on a scale, by ID.
type tracks struct {
	scale Scale
	of    map[string]*track
	span  int64 // the current one
}

// add adds changed entries, or all of them in a new span. A server whose players are
// unknown has no track. If days, the tracks of days, is not nil, a server gets a longer
// track only in its second span of a day, so that servers that come and go take no room.
func (h *tracks) add(now time.Time, changed, all []*Entry, days *tracks) {
	span := h.scale.spanOf(now)
	if span > h.span {
		h.span, changed = span, all
		h.forget()
	}
	if h.of == nil {
		h.of = make(map[string]*track)
	}
	for _, e := range changed {
		if e.Players < 0 || e.Quarantine != "" {
			continue
		}
		t := h.of[e.ID]
		switch {
		case t != nil && t.address != e.Address:
			*t = track{address: e.Address}
		case t == nil && len(h.of) >= h.scale.maxTracks():
			continue
		case t == nil && days == nil:
			t = &track{address: e.Address}
			h.of[e.ID] = t
		case t == nil:
			if t = h.from(days.of[e.ID]); t == nil {
				continue
			}
			h.of[e.ID] = t
		}
		t.add(span, e.Players, h.scale.points())
	}
}

// from returns a track with the points of a day, or nil if these are fewer than two.
func (h *tracks) from(day *track) *track {
	if day == nil || len(day.players) < 2 {
		return nil
	}
	t := &track{address: day.address}
	for i, n := range day.players {
		if n != notListed {
			span := day.last - int64(len(day.players)-1-i)
			t.add(h.scale.spanOf(Day.startOf(span)), int(n), h.scale.points())
		}
	}
	return t
}

// forget drops tracks that are too old for their scale and, while more than half of the room is
// used, tracks of servers that have left the list.
func (h *tracks) forget() {
	oldest := h.span - int64(h.scale.points())
	if len(h.of) > h.scale.maxTracks()/2 {
		oldest = h.span - 2
	}
	for id, t := range h.of {
		if t.last <= oldest {
			delete(h.of, id)
		}
	}
}

// Track returns the players of a server, oldest first, without spans when it was not listed.
// It returns nil if there is no history of the server. A catalogue keeps the days of 20 000
// servers, and the weeks and months of 4000 that were listed in two spans of a day.
func (c *Catalogue) Track(id string, scale Scale) (all []PlayersPoint) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.tracks[scale].of[id]
	if t == nil {
		return nil
	}
	first := t.last - int64(len(t.players)) + 1
	for i, n := range t.players {
		if n != notListed {
			all = append(all, PlayersPoint{scale.startOf(first + int64(i)), int(n)})
		}
	}
	return all
}
