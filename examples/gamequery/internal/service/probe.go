package service

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/tap"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/verdict"
)

// A finding is the outcome of a probe.
type finding struct {
	verdict.Finding
	row  verdict.Row
	took time.Duration
}

// A probeKey identifies a probe.
type probeKey struct {
	queryKey
	time time.Duration // one of probeTimes
}

// probeTimes returns the durations that a probe may have. They fit the usual limits of
// Prometheus, whose requests state how long it waits. A request with less time than the
// shortest does not wait for the end of its probe.
func probeTimes() []time.Duration {
	return []time.Duration{9500 * time.Millisecond, 4500 * time.Millisecond, 1500 * time.Millisecond}
}

// Times of a request for a probe.
const (
	probeReserve = 500 * time.Millisecond // for the answer to arrive
	minAttempt   = 100 * time.Millisecond
	timeHeader   = "X-Prometheus-Scrape-Timeout-Seconds"
)

// usualAttempts is how often most protocols repeat a query.
const usualAttempts = 4

// serveProbe serves metrics of one server, with the parameters of other exporters of
// Prometheus. A module is a protocol or game.
func (s *Service) serveProbe(w http.ResponseWriter, r *http.Request) {
	values := r.URL.Query()
	p, err := gameNamed(values.Get("module"), "")
	if err != nil {
		http.Error(w, "module: "+err.Error(), http.StatusBadRequest)
		return
	}
	key := probeKey{queryKey: queryKey{game: strings.ToLower(values.Get("module"))}}
	key.at, err = parsePlace(p, values.Get("target"))
	if err != nil {
		http.Error(w, "target: "+err.Error(), http.StatusBadRequest)
		return
	}
	limit := timeOf(r)
	for _, key.time = range probeTimes() {
		if key.time <= limit {
			break
		}
	}
	ctx, cancel := context.WithTimeout(r.Context(), limit)
	defer cancel()
	client := s.Limiter.Client(r)
	got, from, err := s.probes.get(ctx, key, func(ctx context.Context, into *finding) (size int, err error) {
		ctx, cancel := context.WithTimeout(ctx, key.time)
		defer cancel()
		*into, err = s.probe(ctx, client, p, key)
		return entrySize, err
	})
	s.metrics.served("probe", from, err)
	if errors.Is(err, context.DeadlineExceeded) {
		got = &finding{Finding: verdict.Finding{Verdict: verdict.Unknown}, took: limit}
		err = nil // within this request's time nothing is known
	}
	switch {
	case err != nil:
		s.fail(w, r, err)
	case got.Err != nil && output.ErrorCode(got.Err) == output.ForbiddenCode:
		http.Error(w, got.Err.Error(), http.StatusForbidden)
	default:
		promhttp.HandlerFor(got.registry(), promhttp.HandlerOpts{}).ServeHTTP(w, r)
	}
}

// timeOf returns how long a request waits for a probe.
func timeOf(r *http.Request) time.Duration {
	seconds, err := strconv.ParseFloat(r.Header.Get(timeHeader), 64)
	if err != nil || !(seconds > 0) || seconds > queryTime.Seconds() {
		return probeTimes()[0]
	}
	all := time.Duration(seconds * float64(time.Second))
	return max(all-probeReserve, all/2)
}

// probe queries a server until it answers, or its failure is confirmed. The queries of a
// silent server take less than the time of the key. The error means that nothing is known.
func (s *Service) probe(ctx context.Context, client netip.Addr, p protocols.Protocol, key probeKey) (finding, error) {
	a := s.settings(p, false)
	attempts := a.Attempts
	if attempts == 0 {
		attempts = usualAttempts
	}
	perQuery := (key.time - time.Duration(s.Judge.Row)*verdict.Pause) / time.Duration(s.Judge.Row)
	a.Attempts, a.Timeout = attempts, max(min(a.Timeout, perQuery/time.Duration(attempts)), minAttempt)
	start := time.Now()
	var failed error
	last, row := s.Judge.Confirm(ctx, func(ctx context.Context) verdict.Finding {
		return s.Judge.Query(a.Sockets, func(via tap.Sockets) (got output.Answer) {
			heard := a
			heard.Sockets = via
			got, failed = s.ask(ctx, client, p, key.queryKey, heard)
			return got
		})
	})
	if failed != nil {
		return finding{}, failed
	}
	return finding{shown(last), row, time.Since(start)}, nil
}

// shown returns the part of a finding that metrics show, because the rest of an answer can
// be large.
func shown(f verdict.Finding) verdict.Finding {
	part := verdict.Finding{Verdict: f.Verdict}
	part.Err, part.RTT = f.Err, f.RTT
	part.View.Players, part.View.Max, part.View.Bots = clone(f.View.Players), clone(f.View.Max), clone(f.View.Bots)
	return part
}

func clone(n *int) *int {
	if n == nil {
		return nil
	}
	return new(*n)
}

// registry returns the metrics of a finding.
func (f finding) registry() *prometheus.Registry {
	all := prometheus.NewRegistry()
	gauge := func(name, help string, value float64) {
		g := prometheus.NewGauge(prometheus.GaugeOpts{Name: name, Help: help})
		g.Set(value)
		all.MustRegister(g)
	}
	known := func(name, help string, n *int) {
		if n != nil {
			gauge(name, help, float64(*n))
		}
	}
	up := 0.0
	if f.Verdict.Answers() {
		up = 1
	}
	gauge("probe_success", "1 if the server answered, otherwise 0.", up)
	gauge("probe_duration_seconds", "Duration of the probe with all its queries.", f.took.Seconds())
	gauge("gamequery_failures_in_a_row", "Queries of this probe that failed in a way that a restart may help against.",
		float64(f.row.Failures))
	verdicts := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "gamequery_verdict",
		Help: "1 for the verdict on the last query, 0 for the others."}, []string{"verdict"})
	for _, v := range verdict.All() {
		verdicts.WithLabelValues(string(v)).Set(0)
	}
	verdicts.WithLabelValues(string(f.Verdict)).Set(1)
	all.MustRegister(verdicts)
	if !f.Verdict.Answers() {
		return all
	}
	gauge("gamequery_rtt_seconds", "Round trip of the last query.", f.RTT.Seconds())
	known("gamequery_players", "Players on the server, if known.", f.View.Players)
	known("gamequery_players_max", "Maximum number of players, if known.", f.View.Max)
	known("gamequery_bots", "Bots on the server, if known.", f.View.Bots)
	return all
}
