package browser

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// detailLines returns the details of a server that are on the screen.
func (m *model) detailLines(s *server) []string {
	all := m.detailsOf(s)
	visible := m.height - linesAboveDetails - len(m.below())
	m.scroll = max(min(m.scroll, len(all)-visible), 0)
	lines := all[m.scroll:min(m.scroll+max(visible, 0), len(all))]
	fitted := make([]string, len(lines))
	for i, line := range lines {
		fitted[i] = m.fit(line)
	}
	return fitted
}

func (m *model) detailsOf(s *server) []string {
	var lines []string
	add := func(name, value string) {
		if value != "" {
			lines = append(lines, fmt.Sprintf("%-10s %s", name, value))
		}
	}
	v := s.view
	add("name", v.Name)
	add("game", v.Game)
	add("map", v.Map)
	add("mode", v.Mode)
	add("version", v.Version)
	add("join at", s.join)
	add("protocol", s.protocolAndAddress())
	for _, other := range m.others(s) {
		add("also", other.protocolAndAddress())
	}
	add("players", places(s))
	if v.Bots != nil {
		add("bots", strconv.Itoa(*v.Bots))
	}
	if v.Spectators != nil {
		add("spectators", strconv.Itoa(*v.Spectators))
	}
	if len(v.Mods) > 0 {
		add("mods", strings.Join(v.Mods, ", "))
	}
	if v.Password != nil {
		add("password", map[bool]string{true: "yes", false: "no"}[*v.Password])
	}
	if s.err != nil {
		add("error", m.browser.Clean(s.err.Error()))
	}
	if len(s.trips) > 0 {
		add("ping", graph(s.trips)+"  "+summary(s.trips))
	}
	if len(v.Teams) > 0 {
		lines = append(lines, "", "TEAM"+strings.Repeat(" ", 22)+"SCORE")
		for _, t := range v.Teams {
			lines = append(lines, padded(t.Name, 25)+fmt.Sprintf(" %5s", number(t.Score)))
		}
	}
	if len(v.Roster) > 0 {
		lines = append(lines, "", "PLAYER"+strings.Repeat(" ", 20)+"SCORE  PING  TEAM")
		for _, p := range v.Roster {
			lines = append(lines,
				fmt.Sprintf("%s %5s %5s  %s", padded(p.Name, 25), number(p.Score), number(p.Ping), p.Team))
		}
	}
	if len(v.Rules) > 0 {
		lines = append(lines, "", "RULES")
		for _, r := range v.Rules {
			lines = append(lines, padded(r.Key, 25)+" "+r.Value)
		}
	}
	return lines
}

func number(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

// graph draws round trips as bars, the longest as the highest. A query without an
// answer is a gap.
func graph(trips []time.Duration) string {
	bars := []rune("▁▂▃▄▅▆▇█")
	longest := time.Duration(1)
	for _, d := range trips {
		longest = max(longest, d)
	}
	var b strings.Builder
	for _, d := range trips {
		if d == 0 {
			b.WriteByte('.')
			continue
		}
		b.WriteRune(bars[int(d*time.Duration(len(bars)-1)/longest)])
	}
	return b.String()
}

// summary returns the last, the shortest and the longest round trip, and how many
// queries had no answer.
func summary(trips []time.Duration) string {
	var least, most time.Duration
	lost := 0
	for _, d := range trips {
		switch {
		case d == 0:
			lost++
		case least == 0 || d < least:
			least = d
		}
		most = max(most, d)
	}
	text := "no answer"
	if most > 0 {
		text = fmt.Sprintf("%s ms, %s to %s", milliseconds(trips[len(trips)-1]), milliseconds(least),
			milliseconds(most))
	}
	if lost > 0 {
		text += fmt.Sprintf(", %d of %d lost", lost, len(trips))
	}
	return text
}
