package main

import (
	"net/http"
	"strings"

	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// gamesPath is the list of the HTTP lobby.
const gamesPath = lobbyPath + wzhttp.BasePath + "/games"

// openList lets pages of any origin read the list of games, as they may read the API.
// Other requests are for games only.
func openList(lobby http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reads := r.Method == http.MethodGet || r.Method == http.MethodHead
		if reads && strings.TrimSuffix(r.URL.Path, "/") == gamesPath {
			w.Header().Set("Access-Control-Allow-Origin", "*")
		}
		lobby.ServeHTTP(w, r)
	})
}
