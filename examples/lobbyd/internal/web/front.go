package web

import (
	"bytes"
	"cmp"
	"encoding/json"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

// perPage is the number of rows on the first page of the table. A script that takes over shows as
// many: see table.js.
const perPage = 100

// costOfRows is the cost of rendering the rows of a page.
const costOfRows = 4

// unknownPlayers is the number of players of a row if it is unknown.
const unknownPlayers = -1

// A front is the first page of the table for browsers without scripts.
type front struct {
	Rows           template.HTML // the games with the most players
	More           int           // other games that were found
	Found, Playing int           // games that were found, and their players
	Games, Players int           // of the chosen game, or all
}

// frontFor returns the first page of the table for the filters of a request. ok is false if the
// client was refused.
func (s *Server) frontFor(w http.ResponseWriter, r *http.Request) (f front, ok bool) {
	list := s.list.get(s.boot, s.Catalogue.Snapshot())
	query := r.URL.Query()
	wanted, err := filterOf(query)
	withHidden := query.Get("quarantined") == "1"
	if err != nil || wanted == (filter{}) && !withHidden {
		ok = s.Limiter.Work(w, r, 1, func() {
			list.front.Do(func() { list.whole = s.front(list.listed, filter{}) })
		})
		return list.whole, ok
	}
	from := list.listed
	if withHidden {
		from = list.all
	}
	cost := 1 + len(from.rows)/rowsOfSlot + costOfRows
	if !s.Limiter.Spend(w, r, cost) {
		return front{}, false
	}
	ok = s.Limiter.Work(w, r, cost, func() { f = s.front(from, wanted) })
	return f, ok
}

func (s *Server) front(from *selection, wanted filter) (f front) {
	first := make([]*row, 0, 2*perPage)
	least := unknownPlayers - 1 // the first page has more players than this
	for _, r := range from.rows {
		players := max(r.players, 0)
		if !r.isHidden && (wanted.game == "" || r.game == wanted.game) {
			f.Games++
			f.Players += players
		}
		if !wanted.takes(r) {
			continue
		}
		f.Found++
		if !r.isHidden {
			f.Playing += players
		}
		if r.players <= least {
			continue // rows are in the order of ID, so an earlier one with as many comes first
		}
		first = append(first, r)
		if len(first) == cap(first) {
			first = mostPlayers(first)
			least = first[perPage-1].players
		}
	}
	first = mostPlayers(first)
	f.More = f.Found - len(first)
	shown := make([]server, len(first))
	for i, r := range first {
		if err := json.Unmarshal(r.json, &shown[i]); err != nil { // encode has made it
			return front{}
		}
	}
	var b bytes.Buffer
	if err := s.page.ExecuteTemplate(&b, "rows", shown); err != nil {
		return front{}
	}
	f.Rows = template.HTML(b.String()) // its template has escaped it
	return f
}

// mostPlayers returns the rows of the first page, in order.
func mostPlayers(rows []*row) []*row {
	slices.SortFunc(rows, func(a, b *row) int {
		return cmp.Or(cmp.Compare(b.players, a.players), strings.Compare(a.id, b.id))
	})
	return rows[:min(len(rows), perPage)]
}

// A choice is a link to a page with another setting.
type choice struct {
	Name   string
	Link   string
	Chosen bool
}

// settings are the parameters of the page that choose rows or sort them.
var settings = [...]string{"q", "family", "game", "health", "players", "favourites", "quarantined", "sort"}

// choicesOf returns the links to other ranges of time, with the other settings of a request.
func choicesOf(query url.Values, now catalogue.Scale) (all []choice) {
	kept := make(url.Values)
	for _, name := range settings {
		if value := query.Get(name); value != "" && len(value) <= maxQuery {
			kept.Set(name, value)
		}
	}
	for scale, name := range scaleNames {
		kept.Set("range", name)
		all = append(all, choice{name, "?" + kept.Encode(), catalogue.Scale(scale) == now})
	}
	return all
}

// isFiltered reports whether a request chooses some rows.
func isFiltered(query url.Values) bool {
	return slices.ContainsFunc(settings[:], func(name string) bool { return name != "sort" && query.Get(name) != "" })
}

// CountNow returns the number of players as in a list, such as "3 / 8".
func (s server) CountNow() string {
	text := "?"
	if s.Players != nil {
		text = strconv.Itoa(*s.Players)
	}
	if s.MaxPlayers != nil {
		text += " / " + strconv.Itoa(*s.MaxPlayers)
	}
	return text
}

// Full returns how full the server is in percent.
func (s server) Full() int {
	if s.Players == nil || s.MaxPlayers == nil || *s.MaxPlayers <= 0 {
		return 0
	}
	return min(100, 100**s.Players / *s.MaxPlayers)
}

// Below returns the text below the name.
func (s server) Below() string { return dotted(s.Address, s.Mode) }

// Narrow returns the text below the name on narrow screens.
func (s server) Narrow() string {
	return dotted(cmp.Or(s.Game, familyName(s.Family)), s.Map, s.Version)
}

func dotted(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(t string) bool { return t == "" }), " · ")
}

// ago returns the time since a stamp, in the largest unit that fits.
func ago(stamp string) string {
	t, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		return stamp
	}
	since := time.Since(t)
	for _, unit := range []struct {
		size time.Duration
		name string
	}{{24 * time.Hour, " d"}, {time.Hour, " h"}, {time.Minute, " min"}} {
		if since >= unit.size {
			return strconv.Itoa(int(since/unit.size)) + unit.name
		}
	}
	return "now"
}
