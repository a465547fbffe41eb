package programtest

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A board is the part of a dashboard that CheckDashboard reads.
type board struct {
	UID        string
	Templating struct{ List []variable }
	Panels     []panel
}

type variable struct{ Name, Type, Query string }

type panel struct {
	ID      int
	Title   string
	GridPos struct{ X, Y, W, H int }
	Targets []struct{ Expr, LegendFormat string }
}

// CheckDashboard checks that a file is a dashboard that Grafana reads: panels on a grid
// that do not overlap, whose queries name only variables of the dashboard, and metrics of a
// program with their labels.
func CheckDashboard(t *testing.T, file string, labels map[string][]string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var b board
	if err := json.Unmarshal(text, &b); err != nil {
		t.Fatal(err)
	}
	if b.UID == "" || len(b.Panels) < 10 {
		t.Fatalf("UID %q, %d panels", b.UID, len(b.Panels))
	}
	c := checker{t, labels, []string{"__rate_interval"}}
	for _, v := range b.Templating.List {
		c.variables = append(c.variables, v.Name)
		if v.Type == "query" {
			c.check(v.Query, "")
		}
	}
	ids := map[int]bool{}
	var used [100][24]string // by row and column of the grid
	for _, p := range b.Panels {
		if ids[p.ID] || len(p.Targets) == 0 {
			t.Errorf("%s has the id of another panel, or shows nothing", p.Title)
		}
		ids[p.ID] = true
		for y := p.GridPos.Y; y < p.GridPos.Y+p.GridPos.H; y++ {
			for x := p.GridPos.X; x < p.GridPos.X+p.GridPos.W; x++ {
				if used[y][x] != "" {
					t.Fatalf("%s is over %s", p.Title, used[y][x])
				}
				used[y][x] = p.Title
			}
		}
		for _, target := range p.Targets {
			c.check(target.Expr, target.LegendFormat)
		}
	}
}

type checker struct {
	t         *testing.T
	labels    map[string][]string // by metric
	variables []string
}

var (
	quoted       = regexp.MustCompile(`"[^"]*"`)
	metricName   = regexp.MustCompile(`\b[a-z]+_\w+`)
	variableName = regexp.MustCompile(`\$\{?(\w+)`)

	labelNames = [...]*regexp.Regexp{
		regexp.MustCompile(`\b(?:by|without|on|ignoring) ?\(([^)]*)\)`),
		regexp.MustCompile(`(\w+) ?(?:=|!=|=~|!~) ?"`),
		regexp.MustCompile(`label_values\(\w+, (\w+)\)`),
		regexp.MustCompile(`\{\{(\w+)\}\}`), // of a legend
	}
)

// check checks a query and the legend of its series.
func (c checker) check(query, legend string) {
	known := []string{"instance", "job"} // from Prometheus
	names := metricName.FindAllString(strings.ReplaceAll(quoted.ReplaceAllString(query, `""`), "label_values", ""), -1)
	for _, name := range names {
		labels, ok := c.labels[name]
		if !ok {
			c.t.Errorf("%s: there is no %s", query, name)
		}
		known = append(known, labels...)
	}
	if len(names) == 0 {
		c.t.Errorf("%s: no metric", query)
	}
	for _, form := range labelNames {
		for _, found := range form.FindAllStringSubmatch(query+legend, -1) {
			for label := range strings.SplitSeq(found[1], ", ") {
				if !slices.Contains(known, label) {
					c.t.Errorf("%s %s: no label %q; there are %q", query, legend, label, known)
				}
			}
		}
	}
	for _, found := range variableName.FindAllStringSubmatch(query, -1) {
		if !slices.Contains(c.variables, found[1]) {
			c.t.Errorf("%s: no variable %q", query, found[1])
		}
	}
}

var (
	sample    = regexp.MustCompile(`(?m)^([a-z]\w*)(?:\{(.*)\})? [^ ]+$`)
	labelName = regexp.MustCompile(`(?:^|,)(\w+)="(?:[^"\\]|\\.)*"`)
)

// Labels returns the names of the labels of each metric in text, which a program serves to
// Prometheus.
func Labels(text string) map[string][]string {
	labels := map[string][]string{}
	for _, found := range sample.FindAllStringSubmatch(text, -1) {
		var names []string
		for _, label := range labelName.FindAllStringSubmatch(found[2], -1) {
			names = append(names, label[1])
		}
		labels[found[1]] = names
	}
	return labels
}
