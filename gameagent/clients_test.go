package gameagent_test

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/gameagent"
)

// pairsOf returns the values of an answer by key, as clients read it.
func pairsOf(answer string) map[string]string {
	words := strings.Split(strings.TrimPrefix(answer, `\`), `\`)
	pairs := map[string]string{}
	for ; len(words) >= 2; words = words[2:] {
		pairs[words[0]] = words[1]
	}
	return pairs
}

// Models of how clients join the datagrams of a legacy answer. Each returns the
// pairs that it reads, or nil if it calls the server offline.
var legacyJoiners = map[string]func(packets []string) map[string]string{
	// gamedig numbers datagrams without a number by their arrival. It waits for as
	// many as the one with the end mark says, and ignores a second of a number.
	"gamedig": func(packets []string) map[string]string {
		pairs, arrived, total := map[string]string{}, map[int]bool{}, 0
		for _, p := range packets {
			part := pairsOf(p)
			_, text, _ := strings.Cut(part["queryid"], ".")
			n, _ := strconv.Atoi(text)
			if n == 0 {
				n = len(arrived)
			}
			if arrived[n] {
				continue
			}
			arrived[n] = true
			if _, ok := part["final"]; ok {
				total = n
			}
			maps.Copy(pairs, part)
			if total > 0 && len(arrived) == total {
				return pairs
			}
		}
		return nil
	},
	// GameQ requires a query ID in every datagram and sorts them by it, as a decimal
	// fraction.
	"GameQ": func(packets []string) map[string]string {
		byID := map[float64]string{}
		for _, p := range packets {
			at := strings.LastIndex(p, `\queryid\`)
			if at < 0 {
				return nil
			}
			id, _, _ := strings.Cut(p[at+len(`\queryid\`):], `\`)
			n, _ := strconv.ParseFloat(id, 64)
			byID[n] = p[:at]
		}
		var joined strings.Builder
		for _, id := range slices.Sorted(maps.Keys(byID)) {
			joined.WriteString(byID[id])
		}
		return pairsOf(joined.String())
	},
	// opengsq fails on a datagram without a query ID. The datagram that is to end
	// the answer must end with the end mark once its ID is removed.
	"opengsq": func(packets []string) map[string]string {
		id := regexp.MustCompile(`\\queryid\\\d+\.(\d+)`)
		parts, total := map[int]string{}, -1
		for _, p := range packets {
			match := id.FindStringSubmatch(p)
			if match == nil {
				return nil
			}
			n, _ := strconv.Atoi(match[1])
			p = id.ReplaceAllString(p, "")
			if text, ok := strings.CutSuffix(p, `\final\`); ok {
				total, p = n, text
			}
			if n == 1 {
				p = strings.TrimPrefix(p, `\`)
			}
			parts[n] = p
			if len(parts) == total {
				var joined strings.Builder
				for _, n := range slices.Sorted(maps.Keys(parts)) {
					joined.WriteString(parts[n])
				}
				return pairsOf(joined.String())
			}
		}
		return nil
	},
	// qstat adds the pairs of each datagram until the end mark.
	"qstat": func(packets []string) map[string]string {
		pairs := map[string]string{}
		for _, p := range packets {
			maps.Copy(pairs, pairsOf(p))
		}
		return pairs
	},
}

// crowded returns an answer with players whose names have the given size.
func crowded(q gameagent.LegacyQuery, players, size int) gameagent.LegacyStatus {
	m := gameagent.LegacyStatus{Query: q, QueryID: q.ID()}
	if q == gameagent.LegacyQueryStatus {
		m.HostName, m.MapName, m.NumPlayers = "Test", "Yodeller", players
	}
	m.Players = []gameagent.Player{}
	for i := range players {
		name := fmt.Sprintf("%0*d", size, i)
		m.Players = append(m.Players, gameagent.Player{Index: i, Name: name, Frags: int32(-i), Ping: i})
	}
	return m
}

// Answers of several datagrams are read by all known clients, and by the
// LegacyAssembler, in the order in which they are sent.
func TestLegacyPacketsAreReadByClients(t *testing.T) {
	for _, q := range []gameagent.LegacyQuery{gameagent.LegacyQueryStatus, gameagent.LegacyQueryPlayers} {
		for _, players := range []int{0, 1, 16, 40, 50, 64, 128, 255} {
			for _, size := range []int{1, 15, 30} {
				m := crowded(q, players, size)
				packets, err := m.Packets()
				if err != nil {
					t.Fatal(err)
				}
				var texts []string
				for _, p := range packets {
					texts = append(texts, string(p))
					if len(p) > gameagent.MaxPacket {
						t.Errorf("%v, %d players: datagram of %d bytes", q, players, len(p))
					}
				}
				for client, join := range legacyJoiners {
					if client == "GameQ" && len(packets) > 9 {
						continue // it takes 333.10 for 333.1: see LegacyStatus.Packets
					}
					checkJoined(t, fmt.Sprintf("%s: %v, %d players of %d bytes", client, q, players, size), m, join(texts))
				}
			}
		}
	}
}

// checkJoined checks that a client has read a message.
func checkJoined(t *testing.T, name string, m gameagent.LegacyStatus, got map[string]string) {
	t.Helper()
	if got == nil {
		t.Errorf("%s: offline", name)
		return
	}
	if got["hostname"] != m.HostName || got["mapname"] != m.MapName || cmp.Or(got["numplayers"], "0") != strconv.Itoa(m.NumPlayers) {
		t.Errorf("%s: got %q", name, got)
	}
	for _, p := range m.Players {
		i := strconv.Itoa(p.Index)
		if got["player_"+i] != p.Name || got["frags_"+i] != strconv.Itoa(int(p.Frags)) || got["ping_"+i] != i {
			t.Errorf("%s: player %d is missing or wrong", name, p.Index)
		}
	}
}
