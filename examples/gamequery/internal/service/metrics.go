package service

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/examples/internal/admission"
)

// metrics count what a Service does.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	results  *prometheus.CounterVec
	queries  *prometheus.CounterVec
}

func newMetrics(s *Service) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: counters("gamequery_http_requests_total", "Requests, by path and status.", "path", "code"),
		results: counters("gamequery_http_results_total",
			"Results, by what they are and where they come from: made, cached, joined or refused.", "kind", "from"),
		queries: counters("gamequery_http_queries_total",
			"Queries of servers and masters, by protocol and error code.", "protocol", "code"),
	}
	m.registry.MustRegister(
		m.requests, m.results, m.queries,
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "gamequery_http_queries_running",
			Help: "Queries that run now."}, func() float64 {
			return float64(s.budget.queries.units())
		}),
		prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "gamequery_http_refused_total",
			Help: "Requests that were refused with 429, and connections."}, func() float64 {
			return float64(refusals(s.Limiter))
		}),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return m
}

func counters(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
}

func refusals(d *admission.Limiter) (sum uint64) {
	for _, n := range d.Stats().Refused {
		sum += n
	}
	return sum
}

// count counts a request by the pattern that it has matched. Requests that match none share
// one count.
func (m *metrics) count(r *http.Request, status int) {
	_, path, ok := strings.Cut(r.Pattern, " ")
	if !ok {
		path = "other"
	}
	path = strings.TrimSuffix(path, "{$}")
	m.requests.WithLabelValues(path, strconv.Itoa(status)).Inc()
}

// served counts a result.
func (m *metrics) served(kind string, from origin, err error) {
	name := [...]string{made: "made", cached: "cached", joined: "joined"}[from]
	if err != nil {
		name = "refused"
	}
	m.results.WithLabelValues(kind, name).Inc()
}

// asked counts a query.
func (m *metrics) asked(p protocols.Protocol, err error) {
	code := "ok"
	if err != nil {
		code = output.ErrorCode(err)
	}
	m.queries.WithLabelValues(p.Name, code).Inc()
}
