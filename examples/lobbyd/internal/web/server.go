package web

import (
	"context"
	"crypto/rand"
	"html/template"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/examples/internal/admission"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/roster"
)

// A Server displays a Catalogue. It is an http.Handler. Fields must not change once
// it serves. The timeouts of the http.Server do not apply to streams of events,
// which have their own.
type Server struct {
	// Catalogue is the displayed catalogue; nil means an empty one.
	Catalogue *catalogue.Catalogue

	// Title is the title of the pages; "" means lobbyd.
	Title string

	// State returns the state of this node in its cluster. It is called once a second
	// and for each page, and must be fast. nil means that there is no cluster.
	State func() State

	// Explain returns why servers of an address are not listed, as a value that is encoded
	// in JSON. Everybody may see it. It must be fast. nil means that nothing is known.
	Explain func(at netip.AddrPort) any

	// Players queries a listed server for its players. nil means that no server can be
	// queried.
	Players func(context.Context, *catalogue.Entry) (roster.Players, error)

	// Ways returns how servers register here. The page shows it while there are none. nil
	// means that nothing is known.
	Ways func() []Way

	// MaxStreams is the maximum number of streams of events; 0 means 1000.
	MaxStreams int

	// MaxStreamsPerSource is the maximum for one client, as Limiter counts them; 0 means
	// 32. A prefix may have four times as many.
	MaxStreamsPerSource int

	// Limiter limits the requests of clients by their cost. Requests must have passed its
	// Limit. nil means no limits, except those on streams.
	Limiter *admission.Limiter

	begin    sync.Once
	boot     string // part of each version, since versions start at 0 in each process
	handler  http.Handler
	page     *template.Template
	list     listing
	zips     zips
	feed     feed
	stopping context.Context // done when streams must end
	stop     context.CancelFunc
	streams  streams
}

// A State is the state of a node in its cluster.
type State struct {
	Node   string    // its name, or ""
	Nodes  []string  // names of all connected nodes, including this one
	CutOff time.Time // when it lost the other nodes; zero while connected
}

// start initializes the Server once.
func (s *Server) start() {
	s.begin.Do(func() {
		if s.Catalogue == nil {
			s.Catalogue = new(catalogue.Catalogue)
		}
		s.boot = rand.Text()[:8]
		s.page = parsePages()
		s.handler = s.routes()
		s.stopping, s.stop = context.WithCancel(context.Background())
		s.feed.grown = make(chan struct{})
		s.streams.limit(s.MaxStreams, s.MaxStreamsPerSource)
	})
}

func (s *Server) state() State {
	if s.State == nil {
		return State{}
	}
	return s.State()
}

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", s.servePage)
	mux.HandleFunc("/server/{id}", s.serveServerPage)
	mux.HandleFunc("/server/{id}/badge.svg", s.serveBadge)
	mux.HandleFunc("/server/{id}/embed", s.serveEmbed)
	files := newAssets()
	mux.Handle("/assets/", files)
	mux.HandleFunc("/favicon.ico", files.serveIcon)
	mux.HandleFunc("/api/servers", s.serveList)
	mux.HandleFunc("/api/servers/{id}", s.serveServer)
	mux.HandleFunc("/api/servers/{id}/players", s.servePlayers)
	mux.HandleFunc("/api/servers/{id}/history", s.serveTrack)
	mux.HandleFunc("/api/history", s.serveHistory)
	mux.HandleFunc("/api/explain", s.serveExplanation)
	mux.HandleFunc("/api/events", s.serveEvents)
	return mux
}

// ServeHTTP serves pages, their assets and the API.
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

// Shutdown ends all streams of events and waits for them until ctx is done. Pass it
// to RegisterOnShutdown of the http.Server, which would otherwise wait for the
// streams.
func (s *Server) Shutdown(ctx context.Context) error {
	s.start()
	s.stop()
	return s.streams.end(ctx)
}
