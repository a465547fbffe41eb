package web

import (
	"crypto/sha256"
	"encoding/base32"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

// What requests cost.
const (
	rowsOfSeat  = 2000      // servers that a search looks at, for each seat and each unit of the rates
	bytesOfUnit = 128 << 10 // of an answer, for each unit
)

// zippedTag ends the tag of an answer in gzip.
const zippedTag = "-gzip"

// maxQuery is the maximum size of a search term in bytes.
const maxQuery = 256

func (s *Server) serveList(w http.ResponseWriter, r *http.Request) {
	open(w.Header())
	w.Header().Set("Vary", "Accept-Encoding")
	query := r.URL.Query()
	family, game, q := catalogue.Family(query.Get("family")), fold(query.Get("game")), fold(query.Get("q"))
	switch {
	case family != "" && !slices.Contains(catalogue.Families(), family):
		http.Error(w, "no such family", http.StatusBadRequest)
		return
	case len(q) > maxQuery || len(game) > maxQuery:
		http.Error(w, "q or game is too long", http.StatusBadRequest)
		return
	}
	from := &s.listed
	if query.Get("quarantined") == "1" {
		from = &s.all
	}
	list := from.get(s.boot, s.Catalogue.Snapshot())
	switch {
	case family != "" || game != "" || q != "":
		s.serveSelection(w, r, list, func(r row) bool {
			return (family == "" || r.family == family) && (game == "" || r.game == game) &&
				strings.Contains(r.folded, q)
		})
	case takesGzip(r):
		w.Header().Set("Content-Encoding", "gzip")
		s.answer(w, r, list.tag+zippedTag, 1, func() [][]byte { return [][]byte{list.gzip()} })
	default:
		s.answer(w, r, list.tag, 1, func() [][]byte { return [][]byte{list.body} })
	}
}

func (s *Server) serveServer(w http.ResponseWriter, r *http.Request) {
	open(w.Header())
	e, found := s.Catalogue.Snapshot().Find(r.PathValue("id"))
	if !found {
		http.Error(w, "no such server", http.StatusNotFound)
		return
	}
	body := encode(wholeServerOf(e))
	s.answer(w, r, digest(body), 1, func() [][]byte { return [][]byte{body} })
}

// pointJSON is a Point in the API.
type pointJSON struct {
	Time    string `json:"time"`
	Servers int    `json:"servers"`
	Players int    `json:"players"`
}

func (s *Server) serveHistory(w http.ResponseWriter, r *http.Request) {
	open(w.Header())
	all := struct {
		Span   int         `json:"span"`
		Points []pointJSON `json:"points"`
	}{int(catalogue.Span.Seconds()), []pointJSON{}}
	for _, p := range s.Catalogue.History() {
		all.Points = append(all.Points, pointJSON{stamp(p.Time), p.Servers, p.Players})
	}
	body := encode(all)
	s.answer(w, r, digest(body), 1, func() [][]byte { return [][]byte{body} })
}

// serveTrack sends the players of a server over the last day.
func (s *Server) serveTrack(w http.ResponseWriter, r *http.Request) {
	open(w.Header())
	id := r.PathValue("id")
	track := s.Catalogue.Track(id)
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
	}{int(catalogue.Span.Seconds()), []point{}}
	for _, p := range track {
		all.Points = append(all.Points, point{stamp(p.Time), p.Players})
	}
	body := encode(all)
	s.answer(w, r, digest(body), 1, func() [][]byte { return [][]byte{body} })
}

// answer sends JSON, given in parts, with a tag, or 304 if the client has it. The number
// of seats says how much work the body is.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, tag string, seats int, body func() [][]byte) {
	var parts [][]byte
	if !has(r, tag) {
		if !s.Door.Work(w, r, seats, func() { parts = body() }) {
			return
		}
		if units := sizeOf(parts) / bytesOfUnit; units > 0 && !s.Door.Spend(w, r, units) {
			return
		}
	}
	answerAs(w, r, "application/json; charset=utf-8", tag, parts)
}

// answerAs sends parts, or 304 if the client has them.
func answerAs(w http.ResponseWriter, r *http.Request, contentType, tag string, parts [][]byte) {
	h := w.Header()
	h.Set("ETag", `"`+tag+`"`)
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-cache") // that is, revalidate with the tag
	}
	if has(r, tag) {
		h.Del("Content-Encoding")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", contentType)
	h.Set("Content-Length", strconv.Itoa(sizeOf(parts)))
	if r.Method == http.MethodHead {
		return
	}
	for _, part := range parts {
		if _, err := w.Write(part); err != nil {
			return
		}
	}
}

func sizeOf(parts [][]byte) (size int) {
	for _, part := range parts {
		size += len(part)
	}
	return size
}

// has reports whether the client has the answer with a tag. Tags contain no comma.
func has(r *http.Request, tag string) bool {
	for _, header := range r.Header.Values("If-None-Match") {
		for theirs := range strings.SplitSeq(header, ",") {
			theirs = strings.TrimPrefix(strings.TrimSpace(theirs), "W/")
			if theirs == "*" || theirs == `"`+tag+`"` {
				return true
			}
		}
	}
	return false
}

// takesGzip reports whether a client accepts gzip by name.
func takesGzip(r *http.Request) bool {
	for _, header := range r.Header.Values("Accept-Encoding") {
		for one := range strings.SplitSeq(header, ",") {
			name, weight, _ := strings.Cut(strings.TrimSpace(one), ";")
			if strings.TrimSpace(name) == "gzip" {
				q, given := strings.CutPrefix(strings.ReplaceAll(weight, " ", ""), "q=")
				return !given || strings.Trim(q, "0.") != ""
			}
		}
	}
	return false
}

// digest returns a short hash of bytes.
func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return base32.StdEncoding.EncodeToString(sum[:10])
}
