package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/admission"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/cluster"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/data"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// metrics are the metrics of lobbyd itself. The README of lobbyd has the same table.
func metrics() []metric {
	const gauge, counter = prometheus.GaugeValue, prometheus.CounterValue
	return []metric{
		{"lobbyd_ready", "1 if /readyz reports ready, otherwise 0.", gauge, "", func(c Counts) values {
			return one(oneIf(c.Ready))
		}},
		{"lobbyd_certificate_expiry_timestamp_seconds",
			"Unix time when the certificate of -warzone-http expires, 0 if there is none.", gauge, "name",
			func(c Counts) values {
				all := values{}
				for name, expires := range c.Expiries {
					all[name] = max(float64(expires.Unix()), 0)
				}
				return all
			}},
		{"lobbyd_listed", "Listed servers and games, including those of other nodes: as many as on the page and in the API.",
			gauge, "family",
			ofEntries(func(e *catalogue.Entry) int { return oneIf(e.Quarantine == "") })},
		{"lobbyd_full_total", "Servers and games refused because of a limit, in total or for their address or prefix.",
			counter, "family", func(c Counts) values {
				return values{"gameagent": float64(c.GameAgent.Refused), "gamespy2": float64(c.GameSpy.Refused),
					"warzone": float64(c.Games.Refused)}
			}},
		{"lobbyd_not_listed_total", "Refusals of servers and games; some of a flood are not counted.", counter, "reason",
			func(c Counts) values {
				all := values{}
				for _, reason := range lobbywire.Reasons() {
					all[reason.String()] = float64(c.Unlisted[reason])
				}
				return all
			}},
		{"lobbyd_withheld", "Servers and games that are hidden from the lists.", gauge, "family",
			ofEntries(func(e *catalogue.Entry) int { return oneIf(e.Quarantine != "") })},
		{"lobbyd_withheld_causes", "Servers and games that are hidden from the lists, by the cause.", gauge, "cause",
			func(c Counts) values {
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
			}},
		{"lobbyd_players", "Players of listed servers and games, if their number is known.", gauge, "family",
			ofEntries(func(e *catalogue.Entry) int {
				if e.Quarantine != "" {
					return 0
				}
				return max(e.Players, 0)
			})},
		{"lobbyd_unreachable", "Listed servers and games that did not respond to probes.", gauge, "family",
			ofEntries(func(e *catalogue.Entry) int {
				return oneIf(e.Quarantine == "" &&
					e.Reach == catalogue.Unreachable)
			})},

		{"lobbyd_restored", "Servers and games that were restored after a restart and have not been checked.", gauge,
			"family", ofEntries(func(e *catalogue.Entry) int { return oneIf(e.Saved == catalogue.Unchecked) })},

		{"lobbyd_kept_connections", "Connections of hosts that systemd keeps during a restart.", gauge, "",
			func(c Counts) values { return one(uint64(c.Kept.Kept)) }},
		{"lobbyd_unkept_connections", "Connections of hosts that a restart ends, because systemd has no room.", gauge, "",
			func(c Counts) values { return one(uint64(c.Kept.Unkept)) }},

		{"lobbyd_connections", "Open connections.", gauge, "server",
			ofConns(func(s lobbywire.ConnStats) uint64 { return uint64(s.Open) })},
		{"lobbyd_connections_total", "Connections accepted.", counter, "server",
			ofConns(func(s lobbywire.ConnStats) uint64 { return s.Accepted })},
		{"lobbyd_connections_refused_total", "Connections closed because of a limit on their number.", counter,
			"server", ofConns(func(s lobbywire.ConnStats) uint64 { return s.Refused })},
		{"lobbyd_connections_timed_out_total", "Connections closed because of a timeout.", counter, "server",
			ofConns(func(s lobbywire.ConnStats) uint64 { return s.TimedOut })},
		{"lobbyd_connections_too_long_total", "Connections closed because a message was too long.", counter, "server",
			ofConns(func(s lobbywire.ConnStats) uint64 { return s.TooLong })},

		{"lobbyd_lists_total", "Lists sent to clients over TCP.", counter, "server", func(c Counts) values {
			return ofWarzone(func(s warzonenet.LobbyStats) uint64 { return s.Lists })(c).and("bomberman",
				c.Bomberman.Answered).and("gameagent-list", c.GameAgent.LegacyLists).and("gamespy-list",
				c.GameSpy.Lists)
		}},
		{"lobbyd_games_opened_total", "Games added, or added again.", counter, "server",
			ofWarzone(func(s warzonenet.LobbyStats) uint64 { return s.Added })},
		{"lobbyd_games_updated_total", "Updates of listed games, and heartbeats of the proposals.", counter, "server",
			ofWarzone(func(s warzonenet.LobbyStats) uint64 { return s.Updated })},
		{"lobbyd_games_refused_total", "Games that could not be reached, and refused requests of the proposals.",
			counter, "server", ofWarzone(func(s warzonenet.LobbyStats) uint64 { return s.Refused })},
		{"lobbyd_malformed_total", "Messages over TCP that were malformed or out of place.", counter, "server",
			func(c Counts) values {
				return ofWarzone(func(s warzonenet.LobbyStats) uint64 { return s.Malformed })(c).and("bomberman",
					c.Bomberman.Discarded)
			}},

		{"lobbyd_http_refused_total", "Requests answered with 429, and closed connections, because of a limit.", counter,
			"reason", func(c Counts) values {
				all := values{}
				for _, reason := range admission.Reasons() {
					all[reason.String()] = float64(c.Doors[0].Refused[reason] + c.Doors[1].Refused[reason])
				}
				return all
			}},
		{"lobbyd_http_idle_closed_total", "Connections without a request that were closed in favour of others.", counter,
			"", func(c Counts) values { return one(c.Doors[0].Idle + c.Doors[1].Idle) }},
		{"lobbyd_http_joins_total", "Players who got the address of a game from the HTTP lobby.", counter, "",
			func(c Counts) values { return one(c.HTTP.Joins) }},
		{"lobbyd_http_rejected_total",
			"Players that the HTTP lobby rejected for hosts because they had no valid token.", counter, "",
			func(c Counts) values { return one(c.HTTP.Rejected) }},
		{"lobbyd_http_limited_total", "Requests to the HTTP lobby that were dropped because of a rate limit.", counter,
			"", func(c Counts) values { return one(c.HTTP.Limited) }},

		{"lobbyd_gameagent_requests_total", "Datagrams received by the GameAgent master.", counter, "",
			func(c Counts) values { return one(c.GameAgent.Received) }},
		{"lobbyd_gameagent_answers_total", "Datagrams sent by the GameAgent master.", counter, "",
			func(c Counts) values { return one(c.GameAgent.Sent) }},
		{"lobbyd_gameagent_oversized_total", "Requests dropped because they were too long.", counter, "",
			func(c Counts) values { return one(c.GameAgent.Oversized) }},
		{"lobbyd_gameagent_limited_total", "Requests or lists dropped because of a rate limit.", counter, "",
			func(c Counts) values { return one(c.GameAgent.Limited) }},
		{"lobbyd_gameagent_failed_total", "Answers that could not be sent.", counter, "",
			func(c Counts) values { return one(c.GameAgent.Failed) }},

		{"lobbyd_gameagent_checks_total", "Queries sent to servers because of a legacy heartbeat.", counter, "",
			func(c Counts) values { return one(c.GameAgent.Checks) }},
		{"lobbyd_gameagent_unanswered_total", "Such queries without an answer.", counter, "",
			func(c Counts) values { return one(c.GameAgent.Unanswered) }},
		{"lobbyd_gameagent_foreign_total", "Legacy heartbeats of games that are not listed here.", counter, "",
			func(c Counts) values { return one(c.GameAgent.Foreign) }},
		{"lobbyd_gameagent_not_synced_total", "Failures to fetch the servers of a master in sync-from.", counter, "",
			func(c Counts) values { return one(c.GameAgent.NotSynced) }},
		{"lobbyd_gameagent_wrong_total", "Wrong or missing answers to challenges of the legacy form.", counter, "",
			func(c Counts) values { return one(c.GameAgent.Wrong) }},

		{"lobbyd_gamespy_requests_total", "Datagrams received by the GameSpy master.", counter, "",
			func(c Counts) values { return one(c.GameSpy.Received) }},
		{"lobbyd_gamespy_answers_total", "Datagrams sent by the GameSpy master.", counter, "",
			func(c Counts) values { return one(c.GameSpy.Sent) }},
		{"lobbyd_gamespy_oversized_total", "Heartbeats dropped because they were too long.", counter, "",
			func(c Counts) values { return one(c.GameSpy.Oversized) }},
		{"lobbyd_gamespy_limited_total", "Datagrams dropped because of a rate limit.", counter, "",
			func(c Counts) values { return one(c.GameSpy.Limited) }},
		{"lobbyd_gamespy_failed_total", "Answers that could not be sent.", counter, "",
			func(c Counts) values { return one(c.GameSpy.Failed) }},
		{"lobbyd_gamespy_challenges_total", "Heartbeats answered with a challenge.", counter, "",
			func(c Counts) values { return one(c.GameSpy.Challenges) }},
		{"lobbyd_gamespy_wrong_total", "Wrong answers to challenges: the server has another secret key.", counter, "",
			func(c Counts) values { return one(c.GameSpy.Wrong) }},
		{"lobbyd_gamespy_foreign_total",
			"Heartbeats and requests that were malformed, or of games that are not listed here.", counter, "",
			func(c Counts) values { return one(c.GameSpy.Foreign) }},
		{"lobbyd_gamespy_unchecked", "Servers that have not answered a query yet, and are not listed.", gauge, "",
			func(c Counts) values { return one(c.GameSpy.Unchecked) }},
		{"lobbyd_gamespy_lists_refused_total", "Requests for lists that were refused.", counter, "",
			func(c Counts) values { return one(c.GameSpy.RefusedLists) }},
		{"lobbyd_gamespy_clients_limited_total", "Connections closed because of too many requests.", counter, "",
			func(c Counts) values { return one(c.GameSpy.LimitedClients) }},
		{"lobbyd_gamespy_costly_filters_total", "Lists refused and connections closed because filters took too much work.",
			counter, "", func(c Counts) values { return one(c.GameSpy.CostlyFilters) }},
		{"lobbyd_gamespy_subscribers", "Clients that get changes.", gauge, "",
			func(c Counts) values { return one(c.GameSpy.Subscribers) }},
		{"lobbyd_gamespy_pushed_total", "Changes sent to clients.", counter, "",
			func(c Counts) values { return one(c.GameSpy.Pushed) }},
		{"lobbyd_gamespy_messages_total", "Messages of clients forwarded to servers.", counter, "",
			func(c Counts) values { return one(c.GameSpy.Messages) }},

		{"lobbyd_bans", "Bans in force.", gauge, "kind", func(c Counts) values {
			return values{"prefix": float64(c.Prefixes), "pattern": float64(c.Patterns)}
		}},
		{"lobbyd_banned_connections_total", "Connections closed because their address is banned.", counter, "",
			func(c Counts) values { return one(c.Refused) }},

		{"lobbyd_data_saved", "1 if the last changes of the lists were saved, otherwise 0.", gauge, "",
			ofData(func(s *data.Stats) uint64 { return uint64(oneIf(s.OK)) })},
		{"lobbyd_data_failed_total", "Attempts to save changes of the lists that failed.", counter, "",
			ofData(func(s *data.Stats) uint64 { return s.Failed })},

		{"lobbyd_cluster_connected", "1 if this node is connected to its cluster, otherwise 0.", gauge, "",
			ofCluster(func(s *cluster.State) int { return oneIf(s.Connected) })},
		{"lobbyd_cluster_nodes", "Nodes that are up, as far as this node knows.", gauge, "",
			ofCluster(func(s *cluster.State) int { return len(s.Nodes) })},
		{"lobbyd_cluster_entries", "Entries of all nodes.", gauge, "",
			ofCluster(func(s *cluster.State) int { return s.Entries })},
		{"lobbyd_cluster_queued", "Entries of this node that wait to be shared.", gauge, "",
			ofCluster(func(s *cluster.State) int { return s.Queued })},
		{"lobbyd_cluster_dropped_total", "Entries not shared because there were too many.", counter, "",
			ofCluster(func(s *cluster.State) int { return int(s.Dropped) })},
	}
}
