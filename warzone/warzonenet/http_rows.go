package warzonenet

import (
	"net/http"
	"net/netip"
	"strconv"
	"time"

	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// httpRows has the lines of the list of an HTTPLobby. A change encodes one line, and
// the next request joins all lines, so that the list is sent in one piece. Lists are
// immutable. The mutex of the Games guards httpRows.
//
// Clients show only the first 200 games, and can join only games of their own version.
// So the games of hosts since 4.7 are the first section, and all others are the second.
type httpRows struct {
	games *Games

	watching bool // of changes
	sections [2]view[[]byte]
	list     []byte // as last joined
	pace     listPace
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
func (v *httpRows) listed() []byte {
	v.games.lock()
	defer v.games.mu.Unlock()
	v.watchLocked()
	if v.sections[0].list == nil || v.sections[1].list == nil {
		v.pace.run(v.join)
	}
	return v.list
}

// watchLocked starts to receive changes, before the first list.
func (v *httpRows) watchLocked() {
	if v.watching {
		return
	}
	v.watching = true
	for i := range v.sections {
		v.sections[i] = view[[]byte]{
			places: make(map[netip.AddrPort]int),
			row: func(e *Entry) (line []byte, ok bool) {
				if !e.Started && (e.Source == SourceHTTP) == (i == 0) {
					line = e.line()
				}
				return line, line != nil
			},
		}
	}
	v.games.watchLocked(v)
}

// close undoes watchLocked.
func (v *httpRows) close() {
	v.games.lock()
	defer v.games.mu.Unlock()
	v.games.unwatchLocked(v)
	*v = httpRows{games: v.games}
}

// join makes the list, of at most MaxListed games. Lines become slices of it.
func (v *httpRows) join() {
	size := 0
	for i := range v.sections {
		for _, line := range v.sections[i].rows {
			size += len(line)
		}
	}
	all, end := make([]byte, 0, size), 0
	most := positiveOr(v.games.MaxListed, warzone.MaxGames)
	for i := range v.sections {
		s := &v.sections[i]
		for n, line := range s.rows {
			start := len(all)
			all = append(all, line...)
			s.rows[n] = all[start:len(all):len(all)]
			if most--; most >= 0 {
				end = len(all)
			}
		}
		s.list = all
	}
	v.list = all[:end:end]
}

func (v *httpRows) put(e *Entry) {
	for i := range v.sections {
		v.sections[i].put(e)
	}
}

func (v *httpRows) remove(key netip.AddrPort) {
	for i := range v.sections {
		v.sections[i].remove(key)
	}
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
