package warzonenet

import (
	"net/http"
	"net/netip"
	"strconv"

	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// Sections of the list of an HTTPLobby. Clients show no more than 200 games, and can
// join those of their own version only.
const (
	rowsHTTP  = iota // games of hosts since 4.7
	rowsOther        // all others
	rowsSections
)

// httpPageRows is the number of lines in a page. A change encodes one line, and the
// next list joins one page.
const httpPageRows = 256

// httpRows are the lines of the list of an HTTPLobby, in pages. Pages that were given
// out do not change any more. The mutex of the Games guards it.
type httpRows struct {
	games *Games

	watching bool // of changes
	sections [rowsSections]rowSection
	places   map[netip.AddrPort]rowPlace
	list     *httpList // as last requested; nil after a change
}

// A rowSection is lines in the order in which their games were listed. The last line
// takes the place of a removed one.
type rowSection struct {
	pages []rowPage
	keys  []netip.AddrPort
}

// A rowPage is up to httpPageRows lines. The lines are parts of joined, except those
// that have changed since.
type rowPage struct {
	lines  [][]byte
	joined []byte // nil after a change
}

// A rowPlace is where the line of a game is.
type rowPlace struct{ section, line int }

// An httpList is a list without its header. It does not change.
type httpList struct {
	pages [][]byte
	size  int
}

// listed returns the list.
func (v *httpRows) listed() *httpList {
	v.games.lock()
	defer v.games.mu.Unlock()
	v.watchLocked()
	if v.list == nil {
		v.list = v.newList()
	}
	return v.list
}

// watchLocked starts to receive changes, before the first list.
func (v *httpRows) watchLocked() {
	if v.watching {
		return
	}
	v.watching = true
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

func (v *httpRows) newList() *httpList {
	l := new(httpList)
	left := positiveOr(v.games.MaxListed, warzone.MaxGames)
	for i := range v.sections {
		for p := range v.sections[i].pages {
			b := v.sections[i].pages[p].first(left)
			left -= min(left, len(v.sections[i].pages[p].lines))
			if len(b) > 0 {
				l.pages = append(l.pages, b)
				l.size += len(b)
			}
		}
	}
	return l
}

// first returns the first lines of a page, up to n.
func (p *rowPage) first(n int) []byte {
	if p.joined == nil {
		size := 0
		for _, line := range p.lines {
			size += len(line)
		}
		p.joined = make([]byte, 0, size)
		for i, line := range p.lines {
			p.joined = append(p.joined, line...)
			p.lines[i] = p.joined[len(p.joined)-len(line) : len(p.joined) : len(p.joined)]
		}
	}
	size := 0
	for _, line := range p.lines[:min(n, len(p.lines))] {
		size += len(line)
	}
	return p.joined[:size:size]
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
	v.list = nil
	s := &v.sections[section]
	if found {
		s.set(at.line, line)
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
	v.list = nil
	delete(v.places, key)
	s := &v.sections[at.section]
	if moved := s.remove(at.line); moved != key {
		v.places[moved] = at
	}
}

func (s *rowSection) set(n int, line []byte) {
	p := &s.pages[n/httpPageRows]
	p.lines[n%httpPageRows], p.joined = line, nil
}

func (s *rowSection) add(key netip.AddrPort, line []byte) {
	if len(s.keys)%httpPageRows == 0 {
		s.pages = append(s.pages, rowPage{})
	}
	p := &s.pages[len(s.pages)-1]
	p.lines, p.joined = append(p.lines, line), nil
	s.keys = append(s.keys, key)
}

// remove removes a line and returns the key of the one that takes its place, which is
// its own if it was the last.
func (s *rowSection) remove(n int) (moved netip.AddrPort) {
	last := len(s.keys) - 1
	moved = s.keys[last]
	p := &s.pages[len(s.pages)-1]
	if n != last {
		s.set(n, p.lines[len(p.lines)-1])
		s.keys[n] = moved
	}
	p.lines[len(p.lines)-1] = nil
	p.lines, p.joined = p.lines[:len(p.lines)-1], nil
	s.keys = s.keys[:last]
	if len(p.lines) == 0 {
		s.pages = s.pages[:len(s.pages)-1]
	}
	return moved
}

// line returns the game as it is in the list, or nothing if it cannot be listed.
func (e *Entry) line() []byte {
	g := wzhttp.Game{ID: gameIDOf(e.ID), Room: e.room(), Connections: []wzhttp.ConnectionType{}}
	for _, c := range e.connections() {
		g.Connections = append(g.Connections, c.kind)
	}
	b, err := wzhttp.AppendLine(nil, g)
	if err != nil {
		return nil
	}
	return b
}

// serveList sends the list.
func (l *HTTPLobby) serveList(w http.ResponseWriter, r *http.Request) {
	list, header := l.rows.listed(), l.motd.Load().line
	h := w.Header()
	h.Set("Content-Type", wzhttp.AcceptList)
	h.Set("Cache-Control", "no-cache")
	h.Set("Content-Length", strconv.Itoa(len(header)+list.size))
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return
	}
	if _, err := w.Write(header); err != nil {
		return
	}
	for _, p := range list.pages {
		if _, err := w.Write(p); err != nil {
			return
		}
	}
	l.stats.lists.Add(1)
}
