package catalogue

import (
	"errors"
	"io"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire/internal/registry"
)

// savedHistory is the history in a file.
type savedHistory struct {
	Span   int64                `json:"span"` // in seconds
	Totals []savedPoint         `json:"totals"`
	Week   []savedPoint         `json:"week"`
	Month  []savedPoint         `json:"month"`
	Games  map[string]savedGame `json:"games"`
	Tracks savedTracks          `json:"servers"`
	Weeks  savedTracks          `json:"serverWeeks"`
	Months savedTracks          `json:"serverMonths"`
}

type savedTracks map[string]savedTrack

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

// SaveHistory writes the history of the catalogue and of its servers, as JSON of at most
// about 36 MB, with the members that RestoreHistory did not know.
func (c *Catalogue) SaveHistory(to io.Writer) error {
	all := c.savedHistory()
	b, err := registry.AppendForm(nil, "history", &all, c.unknown)
	if err != nil {
		return err
	}
	_, err = to.Write(append(b, '\n'))
	return err
}

func (c *Catalogue) savedHistory() savedHistory {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := savedHistory{Span: Day.seconds(), Tracks: c.tracks[Day].saved(), Weeks: c.tracks[Week].saved(),
		Months: c.tracks[Month].saved()}
	total := savedSeries(&c.history.all)
	all.Totals, all.Week, all.Month = total.Day, total.Week, total.Month
	all.Games = make(map[string]savedGame, len(c.history.games))
	for game, s := range c.history.games {
		all.Games[game] = savedSeries(s)
	}
	return all
}

func (h *tracks) saved() savedTracks {
	all := make(savedTracks, len(h.of))
	for id, t := range h.of {
		all[id] = savedTrack{t.address, t.last, slices.Clone(t.players)}
	}
	return all
}

// restore returns the tracks that are not too old for their scale, nor in the future.
func (saved savedTracks) restore(scale Scale, now time.Time) tracks {
	h := tracks{scale: scale, of: make(map[string]*track)}
	current := scale.spanOf(now)
	for id, t := range saved {
		isRecent := t.Last > current-int64(scale.points()) && t.Last <= current
		if isRecent && len(t.Players) > 0 && len(t.Players) <= scale.points() {
			h.of[id] = &track{t.Address, t.Last, t.Players}
		}
	}
	return h
}

func savedSeries(s *series) savedGame {
	save := func(scale Scale) (all []savedPoint) {
		for _, p := range s[scale] {
			all = append(all, savedPoint{scale.spanOf(p.Time), p.Servers, p.Players})
		}
		return all
	}
	return savedGame{save(Day), save(Week), save(Month)}
}

// restore returns the series without points that are too old for their scale or in the future. A
// file of an earlier version has only a day, which is then a part of the week and the month.
func (g savedGame) restore(now time.Time) *series {
	s := new(series)
	for scale, saved := range [scales][]savedPoint{g.Day, g.Week, g.Month} {
		scale := Scale(scale)
		of := scale
		if saved == nil {
			saved, of = g.Day, Day
		}
		for _, p := range saved {
			at := of.startOf(p.At)
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
	b, err := io.ReadAll(from)
	if err != nil {
		return err
	}
	var saved savedHistory
	unknown, err := registry.ParseForm(b, "history", &saved)
	if err != nil {
		return err
	}
	isTooLong := len(saved.Tracks) > Day.maxTracks() || len(saved.Weeks) > Week.maxTracks() ||
		len(saved.Months) > Month.maxTracks() || len(saved.Games) > maxGames
	if saved.Span != Day.seconds() || isTooLong {
		return errors.New("it has another format")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unknown = unknown
	c.history.all = *savedGame{saved.Totals, saved.Week, saved.Month}.restore(now)
	c.history.games = make(map[string]*series, len(saved.Games))
	for game, g := range saved.Games {
		c.history.games[game] = g.restore(now)
	}
	for scale, of := range [scales]savedTracks{saved.Tracks, saved.Weeks, saved.Months} {
		c.tracks[scale] = of.restore(Scale(scale), now)
	}
	return nil
}
