package catalogue

import (
	"slices"
	"strings"
	"time"
)

// A Point is the size of a catalogue, or of a game, during a span of time.
type Point struct {
	Time    time.Time // when the span began
	Servers int       // maximum during the span
	Players int       // maximum during the span, of servers whose number is known
}

// Span is the length of the spans of a Day.
const Span = 10 * time.Minute

// A Scale is the length and the resolution of a history.
type Scale int

// The scales.
const (
	Day   Scale = iota // spans of ten minutes
	Week               // spans of an hour
	Month              // spans of four hours; 30 days
	scales
)

// Span returns the length of a span.
func (s Scale) Span() time.Duration {
	return [scales]time.Duration{Span, time.Hour, 4 * time.Hour}[s]
}

// Length returns how far the scale goes back.
func (s Scale) Length() time.Duration {
	const day = 24 * time.Hour
	return [scales]time.Duration{day, 7 * day, 30 * day}[s]
}

func (s Scale) points() int { return int(s.Length() / s.Span()) }

// A series is a history on all scales.
type series [scales][]Point

func (s *series) add(now time.Time, size Point) {
	for scale := range scales {
		s.addTo(scale, now, size)
	}
}

func (s *series) addTo(scale Scale, now time.Time, size Point) {
	size.Time = now.Truncate(scale.Span())
	all := s[scale]
	if n := len(all); n > 0 && !all[n-1].Time.Before(size.Time) {
		last := &all[n-1]
		last.Servers, last.Players = max(last.Servers, size.Servers), max(last.Players, size.Players)
		return
	}
	all = append(all, size)
	s[scale] = slices.Delete(all, 0, max(len(all)-scale.points(), 0))
}

// Limits on the games with a history. Each takes 20 KB.
const (
	maxGames    = 64
	maxGameName = 64 // bytes of the name
)

// A history holds the current sizes of the catalogue and of its games, and their series. The
// keys of games are their names in lower case.
type history struct {
	now   Point // without Time
	sizes map[string]Point
	all   series
	games map[string]*series
}

// count counts a change of an entry, which is nil if it does not exist before or after that.
func (h *history) count(before, after *Entry) {
	h.countOne(before, -1)
	h.countOne(after, 1)
}

func (h *history) countOne(e *Entry, sign int) {
	if e == nil || e.Quarantine != "" {
		return
	}
	players := sign * max(e.Players, 0)
	h.now.Servers += sign
	h.now.Players += players
	game := strings.ToLower(e.Game)
	size := h.sizes[game]
	size.Servers += sign
	size.Players += players
	if size.Servers == 0 {
		delete(h.sizes, game)
		return
	}
	if h.sizes == nil {
		h.sizes = make(map[string]Point)
	}
	h.sizes[game] = size
}

// add adds the current sizes.
func (h *history) add(now time.Time, changed []*Entry) {
	h.all.add(now, h.now)
	for _, e := range changed {
		h.admit(strings.ToLower(e.Game))
	}
	for game, s := range h.games {
		s.add(now, h.sizes[game])
	}
}

// admit gives a listed game a series. If there is no room, it replaces the game without servers
// that had the fewest players in the last month.
func (h *history) admit(game string) {
	switch {
	case h.games[game] != nil, h.sizes[game].Servers == 0, game == "", len(game) > maxGameName:
		return
	case h.games == nil:
		h.games = make(map[string]*series)
	case len(h.games) >= maxGames:
		least, of := 0, ""
		for other, s := range h.games {
			if n := s.players(); h.sizes[other].Servers == 0 && (of == "" || n < least) {
				least, of = n, other
			}
		}
		if of == "" {
			return
		}
		delete(h.games, of)
	}
	h.games[game] = new(series)
}

// players returns the sum of the players over a month.
func (s *series) players() (sum int) {
	for _, p := range s[Month] {
		sum += p.Players
	}
	return sum
}

// History returns the points of a scale, oldest first, of all servers or, unless game is "", of one
// game; case is ignored. It has no points for times without a process. The last point is the
// current span and may still grow. A catalogue keeps the histories of 64 games.
func (c *Catalogue) History(game string, scale Scale) []Point {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := &c.history.all
	if game != "" {
		s = c.history.games[strings.ToLower(game)]
	}
	if s == nil {
		return nil
	}
	return slices.Clone(s[scale])
}
