package web

import (
	"context"
	"crypto/rand"
	"html/template"
	"net/http"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

// A Server shows a Catalogue. It is an http.Handler; fields must not change once
// it serves. Timeouts of the http.Server are not for streams of events, which
// have their own.
type Server struct {
	// Catalogue is what is shown. nil means an empty one.
	Catalogue *catalogue.Catalogue

	// Title is of the page. "" means lobbyd.
	Title string

	// State tells how the node that serves stands with the others. It is asked once
	// a second and for each page, and must be quick. nil means that there is but one node.
	State func() State

	// MaxStreams is how many streams of events there may be. 0 means 1000.
	MaxStreams int

	// MaxStreamsPerSource is the same for one source, an IPv4 address or an IPv6
	// /64. 0 means 32. Sources on this machine are not held to it: they are
	// proxies.
	MaxStreamsPerSource int

	begin    sync.Once
	boot     string // in each version, since they begin at 0 again with each process
	handler  http.Handler
	page     *template.Template
	listed   listing // what lists have
	all      listing // and what is in quarantine
	feed     feed
	stopping context.Context // done when streams are to end
	stop     context.CancelFunc
	streams  streams
}

// A State is how a node stands with the others of its cluster.
type State struct {
	Node   string    // its name, "" if it has none
	Nodes  []string  // the names of all that are connected, itself included
	CutOff time.Time // since when it has lost the others; zero while it has not
}

// start makes what is made once.
func (s *Server) start() {
	s.begin.Do(func() {
		if s.Catalogue == nil {
			s.Catalogue = new(catalogue.Catalogue)
		}
		s.boot = rand.Text()[:8]
		s.page = parsePages()
		s.handler = s.routes()
		s.stopping, s.stop = context.WithCancel(context.Background())
		s.listed.choose = func(e *catalogue.Entry) bool { return e.Quarantine == "" }
		s.all.choose = func(*catalogue.Entry) bool { return true }
		s.feed.grown = make(chan struct{})
	})
}

func (s *Server) state() State {
	if s.State == nil {
		return State{}
	}
	return s.State()
}

func (s *Server) title() string {
	if s.Title == "" {
		return "lobbyd"
	}
	return s.Title
}

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", s.servePage)
	mux.HandleFunc("/server/{id}", s.serveServerPage)
	mux.Handle("/assets/", newAssets())
	mux.HandleFunc("/api/servers", s.serveList)
	mux.HandleFunc("/api/servers/{id}", s.serveServer)
	mux.HandleFunc("/api/history", s.serveHistory)
	mux.HandleFunc("/api/events", s.serveEvents)
	return mux
}

// ServeHTTP answers requests for pages, their assets and the API.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.start()
	secure(w.Header())
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "read only", http.StatusMethodNotAllowed)
		return
	}
	s.handler.ServeHTTP(w, r)
}

// Shutdown ends all streams of events and waits for them, or for ctx. Give it to
// RegisterOnShutdown of the http.Server, which else waits for the streams.
func (s *Server) Shutdown(ctx context.Context) error {
	s.start()
	s.stop()
	return s.streams.end(ctx)
}
