package catalogue

import (
	"encoding/json"
	"errors"
	"io"
	"time"
)

// savedHistory is the history in a file.
type savedHistory struct {
	Span   int64                 `json:"span"` // in seconds
	Totals []savedPoint          `json:"totals"`
	Tracks map[string]savedTrack `json:"servers"`
}

type savedPoint struct {
	At      int64 `json:"at"` // the number of the span
	Servers int   `json:"servers"`
	Players int   `json:"players"`
}

type savedTrack struct {
	Address string  `json:"address"`
	Last    int64   `json:"last"`
	Players []int16 `json:"players"`
}

const spanSeconds = int64(Span / time.Second)

// SaveHistory writes the history of the catalogue and of its servers, as JSON of at most
// about 25 MB.
func (c *Catalogue) SaveHistory(to io.Writer) error {
	return json.NewEncoder(to).Encode(c.savedHistory())
}

func (c *Catalogue) savedHistory() savedHistory {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := savedHistory{Span: spanSeconds, Tracks: make(map[string]savedTrack, len(c.tracks.of))}
	for _, p := range c.history.all {
		all.Totals = append(all.Totals, savedPoint{spanOf(p.Time), p.Servers, p.Players})
	}
	for id, t := range c.tracks.of {
		all.Tracks[id] = savedTrack{t.address, t.last, append([]int16(nil), t.players...)}
	}
	return all
}

// RestoreHistory reads what SaveHistory has written. Points that are a day old, or in the
// future, are dropped. It must be called before Set. On error, nothing changes.
func (c *Catalogue) RestoreHistory(from io.Reader, now time.Time) error {
	var saved savedHistory
	if err := json.NewDecoder(from).Decode(&saved); err != nil {
		return err
	}
	if saved.Span != spanSeconds || len(saved.Tracks) > maxTracks {
		return errors.New("it has another format")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	current := spanOf(now)
	recent := func(span int64) bool { return span > current-int64(points) && span <= current }
	last := int64(0)
	for _, p := range saved.Totals {
		if recent(p.At) && p.At > last {
			last = p.At
			c.history.all = append(c.history.all, Point{time.Unix(p.At*spanSeconds, 0).UTC(), p.Servers, p.Players})
		}
	}
	c.tracks.of = make(map[string]*track)
	for id, t := range saved.Tracks {
		if recent(t.Last) && len(t.Players) > 0 && len(t.Players) <= points {
			c.tracks.of[id] = &track{t.Address, t.Last, t.Players}
		}
	}
	return nil
}
