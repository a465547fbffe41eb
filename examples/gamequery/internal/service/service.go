package service

import (
	_ "embed"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/reach"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/verdict"
	"github.com/lobbywire/lobbywire/examples/internal/admission"
)

// A Service answers requests over HTTP. Fields must not change once it serves.
type Service struct {
	Guard   reach.Guard // of the addresses that are queried
	Limiter *admission.Limiter
	Judge   verdict.Judge

	Timeout  time.Duration // of an attempt of a query
	Attempts int           // 0 means the default of each protocol

	Keep     time.Duration // how long answers are kept
	KeepList time.Duration // how long lists are kept

	MaxQueries int // that run at one time
	MaxTargets int // of a scan

	Origins []string // of pages that may read answers (CORS); "*" is all

	begin   sync.Once
	budget  *budget
	queries cache[queryKey, result]
	probes  cache[probeKey, finding]
	lists   cache[listKey, listing]
	metrics *metrics
	handler http.Handler
}

// Room of the caches, in bytes.
const (
	queryRoom = 32 << 20
	probeRoom = 8 << 20
	listRoom  = 64 << 20
)

//go:embed openapi.json
var openAPI string

func (s *Service) start() {
	s.begin.Do(func() {
		s.budget = newBudget(s.MaxQueries)
		s.queries.keep, s.queries.room = s.Keep, queryRoom
		s.probes.keep, s.probes.room = s.Keep, probeRoom
		s.lists.keep, s.lists.room = s.KeepList, listRoom
		s.metrics = newMetrics(s)
		s.handler = s.limited(handler(s.routes()))
	})
}

// limited returns h with the limits of requests, and answers preflights of pages.
func (s *Service) limited(h http.Handler) http.Handler {
	return s.Limiter.Limit(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isAPI(r) && s.answerPreflight(w, r) {
			return
		}
		h.ServeHTTP(w, r)
	}))
}

// isAPI reports whether pages of other origins may send a request.
func isAPI(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, apiPrefix) }

func text(contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		_, _ = io.WriteString(w, body) // a client that has gone
	}
}

// ServeHTTP serves the API.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.start()
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'")
	h.Set("Cache-Control", "no-store")
	if isAPI(r) {
		s.allowOrigin(h, r)
	}
	counted := &statusWriter{ResponseWriter: w, status: http.StatusOK}
	s.handler.ServeHTTP(counted, r)
	s.metrics.count(r, counted.status)
}

// allowOrigin lets pages of allowed origins read an answer, also if it is a refusal.
func (s *Service) allowOrigin(h http.Header, r *http.Request) {
	origin := r.Header.Get("Origin")
	switch {
	case slices.Contains(s.Origins, "*"):
		origin = "*"
	case len(s.Origins) == 0:
		return
	default:
		h.Add("Vary", "Origin")
		if !slices.Contains(s.Origins, origin) {
			return
		}
	}
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Expose-Headers", "Retry-After")
}

// answerPreflight answers a preflight request of a page. It reports false for other requests.
func (s *Service) answerPreflight(w http.ResponseWriter, r *http.Request) bool {
	h := w.Header()
	if h.Get("Access-Control-Allow-Origin") == "" || r.Method != http.MethodOptions ||
		r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	h.Set("Access-Control-Allow-Methods", "GET, POST")
	h.Set("Access-Control-Allow-Headers", "Content-Type")
	h.Set("Access-Control-Max-Age", "86400")
	w.WriteHeader(http.StatusNoContent)
	return true
}

// Wait waits for queries that still run. Call it after the http.Server was shut down.
func (s *Service) Wait() {
	s.queries.wait()
	s.probes.wait()
	s.lists.wait()
}

// settings returns the settings of queries in a protocol.
func (s *Service) settings(p protocols.Protocol, full bool) protocols.Settings {
	a := protocols.Settings{Sockets: s.Guard.Sockets(), Timeout: s.Timeout, Attempts: s.Attempts}
	return p.Defaults(a, full)
}

// bad answers a request that is wrong.
func bad(w http.ResponseWriter, status int, code, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{ // a client that has gone
		"schema": 1, "error": map[string]string{"code": code, "message": message},
	})
}

// statusWriter notes the status of an answer.
type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
