package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"

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
	door  *admission.Door
	conns *admission.Conns
}

// newDoor returns limits that several servers over HTTP share.
func newDoor(c config, log *slog.Logger) *admission.Door {
	d := &admission.Door{Vital: []string{healthPath, readyPath}, Logger: log}
	for _, p := range c.Warzone.TrustedProxies {
		d.TrustedProxies = append(d.TrustedProxies, p.Prefix)
	}
	c.Web.limitDoor(d)
	return d
}

// limitDoor sets the limits of a Door.
func (c webConfig) limitDoor(d *admission.Door) {
	rates := lobbywire.Rates{PerSource: int(c.PerSource), PerPrefix: int(c.PerPrefix)}
	d.SetLimits(rates, int(c.MaxPerAddress), int(c.MaxPerPrefix))
}

func newHTTPServer(h http.Handler, d *admission.Door, conns *admission.Conns, log *slog.Logger) httpServer {
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

// guarded returns s with the limits of a Door and with limits on its connections.
func guarded(d *admission.Door, conns *admission.Conns, s *http.Server) httpServer {
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
func (s httpServer) limit(l net.Listener) net.Listener { return s.door.Listener(l, s.conns) }

// Shutdown waits for requests until ctx is done, and then closes their connections.
func (s httpServer) Shutdown(ctx context.Context) error {
	if err := s.Server.Shutdown(ctx); err != nil {
		return errors.Join(err, s.Close())
	}
	return nil
}

// newFronts returns the servers over HTTP.
func (d *lobbyd) newFronts() []*server {
	page := &web.Server{
		Catalogue:           &d.catalogue,
		Title:               d.config.Web.Title,
		MaxStreams:          int(d.config.Web.MaxStreams),
		MaxStreamsPerSource: int(d.config.Web.StreamsPerSource),
		Door:                d.public,
		Explain:             func(addr netip.Addr) any { return d.explain(addr, true) },
		Players:             d.roster.Players,
		Ways:                d.ways,
	}
	if d.config.Cluster.NATS != "" {
		page.State = d.webState
	}
	conns := &d.conns
	front := newHTTPServer(d.webHandler(page), d.public, conns, d.log)
	front.RegisterOnShutdown(func() { _ = page.Shutdown(context.Background()) }) // Shutdown of front waits as well
	metrics := newHTTPServer(d.metricsHandler(), d.operators, conns, d.log)
	admin := newHTTPServer(d.operators.Limit(d.adminHandler()), d.operators, conns, d.log)
	return []*server{
		{name: "web", at: d.config.Web.Listen, tcp: front},
		{name: "metrics", at: d.config.Metrics.Listen, tcp: metrics},
		{name: "admin", path: d.adminPath(), tcp: admin, optional: d.config.Admin.Socket == ""},
		{name: "admin-listen", at: d.config.Admin.Listen, tcp: admin},
	}
}

func (d *lobbyd) webHandler(page http.Handler) http.Handler {
	mux := http.NewServeMux()
	d.handleChecks(mux)
	mux.Handle("/", d.misplaced(d.afterStart(page)))
	return wzhttpnet.Handler(besideLobby(&d.http, d.public, mux))
}

// afterStart holds requests back until there are lists, since empty ones would pass for
// the truth. That takes as long as the lists of other nodes do.
func (d *lobbyd) afterStart(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		enough := time.NewTimer(firstCopy)
		defer enough.Stop()
		select {
		case <-d.filled:
			h.ServeHTTP(w, r)
		case <-r.Context().Done():
		case <-enough.C:
			w.Header().Set("Retry-After", "2")
			w.Header().Set("Access-Control-Allow-Origin", "*")
			http.Error(w, "starting: the lists are not there yet", http.StatusServiceUnavailable)
		}
	})
}

// metricsHandler serves the metrics at a port of their own, since they say more than
// visitors of the page should know.
func (d *lobbyd) metricsHandler() http.Handler {
	mux := http.NewServeMux()
	d.handleChecks(mux)
	mux.Handle("GET /metrics", promhttp.HandlerFor(d.registry,
		promhttp.HandlerOpts{ErrorLog: slog.NewLogLogger(d.log.Handler(), slog.LevelWarn)}))
	return d.operators.Limit(mux)
}

// handleChecks serves checks of the health.
func (d *lobbyd) handleChecks(mux *http.ServeMux) {
	mux.HandleFunc("GET "+healthPath, handleHealth)
	mux.HandleFunc("GET "+readyPath, d.handleReady)
}
