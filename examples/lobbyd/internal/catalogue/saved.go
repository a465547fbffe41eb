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
	Week   []savedPoint          `json:"week"`
	Month  []savedPoint          `json:"month"`
	Games  map[string]savedGame  `json:"games"`
	Tracks map[string]savedTrack `json:"servers"`
}

type savedGame struct {
	Day   []savedPoint `json:"day"`
	Week  []savedPoint `json:"week"`
	Month []savedPoint `json:"month"`
}

type savedPoint struct {
	At      int64 `json:"at"` // the number of the span, which is longer in a week and a month
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
	total := savedSeries(&c.history.all)
	all.Totals, all.Week, all.Month = total.Day, total.Week, total.Month
	all.Games = make(map[string]savedGame, len(c.history.games))
	for game, s := range c.history.games {
		all.Games[game] = savedSeries(s)
	}
	for id, t := range c.tracks.of {
		all.Tracks[id] = savedTrack{t.address, t.last, append([]int16(nil), t.players...)}
	}
	return all
}

func savedSeries(s *series) savedGame {
	save := func(scale Scale) (all []savedPoint) {
		for _, p := range s[scale] {
			all = append(all, savedPoint{p.Time.Unix() / seconds(scale), p.Servers, p.Players})
		}
		return all
	}
	return savedGame{save(Day), save(Week), save(Month)}
}

func seconds(scale Scale) int64 { return int64(scale.Span() / time.Second) }

// restore returns the series without points that are too old for their scale or in the future. A
// file of an earlier version has only a day, which is then a part of the week and the month.
func (g savedGame) restore(now time.Time) *series {
	s := new(series)
	for scale, saved := range [scales][]savedPoint{g.Day, g.Week, g.Month} {
		scale := Scale(scale)
		span := seconds(scale)
		if saved == nil {
			saved, span = g.Day, seconds(Day)
		}
		for _, p := range saved {
			at := time.Unix(p.At*span, 0).UTC()
			if now.Sub(at) < scale.Length() && !at.After(now) {
				s.addTo(scale, at, Point{Servers: p.Servers, Players: p.Players})
			}
		}
	}
	return s
}

// RestoreHistory reads what SaveHistory has written. Points that are too old for their
// scale, or in the future, are dropped. It must be called before Set. On error, nothing changes.
func (c *Catalogue) RestoreHistory(from io.Reader, now time.Time) error {
	var saved savedHistory
	if err := json.NewDecoder(from).Decode(&saved); err != nil {
		return err
	}
	if saved.Span != spanSeconds || len(saved.Tracks) > maxTracks || len(saved.Games) > maxGames {
		return errors.New("it has another format")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	current := spanOf(now)
	recent := func(span int64) bool { return span > current-int64(points) && span <= current }
	c.history.all = *savedGame{saved.Totals, saved.Week, saved.Month}.restore(now)
	c.history.games = make(map[string]*series, len(saved.Games))
	for game, g := range saved.Games {
		c.history.games[game] = g.restore(now)
	}
	c.tracks.of = make(map[string]*track)
	for id, t := range saved.Tracks {
		if recent(t.Last) && len(t.Players) > 0 && len(t.Players) <= points {
			c.tracks.of[id] = &track{t.Address, t.Last, t.Players}
		}
	}
	return nil
}
