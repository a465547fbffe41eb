package fleet

import (
	"fmt"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
)

// A watchMetric is a metric of each watched server. It has the labels protocol and
// server, and others.
type watchMetric struct {
	name, help string
	kind       prometheus.ValueType
	labels     []string
	values     func(s *watched, add addValue)
}

// An addValue adds a value of a metric, with values of its labels.
type addValue func(value float64, labels ...string)

// watchMetrics are the metrics of watch. README.md contains the same table.
func watchMetrics() []watchMetric {
	const gauge, counter = prometheus.GaugeValue, prometheus.CounterValue
	return []watchMetric{
		{"gamequery_up", "1 if the server answered the last query, otherwise 0.", gauge, nil, func(s *watched, add addValue) {
			up := 0.0
			if s.last.Err == nil {
				up = 1
			}
			add(up)
		}},
		{"gamequery_verdict", "1, with the verdict on the last query as a label.", gauge, []string{"verdict"},
			func(s *watched, add addValue) {
				add(1, string(s.row.Last))
			}},
		{"gamequery_failures_in_a_row", "Failures since the last answer that a restart may help against.", gauge, nil,
			func(s *watched, add addValue) {
				add(float64(s.row.Failures))
			}},
		{"gamequery_players", "Players on the server, if known.", gauge, nil, func(s *watched, add addValue) {
			addKnown(add, s.last.View.Players)
		}},
		{"gamequery_players_max", "Maximum number of players, if known.", gauge, nil, func(s *watched, add addValue) {
			addKnown(add, s.last.View.Max)
		}},
		{"gamequery_bots", "Bots on the server, if known.", gauge, nil, func(s *watched, add addValue) {
			addKnown(add, s.last.View.Bots)
		}},
		{"gamequery_rtt_seconds", "Round trip of the last query, if it was answered.", gauge, nil,
			func(s *watched, add addValue) {
				if s.last.Err == nil {
					add(s.last.RTT.Seconds())
				}
			}},
		{
			"gamequery_info", "1, with properties of the server as labels, if it answered the last query.", gauge,
			[]string{"address", "query", "name", "game", "map", "mode", "version"}, func(s *watched, add addValue) {
				if a, v := s.last, s.last.View; a.Err == nil {
					add(1, a.Address(), a.Query.String(), v.Name, v.Game, v.Map, v.Mode, v.Version)
				}
			},
		},
		{"gamequery_answers_total", "Queries with an answer.", counter, nil, func(s *watched, add addValue) {
			add(float64(s.answers))
		}},
		{"gamequery_failures_total", "Queries without an answer, by the error code in JSON.", counter, []string{"code"},
			func(s *watched, add addValue) {
				for code, n := range s.failures {
					add(float64(n), code)
				}
			}},
	}
}

// addKnown adds a number, unless it is unknown.
func addKnown(add addValue, n *int) {
	if n != nil {
		add(float64(*n))
	}
}

func (m watchMetric) desc() *prometheus.Desc {
	return prometheus.NewDesc(m.name, m.help, append([]string{"protocol", "server"}, m.labels...), nil)
}

// A fleetCollector computes the metrics on request.
type fleetCollector struct{ of *Fleet }

func (c fleetCollector) Describe(ch chan<- *prometheus.Desc) {
	for _, m := range watchMetrics() {
		ch <- m.desc()
	}
}

func (c fleetCollector) Collect(ch chan<- prometheus.Metric) {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	if !c.of.asked {
		return
	}
	for _, m := range watchMetrics() {
		desc := m.desc()
		for _, s := range c.of.Servers {
			m.values(s, func(value float64, labels ...string) {
				labels = append([]string{c.of.protocol.Name, s.name}, labels...)
				for i, label := range labels {
					labels[i] = terminal.Clean(label)
				}
				ch <- prometheus.MustNewConstMetric(desc, m.kind, value, labels...)
			})
		}
	}
}

// metricsTime limits how long a client takes for a request or an answer.
const metricsTime = 10 * time.Second

// NewMetricsServer returns a server of the metrics and the health of a fleet.
func NewMetricsServer(f *Fleet) *http.Server {
	r := prometheus.NewRegistry()
	r.MustRegister(fleetCollector{f}, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(r, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		if err := f.Health(); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ok")
	})
	return &http.Server{Handler: mux, ReadTimeout: metricsTime, WriteTimeout: metricsTime}
}
