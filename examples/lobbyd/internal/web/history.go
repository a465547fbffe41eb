package web

import (
	"bytes"
	"cmp"
	"net/http"
	"slices"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

// scaleNames are the names of scales in addresses.
var scaleNames = [...]string{catalogue.Day: "day", catalogue.Week: "week", catalogue.Month: "month"}

// scaleOf returns the scale that a request names, a day if it names none.
func scaleOf(r *http.Request) (s catalogue.Scale, ok bool) {
	i := slices.Index(scaleNames[:], cmp.Or(r.URL.Query().Get("range"), scaleNames[catalogue.Day]))
	return catalogue.Scale(max(i, 0)), i >= 0
}

const badRange = "range must be day, week or month"

// pointJSON is a Point in the API.
type pointJSON struct {
	Time    string `json:"time"`
	Servers int    `json:"servers"`
	Players int    `json:"players"`
}

// serveHistory sends the history of all servers, or of the servers of a game.
func (s *Server) serveHistory(w http.ResponseWriter, r *http.Request) {
	open(w.Header())
	scale, ok := scaleOf(r)
	if !ok {
		http.Error(w, badRange, http.StatusBadRequest)
		return
	}
	all := struct {
		Span   int         `json:"span"`
		Points []pointJSON `json:"points"`
	}{int(scale.Span().Seconds()), []pointJSON{}}
	for _, p := range s.Catalogue.History(r.URL.Query().Get("game"), scale) {
		all.Points = append(all.Points, pointJSON{stamp(p.Time), p.Servers, p.Players})
	}
	b := encode(all)
	s.answer(w, r, digest(b), 1, func() body { return bytes.NewReader(b) })
}

// serveTrack sends the players of a server.
func (s *Server) serveTrack(w http.ResponseWriter, r *http.Request) {
	open(w.Header())
	scale, ok := scaleOf(r)
	if !ok {
		http.Error(w, badRange, http.StatusBadRequest)
		return
	}
	id := r.PathValue("id")
	track := s.Catalogue.Track(id, scale)
	if _, listed := s.Catalogue.Snapshot().Find(id); !listed && track == nil {
		http.Error(w, "no such server", http.StatusNotFound)
		return
	}
	type point struct {
		Time    string `json:"time"`
		Players int    `json:"players"`
	}
	all := struct {
		Span   int     `json:"span"`
		Points []point `json:"points"`
	}{int(scale.Span().Seconds()), []point{}}
	for _, p := range track {
		all.Points = append(all.Points, point{stamp(p.Time), p.Players})
	}
	b := encode(all)
	s.answer(w, r, digest(b), 1, func() body { return bytes.NewReader(b) })
}
