// Package metrics defines the metrics of lobbyd for Prometheus.
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
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
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
	GameAgent gamespy1net.MasterStats
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
	Limiters  [2]admission.Stats
	Expiries  map[string]time.Time // of certificates
}

// A metric has one value, or one for each value of its label.
type metric struct {
	name   string
	kind   prometheus.ValueType
	label  string
	values func(c Counts) values
	help   string
}

// A Collector computes the metrics of lobbyd on request.
type Collector struct{ Counts func() Counts }

// Describe sends the descriptions of all metrics.
func (c Collector) Describe(ch chan<- *prometheus.Desc) {
	for _, m := range metrics {
		ch <- m.desc()
	}
}

// Collect sends the values of all metrics.
func (c Collector) Collect(ch chan<- prometheus.Metric) {
	now := c.Counts()
	for _, m := range metrics {
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
