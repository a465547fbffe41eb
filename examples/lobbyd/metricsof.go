package main

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/cluster"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// metrics are the metrics of lobbyd itself. README.md has the same table.
func metrics() []metric {
	const gauge, counter = prometheus.GaugeValue, prometheus.CounterValue
	return []metric{
		{"lobbyd_ready", "Whether /readyz says so: 1 or 0.", gauge, "", func(c counts) values {
			if c.phase == ready {
				return one(1)
			}
			return one(0)
		}},
		{"lobbyd_listed", "Servers and games in the lists now, with those of other nodes.", gauge, "family", func(c counts) values {
			return values{
				"gameagent": float64(c.gameagent.Listed),
				"gamespy2":  float64(c.gamespy.Listed),
				"warzone":   float64(c.games.Listed),
				"bomberman": float64(c.bomberman.Listed),
			}
		}},
		{"lobbyd_full_total", "Servers and games not listed because there were too many, in all or of their address or prefix.", counter, "family", func(c counts) values {
			return values{"gameagent": float64(c.gameagent.Refused), "gamespy2": float64(c.gamespy.Refused), "warzone": float64(c.games.Refused)}
		}},
		{"lobbyd_withheld", "Servers and games that are kept off the lists, banned or absurd.", gauge, "family", func(c counts) values {
			return c.ofEntries(func(e *catalogue.Entry) int {
				if e.Quarantine != "" {
					return 1
				}
				return 0
			})
		}},
		{"lobbyd_players", "Players of those that are listed, where their number is known.", gauge, "family", func(c counts) values {
			return c.ofEntries(func(e *catalogue.Entry) int {
				if e.Quarantine != "" {
					return 0
				}
				return max(e.Players, 0)
			})
		}},
		{"lobbyd_unreachable", "Servers and games in the lists that did not answer when they were asked.", gauge, "family", func(c counts) values {
			return c.ofEntries(func(e *catalogue.Entry) int {
				if e.Quarantine == "" && e.Reach == catalogue.Unreachable {
					return 1
				}
				return 0
			})
		}},

		{"lobbyd_connections", "Connections now.", gauge, "server", func(c counts) values {
			return c.ofConns(func(s lobbywire.ConnStats) uint64 { return uint64(s.Open) })
		}},
		{"lobbyd_connections_total", "Connections accepted.", counter, "server", func(c counts) values {
			return c.ofConns(func(s lobbywire.ConnStats) uint64 { return s.Accepted })
		}},
		{"lobbyd_connections_refused_total", "Connections closed at once for a limit on their number.", counter, "server", func(c counts) values {
			return c.ofConns(func(s lobbywire.ConnStats) uint64 { return s.Refused })
		}},
		{"lobbyd_connections_timed_out_total", "Connections ended because the peer took too long to send.", counter, "server", func(c counts) values {
			return c.ofConns(func(s lobbywire.ConnStats) uint64 { return s.TimedOut })
		}},
		{"lobbyd_connections_too_long_total", "Connections ended because there was no room for a message.", counter, "server", func(c counts) values {
			return c.ofConns(func(s lobbywire.ConnStats) uint64 { return s.TooLong })
		}},

		{"lobbyd_lists_total", "Lists sent to clients over TCP.", counter, "server", func(c counts) values {
			return c.ofWarzone(func(s warzonenet.LobbyStats) uint64 { return s.Lists }).and("bomberman", c.bomberman.Answered).and("gameagent-list", c.gameagent.LegacyLists)
		}},
		{"lobbyd_games_opened_total", "Games listed, again or anew.", counter, "server", func(c counts) values {
			return c.ofWarzone(func(s warzonenet.LobbyStats) uint64 { return s.Added })
		}},
		{"lobbyd_games_updated_total", "Changes of listed games, and heartbeats of the proposals.", counter, "server", func(c counts) values {
			return c.ofWarzone(func(s warzonenet.LobbyStats) uint64 { return s.Updated })
		}},
		{"lobbyd_games_refused_total", "Games that could not be reached, and requests of the proposals that were not carried out.", counter, "server", func(c counts) values {
			return c.ofWarzone(func(s warzonenet.LobbyStats) uint64 { return s.Refused })
		}},
		{"lobbyd_malformed_total", "Messages over TCP that were none, or made no sense then.", counter, "server", func(c counts) values {
			return c.ofWarzone(func(s warzonenet.LobbyStats) uint64 { return s.Malformed }).and("bomberman", c.bomberman.Discarded)
		}},

		{"lobbyd_http_joins_total", "Players who got the address of a game from the HTTP lobby.", counter, "", func(c counts) values { return one(c.http.Joins) }},
		{"lobbyd_http_rejected_total", "Players that hosts asked the HTTP lobby about, and who had no valid token.", counter, "", func(c counts) values { return one(c.http.Rejected) }},
		{"lobbyd_http_limited_total", "Requests that the HTTP lobby did not answer because of a limit on rates.", counter, "", func(c counts) values { return one(c.http.Limited) }},

		{"lobbyd_gameagent_requests_total", "Datagrams that came to the GameAgent master.", counter, "", func(c counts) values { return one(c.gameagent.Received) }},
		{"lobbyd_gameagent_answers_total", "Datagrams that it sent.", counter, "", func(c counts) values { return one(c.gameagent.Sent) }},
		{"lobbyd_gameagent_oversized_total", "Requests dropped because they were longer than any.", counter, "", func(c counts) values { return one(c.gameagent.Oversized) }},
		{"lobbyd_gameagent_limited_total", "Requests not looked at, or lists not sent, because of a limit on rates.", counter, "", func(c counts) values { return one(c.gameagent.Limited) }},
		{"lobbyd_gameagent_failed_total", "Answers that the system refused to send.", counter, "", func(c counts) values { return one(c.gameagent.Failed) }},

		{"lobbyd_gameagent_checks_total", "Queries of servers that had sent a legacy heartbeat.", counter, "", func(c counts) values { return one(c.gameagent.Checks) }},
		{"lobbyd_gameagent_unanswered_total", "Those that were not answered.", counter, "", func(c counts) values { return one(c.gameagent.Unanswered) }},
		{"lobbyd_gameagent_foreign_total", "Legacy heartbeats of games that are not listed here.", counter, "", func(c counts) values { return one(c.gameagent.Foreign) }},
		{"lobbyd_gameagent_wrong_total", "Wrong or missing answers to challenges of the legacy form.", counter, "", func(c counts) values { return one(c.gameagent.Wrong) }},

		{"lobbyd_bans", "Bans that hold now.", gauge, "kind", func(c counts) values {
			return values{"prefix": float64(c.prefixes), "pattern": float64(c.patterns)}
		}},
		{"lobbyd_banned_connections_total", "Connections closed because their address is banned.", counter, "", func(c counts) values { return one(c.refused) }},

		{"lobbyd_cluster_connected", "Whether this node reaches the others, in a cluster: 1 or 0.", gauge, "", func(c counts) values {
			return c.ofCluster(func(s *cluster.State) int {
				if s.Connected {
					return 1
				}
				return 0
			})
		}},
		{"lobbyd_cluster_nodes", "Nodes that are up, as far as this one knows.", gauge, "", func(c counts) values {
			return c.ofCluster(func(s *cluster.State) int { return len(s.Nodes) })
		}},
		{"lobbyd_cluster_entries", "Entries of all nodes.", gauge, "", func(c counts) values {
			return c.ofCluster(func(s *cluster.State) int { return s.Entries })
		}},
		{"lobbyd_cluster_queued", "Entries of this node that wait to be told to the others.", gauge, "", func(c counts) values {
			return c.ofCluster(func(s *cluster.State) int { return s.Queued })
		}},
		{"lobbyd_cluster_dropped_total", "Entries not told to the others because there were too many.", counter, "", func(c counts) values {
			return c.ofCluster(func(s *cluster.State) int { return int(s.Dropped) })
		}},
	}
}
