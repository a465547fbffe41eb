package main

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
	"github.com/lobbywire/lobbywire/warzone/wzproposal/proposalnet"
)

// newRegistry returns a registry with the metrics of the process.
func newRegistry() *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return r
}

// counts are the counts of all masters at one point in time.
type counts struct {
	gameagent gameagentnet.MasterStats
	gamespy   gamespy2net.MasterStats
	bomberman bombermannet.ManagementServerStats
	games     warzonegames.Stats
	lobbies   map[string]warzonenet.LobbyStats
	http      wzhttpnet.LobbyStats
	entries   []*catalogue.Entry
	cluster   *cluster.State // nil without a cluster
	saved     *data.Stats    // nil without a data directory
	kept      fdstore.Stats
	phase     phase
	prefixes  int
	patterns  int
	refused   uint64
	unlisted  map[lobbywire.Reason]uint64
	doors     [2]admission.Stats
	expiries  map[string]time.Time // of certificates
}

func (d *lobbyd) counts() counts {
	m, bans := d.masters, d.rules.all()
	now := counts{
		gameagent: m.gameagent.Stats(),
		gamespy:   m.gamespy.Stats(),
		bomberman: m.bomberman.Stats(),
		games:     m.games.Stats(),
		lobbies: map[string]warzonenet.LobbyStats{
			"warzone": m.lobby.Stats(), "layout21": m.layout21.Stats(), "layout20": m.layout20.Stats(),
			"text": proposalStats(m.text), "binary": proposalStats(m.binary), "json": proposalStats(m.json),
			"http": lobbyStats(m.http.Stats()),
		},
		http:     m.http.Stats(),
		entries:  d.catalogue.Snapshot().Entries,
		kept:     d.kept.Stats(),
		phase:    d.ready.get(),
		prefixes: len(bans.Prefixes),
		patterns: len(bans.Patterns),
		refused:  d.gate.Refused(),
		unlisted: d.refusals.Counts(),
		doors:    [2]admission.Stats{d.public.Stats(), d.operators.Stats()},
		expiries: d.certificates.Expiries(),
	}
	if d.lists != nil {
		saved := d.lists.Stats()
		now.saved = &saved
	}
	if node := d.node.Load(); node != nil {
		state := node.State()
		now.cluster = &state
	}
	return now
}

// lobbyStats returns what the HTTP lobby counts as others do. It knows nothing of
// connections.
func lobbyStats(s wzhttpnet.LobbyStats) warzonenet.LobbyStats {
	return warzonenet.LobbyStats{
		Lists: s.Lists, Added: s.Added, Updated: s.Updated, Refused: s.Refused,
		Malformed: s.Malformed,
	}
}

// proposalStats returns what the lobby of a proposal counts as others do.
func proposalStats(l *proposalnet.Lobby) warzonenet.LobbyStats {
	s := l.Stats()
	return warzonenet.LobbyStats{
		ConnStats: s.ConnStats, Lists: s.Lists, Added: s.Added, Updated: s.Updated, Refused: s.Refused,
		Malformed: s.Malformed,
	}
}

// A metric has one value, or one for each value of its label.
type metric struct {
	name, help string
	kind       prometheus.ValueType
	label      string
	values     func(c counts) values
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
func ofConns(count func(s lobbywire.ConnStats) uint64) func(c counts) values {
	return func(c counts) values {
		all := values{
			"bomberman":      float64(count(c.bomberman.ConnStats)),
			"gameagent-list": float64(count(c.gameagent.Conns)),
			"gamespy-list":   float64(count(c.gamespy.Conns)),
		}
		for name, s := range c.lobbies {
			all[name] = float64(count(s.ConnStats))
		}
		return all
	}
}

// ofWarzone returns the values of a count for each Warzone server.
func ofWarzone(count func(s warzonenet.LobbyStats) uint64) func(c counts) values {
	return func(c counts) values {
		all := make(values)
		for name, s := range c.lobbies {
			all[name] = float64(count(s))
		}
		return all
	}
}

// ofData returns a value of the data directory, if there is one.
func ofData(value func(s *data.Stats) uint64) func(c counts) values {
	return func(c counts) values {
		if c.saved == nil {
			return nil
		}
		return one(value(c.saved))
	}
}

// ofCluster returns the value of a count of the cluster, or nothing without a cluster.
func ofCluster(count func(s *cluster.State) int) func(c counts) values {
	return func(c counts) values {
		if c.cluster == nil {
			return nil
		}
		return one(count(c.cluster))
	}
}

// ofEntries returns the sum of a number over all entries of each family.
func ofEntries(number func(e *catalogue.Entry) int) func(c counts) values {
	return func(c counts) values {
		all := make(values)
		for _, f := range catalogue.Families() {
			all[string(f)] = 0
		}
		for _, e := range c.entries {
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

// A collector computes the metrics on request.
type collector struct{ of *lobbyd }

func (c collector) Describe(ch chan<- *prometheus.Desc) {
	for _, m := range metrics() {
		ch <- m.desc()
	}
}

func (c collector) Collect(ch chan<- prometheus.Metric) {
	now := c.of.counts()
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
