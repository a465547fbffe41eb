package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/admission"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/web"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
)

// Limits for connections over HTTP.
const (
	headerTimeout = 5 * time.Second
	readTimeout   = 10 * time.Second
	writeTimeout  = 30 * time.Second // for answers that set no limit of their own
	idleTimeout   = 2 * time.Minute
	maxHeader     = 16 << 10
)

// Paths for checks of the health, which are answered whatever clients do.
const (
	healthPath = "/healthz"
	readyPath  = "/readyz"
)

// An httpServer is a streamServer.
type httpServer struct {
	*http.Server
	limiter *admission.Limiter
	conns   *admission.Conns
}

// newLimiter returns limits that several servers over HTTP share.
func newLimiter(c config, log *slog.Logger) *admission.Limiter {
	d := &admission.Limiter{Vital: []string{healthPath, readyPath}, Logger: log}
	for _, p := range c.Warzone.TrustedProxies {
		d.TrustedProxies = append(d.TrustedProxies, p.Prefix)
	}
	c.Web.setLimits(d)
	return d
}

// setLimits sets the limits of a Limiter.
func (c webConfig) setLimits(d *admission.Limiter) {
	rates := lobbywire.Rates{PerSource: int(c.PerSource), PerPrefix: int(c.PerPrefix)}
	d.SetLimits(rates, int(c.MaxPerAddress), int(c.MaxPerPrefix))
}

func newHTTPServer(h http.Handler, d *admission.Limiter, conns *admission.Conns, log *slog.Logger) httpServer {
	return guarded(d, conns, &http.Server{
		Handler:           h,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	})
}

// guarded returns s with the limits of a Limiter and with limits on its connections.
func guarded(d *admission.Limiter, conns *admission.Conns, s *http.Server) httpServer {
	d.Guard(s)
	return httpServer{s, d, conns}
}

// http returns the limits of servers over HTTP.
func (c connectionsConfig) http() admission.ConnLimits {
	return admission.ConnLimits{
		Max:        int(c.MaxConns),
		PerAddress: int(c.MaxPerAddress),
		PerPrefix:  int(c.MaxPerPrefix),
	}
}

func (s httpServer) Serve(l net.Listener) error { return s.Server.Serve(s.limit(l)) }

// limit returns l with the limits on connections.
func (s httpServer) limit(l net.Listener) net.Listener { return s.limiter.Listener(l, s.conns) }

// Shutdown waits for requests until ctx is done, and then closes their connections.
func (s httpServer) Shutdown(ctx context.Context) error {
	if err := s.Server.Shutdown(ctx); err != nil {
		return errors.Join(err, s.Close())
	}
	return nil
}

// fronts are the servers that show the lists and control lobbyd: the page, the API and the HTTP
// lobby, the metrics, and the admin actions.
type fronts struct {
	*life
	rules  *rules
	lists  *lists
	reload func() error // reads the configuration again, for operators

	public    *admission.Limiter // of the page, the API and the HTTP lobby
	operators *admission.Limiter // of the metrics and the admin actions
	conns     admission.Conns    // of all servers over HTTP except the separate HTTP lobby
	registry  *prometheus.Registry
	http      httpMount // of the HTTP lobby, at the port of the page
	servers   []*server
}

func newFronts(of *life, by *rules, show *lists, reload func() error) *fronts {
	f := &fronts{life: of, rules: by, lists: show, reload: reload}
	f.public, f.operators = newLimiter(f.config, f.log), newLimiter(f.config, f.log)
	f.public.Refused = show.refusals.Silent("web")
	f.conns.Set(f.config.Web.http())
	f.http.init()
	return f
}

// newServers returns the servers over HTTP.
func (f *fronts) newServers() []*server {
	page := &web.Server{
		Catalogue:           &f.lists.catalogue,
		Title:               f.config.Web.Title,
		MaxStreams:          int(f.config.Web.MaxStreams),
		MaxStreamsPerSource: int(f.config.Web.StreamsPerSource),
		Limiter:             f.public,
		Explain:             func(at netip.AddrPort) any { return f.lists.explain(at, true) },
		Players:             f.lists.roster.Players,
		Ways:                f.lists.ways,
	}
	if f.config.Cluster.NATS != "" {
		page.State = f.lists.webState
	}
	conns := &f.conns
	front := newHTTPServer(f.webHandler(page), f.public, conns, f.log)
	front.RegisterOnShutdown(func() { _ = page.Shutdown(context.Background()) }) // Shutdown of front waits as well
	metrics := newHTTPServer(f.metricsHandler(), f.operators, conns, f.log)
	admin := newHTTPServer(f.operators.Limit(f.adminHandler()), f.operators, conns, f.log)
	return []*server{
		{name: "web", at: f.config.Web.Listen, tcp: front},
		{name: "metrics", at: f.config.Metrics.Listen, tcp: metrics},
		{name: "admin", path: f.adminPath(), tcp: admin, optional: f.config.Admin.Socket == ""},
		{name: "admin-listen", at: f.config.Admin.Listen, tcp: admin},
	}
}

func (f *fronts) webHandler(page http.Handler) http.Handler {
	mux := http.NewServeMux()
	f.handleChecks(mux)
	mux.Handle("/", f.misplaced(f.afterStart(page)))
	return wzhttpnet.Handler(besideLobby(&f.http, f.public, mux))
}

// afterStart delays requests until there are lists, because clients would believe empty
// ones. That takes as long as the lists of other nodes.
func (f *fronts) afterStart(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		enough := time.NewTimer(firstCopy)
		defer enough.Stop()
		select {
		case <-f.lists.filled:
			h.ServeHTTP(w, r)
		case <-r.Context().Done():
		case <-enough.C:
			w.Header().Set("Retry-After", "2")
			w.Header().Set("Access-Control-Allow-Origin", "*")
			http.Error(w, "starting: the lists are not there yet", http.StatusServiceUnavailable)
		}
	})
}

// metricsHandler serves the metrics at a separate port, because they contain more than
// visitors of the page should know.
func (f *fronts) metricsHandler() http.Handler {
	mux := http.NewServeMux()
	f.handleChecks(mux)
	mux.Handle("GET /metrics", promhttp.HandlerFor(f.registry,
		promhttp.HandlerOpts{ErrorLog: slog.NewLogLogger(f.log.Handler(), slog.LevelWarn)}))
	return f.operators.Limit(mux)
}

// handleChecks serves checks of the health.
func (f *fronts) handleChecks(mux *http.ServeMux) {
	mux.HandleFunc("GET "+healthPath, handleHealth)
	mux.HandleFunc("GET "+readyPath, f.handleReady)
}
