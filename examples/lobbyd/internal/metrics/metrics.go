// Package metrics has the metrics of lobbyd for Prometheus.
package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/examples/internal/admission"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/cluster"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/data"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/fdstore"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
)

// NewRegistry returns a registry with the metrics of the process.
func NewRegistry() *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return r
}

// Counts are the counts of all masters at one point in time.
type Counts struct {
	Ready     bool
	GameAgent gameagentnet.MasterStats
	GameSpy   gamespy2net.MasterStats
	Bomberman bombermannet.ManagementServerStats
	Games     warzonegames.Stats
	Lobbies   map[string]warzonenet.LobbyStats // by server
	HTTP      wzhttpnet.LobbyStats
	Entries   []*catalogue.Entry
	Cluster   *cluster.State // nil without a cluster
	Saved     *data.Stats    // nil without a data directory
	Kept      fdstore.Stats
	Prefixes  int // banned
	Patterns  int // banned
	Refused   uint64
	Unlisted  map[lobbywire.Reason]uint64
	Doors     [2]admission.Stats
	Expiries  map[string]time.Time // of certificates
}

// A metric has one value, or one for each value of its label.
type metric struct {
	name, help string
	kind       prometheus.ValueType
	label      string
	values     func(c Counts) values
}

// values maps values of the label to values of the metric. The key is "" without a
// label.
type values map[string]float64

func one[N int | uint64](n N) values { return values{"": float64(n)} }

// oneIf returns 1 if a condition is met, and otherwise 0.
func oneIf(is bool) int {
	if is {
		return 1
	}
	return 0
}

// ofConns returns the values of a count for each server over TCP.
func ofConns(count func(s lobbywire.ConnStats) uint64) func(c Counts) values {
	return func(c Counts) values {
		all := values{
			"bomberman":      float64(count(c.Bomberman.ConnStats)),
			"gameagent-list": float64(count(c.GameAgent.Conns)),
			"gamespy-list":   float64(count(c.GameSpy.Conns)),
		}
		for name, s := range c.Lobbies {
			all[name] = float64(count(s.ConnStats))
		}
		return all
	}
}

// ofWarzone returns the values of a count for each Warzone server.
func ofWarzone(count func(s warzonenet.LobbyStats) uint64) func(c Counts) values {
	return func(c Counts) values {
		all := make(values)
		for name, s := range c.Lobbies {
			all[name] = float64(count(s))
		}
		return all
	}
}

// ofData returns a value of the data directory, if there is one.
func ofData(value func(s *data.Stats) uint64) func(c Counts) values {
	return func(c Counts) values {
		if c.Saved == nil {
			return nil
		}
		return one(value(c.Saved))
	}
}

// ofCluster returns the value of a count of the cluster, or nothing without a cluster.
func ofCluster(count func(s *cluster.State) int) func(c Counts) values {
	return func(c Counts) values {
		if c.Cluster == nil {
			return nil
		}
		return one(count(c.Cluster))
	}
}

// ofEntries returns the sum of a number over all entries of each family.
func ofEntries(number func(e *catalogue.Entry) int) func(c Counts) values {
	return func(c Counts) values {
		all := make(values)
		for _, f := range catalogue.Families() {
			all[string(f)] = 0
		}
		for _, e := range c.Entries {
			all[string(e.Family)] += float64(number(e))
		}
		return all
	}
}

// and adds the count of a server of another family.
func (v values) and(server string, n uint64) values {
	v[server] = float64(n)
	return v
}

// A Collector computes the metrics of lobbyd on request.
type Collector struct{ Counts func() Counts }

// Describe sends the descriptions of all metrics.
func (c Collector) Describe(ch chan<- *prometheus.Desc) {
	for _, m := range metrics() {
		ch <- m.desc()
	}
}

// Collect sends the values of all metrics.
func (c Collector) Collect(ch chan<- prometheus.Metric) {
	now := c.Counts()
	for _, m := range metrics() {
		desc := m.desc()
		for label, value := range m.values(now) {
			var labels []string
			if m.label != "" {
				labels = []string{label}
			}
			ch <- prometheus.MustNewConstMetric(desc, m.kind, value, labels...)
		}
	}
}

func (m metric) desc() *prometheus.Desc {
	var labels []string
	if m.label != "" {
		labels = []string{m.label}
	}
	return prometheus.NewDesc(m.name, m.help, labels, nil)
}
