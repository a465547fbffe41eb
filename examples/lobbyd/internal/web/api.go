package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

// The costs of requests.
const (
	rowsOfSlot  = 2000      // servers that a search looks at, for each slot and each unit of the rates
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
	wanted, err := filterOf(query)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	list := s.list.get(s.boot, s.Catalogue.Snapshot())
	from := list.listed
	if query.Get("quarantined") == "1" {
		from = list.all
	}
	switch {
	case wanted != (filter{}):
		s.serveSelection(w, r, from, list.tag, wanted.takes)
	case takesGzip(r):
		w.Header().Set("Content-Encoding", "gzip")
		s.answer(w, r, list.tag+zippedTag, 1, func() body { return bytes.NewReader(from.gzip()) })
	default:
		s.answer(w, r, list.tag, 1, func() body { return from })
	}
}

// A filter chooses rows. The zero filter takes all.
type filter struct {
	family  catalogue.Family
	game, q string // folded
}

// filterOf returns the filter in the parameters of a request.
func filterOf(query url.Values) (f filter, err error) {
	f = filter{catalogue.Family(query.Get("family")), fold(query.Get("game")), fold(query.Get("q"))}
	switch {
	case f.family != "" && !slices.Contains(catalogue.Families(), f.family):
		return filter{}, errors.New("no such family")
	case len(f.q) > maxQuery || len(f.game) > maxQuery:
		return filter{}, errors.New("q or game is too long")
	}
	return f, nil
}

func (f filter) takes(r *row) bool {
	return (f.family == "" || r.family == f.family) && (f.game == "" || r.game == f.game) &&
		strings.Contains(r.folded, f.q)
}

func (s *Server) serveServer(w http.ResponseWriter, r *http.Request) {
	open(w.Header())
	e, found := s.Catalogue.Snapshot().Find(r.PathValue("id"))
	if !found {
		http.Error(w, "no such server", http.StatusNotFound)
		return
	}
	b := encode(wholeServerOf(e))
	s.answer(w, r, digest(b), 1, func() body { return bytes.NewReader(b) })
}

// answer sends JSON with a tag, or 304 if the client has it. The number of slots says how much
// work it is to make the JSON.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, tag string, slots int, of func() body) {
	var content body
	if !has(r, tag) {
		if !s.Limiter.Work(w, r, slots, func() { content = of() }) {
			return
		}
		if units := content.Len() / bytesOfUnit; units > 0 && !s.Limiter.Spend(w, r, units) {
			return
		}
	}
	answerAs(w, r, jsonType, tag, content)
}

const jsonType = "application/json; charset=utf-8"

// answerAs sends content, or 304 if the client has it.
func answerAs(w http.ResponseWriter, r *http.Request, contentType, tag string, content body) {
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
	h.Set("Content-Length", strconv.Itoa(content.Len()))
	if r.Method != http.MethodHead {
		content.WriteTo(w) // fails if the client has gone
	}
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
