package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/servers"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/service"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/verdict"
	"github.com/lobbywire/lobbywire/examples/internal/admission"
	"github.com/lobbywire/lobbywire/examples/internal/cli"
)

// A serving holds the settings of http.
type serving struct {
	service.Service
	allow, proxies []string // prefixes
	rate           int      // requests a second of a client
}

// Limits of connections over HTTP.
const (
	httpHeaderTime = 5 * time.Second
	httpReadTime   = 10 * time.Second
	httpWriteTime  = 40 * time.Second // more than any query takes; scans extend it
	httpIdleTime   = 2 * time.Minute
	httpMaxHeader  = 16 << 10
	httpEndTime    = 10 * time.Second // for the last answers
)

func newHTTPCommand() *cobra.Command {
	var s serving
	cmd := &cobra.Command{
		Use:   "http [flags] ADDRESS",
		Short: "Run a query service over HTTP",
		Long: `Http queries servers for web sites, panels and Prometheus, until it is
interrupted:

  GET  /v1/query?game=GAME&address=HOST[:PORT]   as query -json prints it
  GET  /v1/list?protocol=PROTOCOL&master=MASTER  as list -json prints it
  POST /v1/scan?game=GAME                        addresses in, lines of JSON out
  GET  /v1/games                                 the table of games
  GET  /probe?module=GAME&target=HOST[:PORT]     metrics for Prometheus
  GET  /, /v1/openapi.json, /v1/schema.json, /healthz and /metrics

GAME may also be a PROTOCOL or, for a query or a scan, auto, which finds out the
protocol. The parameter full=1 also requests players, teams and rules.

Only servers on the public internet are queried, unless -allow names others. A
name is resolved once, and only the checked address is queried. Clients
beyond a limit get status 429.`,
		Example: `  gamequery http 127.0.0.1:8090
  gamequery http -allow 127.0.0.0/8 -cors https://example.org :8090`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage.Bad(cmd, "want one ADDRESS, such as 127.0.0.1:8090")
			}
			return wantListen(cmd, "ADDRESS", args[0])
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.check(cmd); err != nil {
				return err
			}
			ctx, stop := interruptible(cmd)
			defer stop()
			return s.run(ctx, cmd, args[0])
		},
		DisableFlagsInUseLine: true,
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&s.allow, "allow", nil,
		"also query addresses in this `PREFIX`, such as 10.0.0.0/8 or ::1; may be repeated")
	flags.StringSliceVar(&s.Origins, "cors", nil, "pages of this `ORIGIN` may read answers; * is all; may be repeated")
	flags.StringSliceVar(&s.proxies, "trusted-proxy", nil,
		"proxies in this `PREFIX` name their clients in X-Forwarded-For; may be repeated")
	flags.DurationVar(&s.Keep, "cache", 5*time.Second, "how long answers are kept")
	flags.DurationVar(&s.KeepList, "list-cache", 30*time.Second, "how long lists are kept")
	flags.IntVar(&s.rate, "rate", 20, "requests a second of a client; a scan counts as one")
	flags.IntVar(&s.MaxQueries, "max-queries", 1024, "queries at one time")
	flags.IntVar(&s.MaxTargets, "max-targets", 1000, "addresses of a scan")
	flags.DurationVar(&s.Timeout, "timeout", time.Second, "timeout of an attempt")
	flags.IntVar(&s.Attempts, "attempts", 0, "number of attempts for each server, as for query")
	flags.DurationVar(&s.Judge.Slow, "slow", verdict.DefaultSlow, "for /probe, an answer that takes longer is slow")
	flags.IntVar(&s.Judge.Row, "failures", verdict.DefaultRow,
		"for /probe, the `NUMBER` of queries that confirm a failure")
	return cmd
}

// check checks the flags and reads the prefixes.
func (s *serving) check(cmd *cobra.Command) (err error) {
	if s.Timeout <= 0 || s.Keep < 0 || s.KeepList < 0 || s.Judge.Slow <= 0 {
		return usage.Bad(cmd, "-timeout and -slow must be above 0, and -cache and -list-cache not below")
	}
	if s.Attempts < 0 || slices.Min([]int{s.rate, s.MaxQueries, s.MaxTargets, s.Judge.Row}) <= 0 {
		return usage.Bad(cmd, "-rate, -max-queries, -max-targets and -failures must be above 0")
	}
	s.Guard.Allow, err = prefixes(s.allow)
	if err != nil {
		return usage.Bad(cmd, "-allow: %v", err)
	}
	s.Limiter = &admission.Limiter{
		Rates:      lobbywire.Rates{PerSource: s.rate},
		MaxAnswers: 32, MaxAnswersPerPrefix: 128,
		Vital: []string{service.HealthPath},
	}
	s.Limiter.TrustedProxies, err = prefixes(s.proxies)
	if err != nil {
		return usage.Bad(cmd, "-trusted-proxy: %v", err)
	}
	return nil
}

// prefixes reads prefixes. An address stands for itself.
func prefixes(all []string) ([]netip.Prefix, error) {
	parsed := make([]netip.Prefix, len(all))
	for i, s := range all {
		p, err := netip.ParsePrefix(s)
		if a, notAddr := netip.ParseAddr(s); notAddr == nil && a.Zone() == "" {
			p, err = netip.PrefixFrom(a.Unmap(), a.Unmap().BitLen()), nil
		}
		if err != nil {
			return nil, fmt.Errorf("%q: want a prefix such as 10.0.0.0/8, or an address without a zone", s)
		}
		parsed[i] = p.Masked()
	}
	return parsed, nil
}

// run serves until ctx is done. Requests that are being answered then have some time.
func (s *serving) run(ctx context.Context, cmd *cobra.Command, addr string) error {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return servers.BadListen(err)
	}
	cli.OutliveLog()
	stderr := cmd.ErrOrStderr()
	s.Limiter.Logger = slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	fmt.Fprintf(stderr, "queries over HTTP on %s; interrupt to stop\n", l.Addr())
	server := &http.Server{
		Handler:           &s.Service,
		ReadHeaderTimeout: httpHeaderTime,
		ReadTimeout:       httpReadTime,
		WriteTimeout:      httpWriteTime,
		IdleTimeout:       httpIdleTime,
		MaxHeaderBytes:    httpMaxHeader,
		ErrorLog:          slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug),
	}
	s.Limiter.Guard(server)
	served := servers.InBackground(func() error { return server.Serve(s.Limiter.Listener(l, new(admission.Conns))) })
	defer s.Wait()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), httpEndTime)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		server.Close()
	}
	<-served
	return nil
}
