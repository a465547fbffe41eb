package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/programtest"
)

// metrics returns the answer to /metrics.
func (r running) metrics(t *testing.T) string {
	t.Helper()
	_, text := r.send(t, "GET", "/metrics", "")
	return text
}

// described matches a row of the table of metrics in README.md.
var described = regexp.MustCompile("(?m)^\\| `(sidecar_[a-z_]+)`(?: by ([a-z`, ]+))? \\| (gauge|counter) \\| (.+) \\|$")

// README.md describes exactly the metrics of the sidecar, in the same words.
func TestMetricsAreDescribed(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	text := start(t, nil, "-register", "bomberman="+refusingPort(t)).metrics(t)
	var want, got []string
	for _, row := range described.FindAllStringSubmatch(string(readme), -1) {
		name, labels, kind, help := row[1], row[2], row[3], row[4]
		want = append(want, "# HELP "+name+" "+help, "# TYPE "+name+" "+kind)
		sample := name
		if labels != "" {
			values := regexp.MustCompile("`([a-z]+)`").ReplaceAllString(strings.ReplaceAll(labels, ", ", ","), `$1="[^"]*"`)
			sample += "{" + values + "}"
		}
		if !regexp.MustCompile(`(?m)^` + sample + ` \d+$`).MatchString(text) {
			t.Errorf("no value of %s", sample)
		}
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "# ") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("README.md and /metrics (-want +got):\n%s", diff)
	}
}

// Each registration has one value, for its standing.
func TestMetricsShowEachRegistration(t *testing.T) {
	refusing := refusingPort(t)
	const odd = `a\b"c`
	r := start(t, nil, "-register", "bomberman="+refusing, "-register", "warzone="+odd)
	for _, standing := range []string{"incomplete", "unreachable"} {
		body := `{"name":"Duel"}`
		if standing == "unreachable" {
			body = `{"name":"Duel","host":"192.0.2.1","port":7777}`
		}
		r.send(t, "PUT", "/v1/state", body)
		want := []string{
			`sidecar_listed{protocol="bomberman",master="` + refusing + `",standing="` + standing + `"} 0`,
			`sidecar_listed{protocol="warzone",master="a\\b\"c",standing="` + standing + `"} 0`,
		}
		eventually(t, standing, func() bool {
			var got []string
			for line := range strings.Lines(r.metrics(t)) {
				if strings.HasPrefix(line, "sidecar_listed{") {
					got = append(got, strings.TrimSpace(line))
				}
			}
			return slices.Equal(want, got)
		})
	}
}

func TestDashboardUsesExistingMetrics(t *testing.T) {
	text := start(t, nil, "-register", "bomberman="+refusingPort(t)).metrics(t)
	programtest.CheckDashboard(t, "grafana/dashboard.json", programtest.Labels(text))
}

func allStandings() (all []string) {
	for s := lobbywire.StandingStarting; s <= lobbywire.StandingLeft; s++ {
		all = append(all, s.String())
	}
	return all
}

// The alert rules name only metrics and standings that exist.
func TestAlertsNameExistingMetrics(t *testing.T) {
	var file struct {
		Groups []struct {
			Name  string
			Rules []struct {
				Alert, Expr, For string
				Annotations      map[string]string
			}
		}
	}
	decode(t, "prometheus/alerts.yml", &file)
	text := start(t, nil, "-register", "bomberman="+refusingPort(t)).metrics(t)
	rules := 0
	for _, group := range file.Groups {
		for _, rule := range group.Rules {
			rules++
			for _, name := range regexp.MustCompile(`\bsidecar_\w+`).FindAllString(rule.Expr, -1) {
				if !strings.Contains(text, "# TYPE "+name+" ") {
					t.Errorf("%s: there is no %s", rule.Alert, name)
				}
			}
			for _, list := range regexp.MustCompile(`standing!?[=~]+"([^"]*)"`).FindAllStringSubmatch(rule.Expr, -1) {
				for name := range strings.SplitSeq(list[1], "|") {
					if !slices.Contains(allStandings(), name) {
						t.Errorf("%s: there is no standing %s", rule.Alert, name)
					}
				}
			}
		}
	}
	if rules < 5 {
		t.Errorf("%d rules", rules)
	}
}
