package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
	"golang.org/x/net/netutil"

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
	maxHTTPConns  = 4096
)

// An httpServer is a streamServer.
type httpServer struct{ *http.Server }

func newHTTPServer(h http.Handler, log *slog.Logger) httpServer {
	return httpServer{&http.Server{
		Handler:           h,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}}
}

func (s httpServer) Serve(l net.Listener) error {
	return s.Server.Serve(netutil.LimitListener(l, maxHTTPConns))
}

// Shutdown waits for requests until ctx is done, and then closes their connections.
func (s httpServer) Shutdown(ctx context.Context) error {
	if err := s.Server.Shutdown(ctx); err != nil {
		return errors.Join(err, s.Close())
	}
	return nil
}

// newFronts returns the servers over HTTP.
func (d *lobbyd) newFronts() []*server {
	page := &web.Server{Catalogue: &d.catalogue, Title: d.config.Web.Title}
	if d.config.Cluster.NATS != "" {
		page.State = d.webState
	}
	front := newHTTPServer(d.webHandler(page), d.log)
	front.RegisterOnShutdown(func() { _ = page.Shutdown(context.Background()) }) // Shutdown of front waits as well
	admin := newHTTPServer(d.adminHandler(), d.log)
	return []*server{
		{name: "web", at: d.config.Web.Listen, tcp: front},
		{name: "admin", path: d.config.Admin.Socket, tcp: admin},
		{name: "admin-listen", at: d.config.Admin.Listen, tcp: admin},
	}
}

func (d *lobbyd) webHandler(page http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", handleHealth)
	mux.HandleFunc("GET /readyz", d.ready.handleReady)
	mux.Handle("GET /metrics",
		promhttp.HandlerFor(d.registry,
			promhttp.HandlerOpts{ErrorLog: slog.NewLogLogger(d.log.Handler(), slog.LevelWarn)}))
	mux.Handle(lobbyPath+"/", &d.http)
	mux.Handle("/", page)
	return wzhttpnet.Handler(mux)
}
