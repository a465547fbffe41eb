package warzonenet

import (
	"net/http"
	"net/netip"
	"strconv"
	"time"

	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// Sections of the list of an HTTPLobby. Clients show only the first 200 games, and
// can join only games of their own version.
const (
	rowsHTTP  = iota // games of hosts since 4.7
	rowsOther        // all others
	rowsSections
)

// httpRows has the lines of the list of an HTTPLobby. A change encodes one line, and
// the next request joins all lines, so that the list is sent in one piece. Lists are
// immutable. The mutex of the Games guards httpRows.
//
// Joining 10 000 lines takes about a millisecond, and there may be a change before
// each request. So a list may be reused after a change, so that joining takes at most
// a tenth of the time: with 10 000 games, for ten milliseconds.
type httpRows struct {
	games *Games

	watching bool // of changes
	sections [rowsSections]rowSection
	places   map[netip.AddrPort]rowPlace
	list     []byte // as last joined
	changed  bool   // since then
	joined   time.Time
	took     time.Duration // to join it
}

// joinShare is the inverse of the fraction of time that joining may take.
const joinShare = 10

// A rowSection has lines in the order in which their games were listed, except that the
// last line takes the place of a removed one. Lines are slices of the last list, except
// those that have changed since.
type rowSection struct {
	lines [][]byte
	keys  []netip.AddrPort
}

// A rowPlace is the position of a game's line.
type rowPlace struct{ section, line int }

// listed returns the list without its header. It must not be changed.
func (v *httpRows) listed() []byte {
	v.games.lock()
	defer v.games.mu.Unlock()
	v.watchLocked()
	if start := time.Now(); v.changed && start.Sub(v.joined) >= (joinShare-1)*v.took {
		v.list = v.join(positiveOr(v.games.MaxListed, warzone.MaxGames))
		v.joined = time.Now()
		v.took, v.changed = v.joined.Sub(start), false
	}
	return v.list
}

// watchLocked starts to receive changes, before the first list.
func (v *httpRows) watchLocked() {
	if v.watching {
		return
	}
	v.watching, v.changed = true, true
	v.places = make(map[netip.AddrPort]rowPlace)
	v.games.watchLocked(v)
}

// close undoes watchLocked.
func (v *httpRows) close() {
	v.games.lock()
	defer v.games.mu.Unlock()
	v.games.unwatchLocked(v)
	*v = httpRows{games: v.games}
}

// join returns the first lines, at most most of them, as one slice. Lines
// become slices of the result.
func (v *httpRows) join(most int) []byte {
	size := 0
	for i := range v.sections {
		for _, line := range v.sections[i].lines {
			size += len(line)
		}
	}
	all, listed, end := make([]byte, 0, size), 0, 0
	for i := range v.sections {
		lines := v.sections[i].lines
		for n, line := range lines {
			start := len(all)
			all = append(all, line...)
			lines[n] = all[start:len(all):len(all)]
			if listed < most {
				listed, end = listed+1, len(all)
			}
		}
	}
	return all[:end:end]
}

func (v *httpRows) put(e *Entry) {
	line := e.line()
	if e.Withheld || e.Started || line == nil {
		v.remove(e.Key)
		return
	}
	section := rowsOther
	if e.Source == SourceHTTP {
		section = rowsHTTP
	}
	at, found := v.places[e.Key]
	if found && at.section != section {
		v.remove(e.Key)
		found = false
	}
	v.changed = true
	s := &v.sections[section]
	if found {
		s.lines[at.line] = line
		return
	}
	v.places[e.Key] = rowPlace{section, len(s.keys)}
	s.add(e.Key, line)
}

func (v *httpRows) remove(key netip.AddrPort) {
	at, found := v.places[key]
	if !found {
		return
	}
	v.changed = true
	delete(v.places, key)
	s := &v.sections[at.section]
	if moved := s.remove(at.line); moved != key {
		v.places[moved] = at
	}
}

func (s *rowSection) add(key netip.AddrPort, line []byte) {
	s.lines, s.keys = append(s.lines, line), append(s.keys, key)
}

// remove removes a line and returns the key of the line that was last, which takes
// its place.
func (s *rowSection) remove(n int) (moved netip.AddrPort) {
	last := len(s.keys) - 1
	moved = s.keys[last]
	s.lines[n], s.keys[n] = s.lines[last], moved
	s.lines[last] = nil
	s.lines, s.keys = s.lines[:last], s.keys[:last]
	return moved
}

// line returns the line of the game in the list, or nothing if the game cannot
// be listed.
func (e *Entry) line() []byte {
	g := wzhttp.Game{ID: gameIDOf(e.ID), Room: e.room(), Connections: []wzhttp.ConnectionType{}}
	for _, c := range e.connections() {
		g.Connections = append(g.Connections, c.Kind)
	}
	b, err := wzhttp.AppendLine(nil, g)
	if err != nil {
		return nil
	}
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
