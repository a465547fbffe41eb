// Package api is the interface of the sidecar over HTTP: the game reports its state, and
// its operator sees the results. The file openapi.json describes it.
package api

import (
	_ "embed"
	"net"
	"net/http"
	"time"

	"github.com/lobbywire/lobbywire/examples/sidecar/internal/state"
)

// OpenAPI describes the interface.
//
//go:embed openapi.json
var OpenAPI []byte

// A Server serves the interface.
type Server struct {
	State  *state.Holder
	Token  string        // that the game must send; "" means none
	Status func() Status // of everything

	large chan struct{} // has a value for each large body in memory
}

// Time limits of requests. A state has arrived within seconds, or never will.
const (
	headerTime = 5 * time.Second
	readTime   = 10 * time.Second
	writeTime  = 10 * time.Second
	idleTime   = 2 * time.Minute
	maxHeader  = 16 << 10
)

// Feed returns a server for the game. It has all paths.
func (s *Server) Feed() *http.Server {
	s.large = make(chan struct{}, maxLarge)
	mux := s.watched()
	mux.Handle("GET /v1/state", s.allowed(s.getState))
	mux.Handle("PUT /v1/state", s.allowed(s.putState))
	mux.Handle("PATCH /v1/state", s.allowed(s.patchState))
	return bounded(explaining(mux))
}

// Watch returns a server for operators. It cannot change the state.
func (s *Server) Watch() *http.Server { return bounded(explaining(s.watched())) }

// watched returns the paths that change nothing.
func (s *Server) watched() *http.ServeMux {
	mux := http.NewServeMux()
	mux.Handle("GET /v1/status", s.shown(s.getStatus))
	mux.HandleFunc("GET /v1/openapi.json", getOpenAPI)
	mux.Handle("GET /healthz", s.shown(s.getHealth))
	mux.Handle("GET /metrics", s.shown(s.getMetrics))
	return mux
}

// explaining returns a handler of the paths and methods of mux. It refuses all others with an
// error in JSON, like every refusal.
func explaining(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h, pattern := mux.Handler(r)
		if pattern != "" {
			mux.ServeHTTP(w, r)
			return
		}
		plain := unsent{header: w.Header()}
		h.ServeHTTP(&plain, r)
		if plain.code == http.StatusMethodNotAllowed {
			refuse(w, plain.code, "the path has the methods "+w.Header().Get("Allow"))
			return
		}
		refuse(w, http.StatusNotFound, "no such path; /v1/openapi.json describes all")
	})
}

// An unsent answer has its header and status.
type unsent struct {
	header http.Header
	code   int
}

func (u *unsent) Header() http.Header         { return u.header }
func (u *unsent) Write(b []byte) (int, error) { return len(b), nil }
func (u *unsent) WriteHeader(code int)        { u.code = code }

// bounded returns a server whose connections are bounded in number and time.
func bounded(h http.Handler) *http.Server {
	crowd := new(crowd)
	return &http.Server{
		Handler:           h,
		ConnState:         func(c net.Conn, now http.ConnState) { crowd.note(c, now) },
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       readTime,
		WriteTimeout:      writeTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeader,
	}
}

func getOpenAPI(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, OpenAPI)
}

// answer sends JSON.
func answer(w http.ResponseWriter, code int, text []byte) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(code)
	_, _ = w.Write(text)
}
