package metrics

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/admission"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/cluster"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/data"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

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

// byCertificate returns when certificates expire, or 0 for missing ones.
func byCertificate(c Counts) values {
	all := values{}
	for name, expires := range c.Expiries {
		all[name] = max(float64(expires.Unix()), 0)
	}
	return all
}

// full returns the refusals because of a limit.
func full(c Counts) values {
	return values{"gameagent": float64(c.GameAgent.Refused), "gamespy2": float64(c.GameSpy.Refused),
		"warzone": float64(c.Games.Refused)}
}

// cut returns which lists lack servers.
func cut(c Counts) values {
	return values{"gameagent": float64(oneIf(c.GameAgent.Cut)), "bomberman": float64(oneIf(c.Bomberman.Cut)),
		"warzone": float64(oneIf(c.Games.Cut))}
}

func byReason(c Counts) values {
	all := values{}
	for _, reason := range lobbywire.Reasons() {
		all[reason.String()] = float64(c.Unlisted[reason])
	}
	return all
}

func byCause(c Counts) values {
	all := values{}
	for _, cause := range catalogue.Causes() {
		all[string(cause)] = 0
	}
	for _, e := range c.Entries {
		if e.Cause != "" {
			all[string(e.Cause)]++
		}
	}
	return all
}

// byLimit returns the requests and connections that both limiters have refused.
func byLimit(c Counts) values {
	all := values{}
	for _, reason := range admission.Reasons() {
		all[reason.String()] = float64(c.Limiters[0].Refused[reason] + c.Limiters[1].Refused[reason])
	}
	return all
}

func bans(c Counts) values {
	return values{"prefix": float64(c.Prefixes), "pattern": float64(c.Patterns)}
}

func listsSent(c Counts) values {
	all := ofWarzone(func(s warzonenet.LobbyStats) uint64 { return s.Lists })(c)
	return all.and("bomberman", c.Bomberman.Answered).and("gameagent-list", c.GameAgent.GameSpyLists).
		and("gamespy-list", c.GameSpy.Lists)
}

func malformed(c Counts) values {
	all := ofWarzone(func(s warzonenet.LobbyStats) uint64 { return s.Malformed })(c)
	return all.and("bomberman", c.Bomberman.Discarded)
}

// These functions return what an entry adds to the sum of its family.

func listed(e *catalogue.Entry) int    { return oneIf(e.Quarantine == "") }
func hidden(e *catalogue.Entry) int    { return oneIf(e.Quarantine != "") }
func unchecked(e *catalogue.Entry) int { return oneIf(e.Saved == catalogue.Unchecked) }

func unreachable(e *catalogue.Entry) int {
	return oneIf(e.Quarantine == "" && e.Reach == catalogue.Unreachable)
}

func players(e *catalogue.Entry) int {
	if e.Quarantine != "" {
		return 0
	}
	return max(e.Players, 0)
}
