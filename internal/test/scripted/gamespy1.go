package scripted

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
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

// GameSpy1Joiners returns models of how clients join the datagrams of an answer, by
// their names. Each returns the pairs that it reads, or nil if it calls the server
// offline.
func GameSpy1Joiners() map[string]func(packets []string) map[string]string {
	return map[string]func(packets []string) map[string]string{
		// gamedig numbers datagrams without a number in the order of arrival. The number of the
		// datagram with the end mark is the number of datagrams to wait for. It ignores a
		// second datagram with the same number.
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
		// opengsq fails on a datagram without a query ID. The last datagram must end with the
		// end mark once its ID is removed.
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
}
