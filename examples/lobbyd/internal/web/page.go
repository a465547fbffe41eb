package web

import (
	"bytes"
	"cmp"
	"embed"
	"html/template"
	"net/http"
	"strconv"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

//go:embed pages/*.html
var pages embed.FS

// parsePages returns the parsed templates of the pages.
func parsePages() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"family": familyName,
		"time":   clock,
		"ago":    ago,
	}).ParseFS(pages, "pages/*.html"))
}

// view is the data of the pages.
type view struct {
	Title   string
	State   stateJSON
	Version string // of the displayed snapshot, for the events that follow
	Server  server
	Ways    []registration

	Front          front
	IsFiltered     bool
	Ranges         []choice
	Games, Players chart
	Ago            string // where the charts begin
}

func (s *Server) view() view {
	return view{Title: cmp.Or(s.Title, "lobbyd"), State: s.stateJSON(),
		Version: versionName(s.boot, s.Catalogue.Snapshot().Version)}
}

func (s *Server) servePage(w http.ResponseWriter, r *http.Request) {
	v := s.view() // first, so that events start before the displayed snapshot
	var ok bool
	v.Front, ok = s.frontFor(w, r)
	if !ok {
		return
	}
	v.Ways = s.waysFor(r)
	query := r.URL.Query()
	v.IsFiltered = isFiltered(query)
	scale, _ := scaleOf(r)
	points := s.Catalogue.History(query.Get("game"), scale)
	v.Games = drawn("Games", scale, points, serversOf)
	v.Players = drawn("Players", scale, points, playersOf)
	v.Ago = agoOf(scale)
	v.Ranges = choicesOf(query, scale)
	s.render(w, r, http.StatusOK, "list.html", v)
}

func (s *Server) serveServerPage(w http.ResponseWriter, r *http.Request) {
	v := s.view() // first, so that events start before the displayed snapshot
	e, found := s.Catalogue.Snapshot().Find(r.PathValue("id"))
	if !found {
		s.render(w, r, http.StatusNotFound, "gone.html", v)
		return
	}
	v.Server = wholeServerOf(e)
	scale, _ := scaleOf(r)
	var points []catalogue.Point
	for _, p := range s.Catalogue.Track(e.ID, scale) {
		points = append(points, catalogue.Point{Time: p.Time, Players: p.Players})
	}
	v.Players = drawn("Players", scale, points, playersOf)
	v.Ago = agoOf(scale)
	v.Ranges = choicesOf(nil, scale)
	s.render(w, r, http.StatusOK, "server.html", v)
}

func (s *Server) render(w http.ResponseWriter, r *http.Request, status int, name string, v view) {
	var b bytes.Buffer
	if err := s.page.ExecuteTemplate(&b, name, v); err != nil {
		http.Error(w, "the page cannot be rendered", http.StatusInternalServerError)
		return
	}
	h, content := w.Header(), b.Bytes()
	var zipped []byte
	if takesGzip(r) {
		if !s.Limiter.Work(w, r, 1, func() { zipped = s.zips.compress(bytes.NewReader(content)) }) {
			return
		}
		defer s.zips.release(zipped)
	}
	if zipped != nil {
		content = zipped
	}
	if units := len(content) / bytesOfUnit; units > 0 && !s.Limiter.Spend(w, r, units) {
		return
	}
	if zipped != nil {
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Vary", "Accept-Encoding")
	h.Set("Content-Length", strconv.Itoa(len(content)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		w.Write(content)
	}
}

func familyName(f catalogue.Family) string {
	switch f {
	case catalogue.GameAgent:
		return "GameAgent"
	case catalogue.GameSpy:
		return "GameSpy"
	case catalogue.Warzone:
		return "Warzone"
	case catalogue.Bomberman:
		return "Bomberman"
	}
	return string(f)
}

// clock returns a time in readable form.
func clock(stamp string) string {
	t, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		return stamp
	}
	return t.Format("2 Jan 2006, 15:04:05 UTC")
}
