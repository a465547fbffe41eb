package warzonenet

import (
	"net/http"
	"strconv"
	"time"

	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// httpRows has the lines of the list of an HTTPLobby. A change encodes one line, and
// the next request joins all lines, so that the list is sent in one piece. Lists are
// immutable. The mutex of the Games guards httpRows.
type httpRows struct {
	view[httpRow]
	joined []byte // the last list
	pace   listPace
}

// An httpRow is a line of the list. Clients show only the first 200 games, and can join
// only games of their own version. So the games of hosts since 4.7 come first.
type httpRow struct {
	line  []byte
	first bool
}

func newHTTPRows(games *Games) *httpRows {
	return &httpRows{view: view[httpRow]{games: games, row: func(e *Entry) (httpRow, bool) {
		if e.Started {
			return httpRow{}, false
		}
		line := e.line()
		return httpRow{line, e.Source == SourceHTTP}, line != nil
	}}}
}

// joinShare is the inverse of the fraction of time that making a list may take.
const joinShare = 10

// A listPace limits the time that making a list takes. Joining 10 000 lines takes about a
// millisecond, and compressing them takes longer. There may be a change before each
// request. So a list may be reused after a change, for example for ten milliseconds.
type listPace struct {
	made time.Time
	took time.Duration
}

// run calls f, unless that would take more than a tenth of the time.
func (p *listPace) run(f func()) {
	if start := time.Now(); start.Sub(p.made) >= (joinShare-1)*p.took {
		f()
		p.made = time.Now()
		p.took = p.made.Sub(start)
	}
}

// listed returns the list without its header. It must not be changed.
func (v *httpRows) listed() (list []byte) {
	v.read(func(rows []httpRow) {
		if v.list == nil {
			v.pace.run(func() {
				v.joined = joinLines(rows, positiveOr(v.games.MaxListed, warzone.MaxGames))
				v.list = v.joined
			})
		}
		list = v.joined
	})
	return list
}

// joinLines returns a list of at most that many games. The lines of all rows become
// slices of it.
func joinLines(rows []httpRow, most int) []byte {
	size := 0
	for _, r := range rows {
		size += len(r.line)
	}
	all, end := make([]byte, 0, size), 0
	for _, first := range []bool{true, false} {
		for i := range rows {
			r := &rows[i]
			if r.first != first {
				continue
			}
			start := len(all)
			all = append(all, r.line...)
			r.line = all[start:len(all):len(all)]
			if most--; most >= 0 {
				end = len(all)
			}
		}
	}
	return all[:end:end]
}

// line returns the line of the game in the list, or nothing if the game cannot
// be listed.
func (e *Entry) line() []byte {
	g := wzhttp.Game{ID: gameIDOf(e.ID), Room: e.room()}
	for _, a := range e.addresses() {
		g.Connections = append(g.Connections, kindOf(a))
	}
	b, _ := wzhttp.AppendLine(nil, g)
	return b
}

// serveList sends the list.
func (l *HTTPLobby) serveList(w http.ResponseWriter, r *http.Request) {
	header, list := l.motd.Load().line, l.rows.listed()
	h := w.Header()
	h.Set("Content-Type", wzhttp.AcceptList)
	h.Set("Cache-Control", "no-cache")
	h.Set("Vary", "Accept-Encoding")
	if len(list) >= minCompressed && acceptsGzip(r.Header) {
		h.Set("Content-Encoding", "gzip")
		header, list = nil, l.compressed.of(header, list)
	}
	h.Set("Content-Length", strconv.Itoa(len(header)+len(list)))
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return
	}
	if _, err := w.Write(header); err != nil {
		return
	}
	if _, err := w.Write(list); err == nil {
		l.count(&l.stats.Lists)
	}
}
