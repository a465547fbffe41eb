package service

import (
	"cmp"
	"encoding/json"
	"net/http"
	"path"
	"strings"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/games"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/internal/cli"
)

// A route is a path of the API, and the method that it takes. GET includes HEAD.
type route struct {
	method, path string
	serve        http.HandlerFunc
}

// Paths of the API.
const (
	HealthPath   = "/healthz"
	apiPrefix    = "/v1/"
	indexPattern = "/{$}" // matches the path / only
)

// routes returns the routes in the order of openapi.json.
func (s *Service) routes() []route {
	metrics := promhttp.HandlerFor(s.metrics.registry, promhttp.HandlerOpts{})
	return []route{
		{http.MethodGet, "/v1/query", s.serveQuery},
		{http.MethodGet, "/v1/list", s.serveList},
		{http.MethodPost, "/v1/scan", s.serveScan},
		{http.MethodGet, "/v1/games", serveGames()},
		{http.MethodGet, "/probe", s.serveProbe},
		{http.MethodGet, "/v1/openapi.json", text("application/json", openAPI)},
		{http.MethodGet, "/v1/schema.json", text("application/schema+json", output.Schema)},
		{http.MethodGet, HealthPath, text("text/plain; charset=utf-8", "ok\n")},
		{http.MethodGet, "/metrics", metrics.ServeHTTP},
	}
}

// serveGames returns a handler for the table of games, which changes with releases only.
func serveGames() http.HandlerFunc {
	table, _ := json.Marshal(struct { // texts and numbers
		Schema int          `json:"schema"`
		Games  []games.Game `json:"games"`
	}{1, games.All()})
	serve := text("application/json", string(table)+"\n")
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "max-age=3600")
		serve(w, r)
	}
}

// handler returns a handler for routes and their index. Requests for other paths and with other
// methods get an error in JSON.
func handler(all []route) http.HandlerFunc {
	mux := http.NewServeMux()
	var paths []string
	for _, at := range all {
		mux.HandleFunc(at.method+" "+at.path, at.serve)
		mux.HandleFunc(at.path, otherMethod(at.method))
		paths = append(paths, at.path)
	}
	mux.HandleFunc("GET "+indexPattern, serveIndex(all))
	mux.HandleFunc(indexPattern, otherMethod(http.MethodGet))
	return func(w http.ResponseWriter, r *http.Request) {
		if _, pattern := mux.Handler(r); pattern == "" {
			otherPath(w, r, paths) // instead of the answer of mux
			return
		}
		mux.ServeHTTP(w, r)
	}
}

// otherMethod returns a handler for requests with another method than want.
func otherMethod(want string) http.HandlerFunc {
	allow := want
	if want == http.MethodGet {
		allow = "GET, HEAD"
	}
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Allow", allow)
		bad(w, http.StatusMethodNotAllowed, "usage", "want the method "+want)
	}
}

// otherPath answers a request for another path than these. It names the path with the most
// similar last element, and does not repeat the path of the request.
func otherPath(w http.ResponseWriter, r *http.Request, paths []string) {
	name := path.Base(strings.ToLower(r.URL.Path))
	near := cmp.Or(cli.Nearest("/"+name, paths), cli.Nearest(apiPrefix+name, paths))
	bad(w, http.StatusNotFound, "usage", didYouMean("there is no such path: / lists all", near))
}
