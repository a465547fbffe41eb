package catalogue

import (
	"slices"
	"time"
)

// A Point is the size of a catalogue during a span of time.
type Point struct {
	Time    time.Time // when the span began
	Servers int       // maximum during the span
	Players int       // maximum during the span, of servers whose number is known
}

// The history covers the last day, with one point per ten minutes.
const (
	Span   = 10 * time.Minute
	points = int(24 * time.Hour / Span)
)

type history struct{ all []Point }

// add counts the listed entries.
func (h *history) add(now time.Time, entries []*Entry) {
	p := Point{Time: now.Truncate(Span)}
	for _, e := range entries {
		if e.Quarantine == "" {
			p.Servers++
			p.Players += max(e.Players, 0)
		}
	}
	if n := len(h.all); n > 0 && !h.all[n-1].Time.Before(p.Time) {
		last := &h.all[n-1]
		last.Servers, last.Players = max(last.Servers, p.Servers), max(last.Players, p.Players)
		return
	}
	h.all = append(h.all, p)
	if len(h.all) > points {
		h.all = slices.Delete(h.all, 0, len(h.all)-points)
	}
}

// History returns the points of the last day, oldest first. It lacks the time before
// the process started. The last point is of now and may still grow.
func (c *Catalogue) History() []Point {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.history.all)
}
