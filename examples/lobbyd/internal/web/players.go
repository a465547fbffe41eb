package web

import (
	"bytes"
	"errors"
	"net/http"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/roster"
)

// costOfQuery is the cost of a query of a server, even if its answer is known.
const costOfQuery = 5

// playerJSON is a Player in the API.
type playerJSON struct {
	Name    string      `json:"name"`
	Colours [][2]string `json:"colours,omitempty"`
	Score   *int        `json:"score,omitempty"`
	Ping    *int        `json:"ping,omitempty"`
	Team    string      `json:"team,omitempty"`
	Bot     *bool       `json:"bot,omitempty"`
}

// servePlayers queries a server for its players.
func (s *Server) servePlayers(w http.ResponseWriter, r *http.Request) {
	open(w.Header())
	e, found := s.Catalogue.Snapshot().Find(r.PathValue("id"))
	if !found || s.Players == nil {
		http.Error(w, "no such server", http.StatusNotFound)
		return
	}
	if !s.Limiter.Spend(w, r, costOfQuery) {
		return
	}
	got, err := s.Players(r.Context(), e)
	switch {
	case errors.Is(err, roster.ErrNoQuery):
		http.Error(w, "this server cannot be queried", http.StatusNotFound)
		return
	case errors.Is(err, roster.ErrBusy):
		w.Header().Set("Retry-After", "5")
		http.Error(w, "too many queries: try again soon", http.StatusServiceUnavailable)
		return
	case err != nil:
		http.Error(w, "the server does not answer", http.StatusGatewayTimeout)
		return
	}
	all := struct {
		Asked   string       `json:"asked"`
		Players []playerJSON `json:"players"`
	}{stamp(got.Asked), []playerJSON{}}
	codes := codesOf(e)
	for _, p := range got.Players {
		name, colours := styled(codes, p.Name)
		all.Players = append(all.Players, playerJSON{name, colours, p.Score, p.Ping, brief(codes.Plain(p.Team)), p.Bot})
	}
	b := encode(all)
	answerAs(w, r, jsonType, digest(b), bytes.NewReader(b))
}
