package metrics

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"testing"
)

// The dashboard is one that Grafana reads: panels on a grid that do not overlap, whose
// queries name only metrics and labels that lobbyd has.
func TestDashboard(t *testing.T) {
	file, err := os.ReadFile("../../grafana/dashboard.json")
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Panels []struct {
			Title   string
			GridPos struct{ X, Y, W, H int }
			Targets []struct{ Expr, LegendFormat string }
		}
	}
	if err := json.Unmarshal(file, &board); err != nil {
		t.Fatal(err)
	}
	if len(board.Panels) < 10 {
		t.Fatalf("only %d panels", len(board.Panels))
	}
	var used [100][24]string // by row and column of the grid
	for _, p := range board.Panels {
		for y := p.GridPos.Y; y < p.GridPos.Y+p.GridPos.H; y++ {
			for x := p.GridPos.X; x < p.GridPos.X+p.GridPos.W; x++ {
				if used[y][x] != "" {
					t.Fatalf("%s is over %s", p.Title, used[y][x])
				}
				used[y][x] = p.Title
			}
		}
		if len(p.Targets) == 0 {
			t.Errorf("%s shows nothing", p.Title)
		}
		for _, target := range p.Targets {
			checkQuery(t, target.Expr, target.LegendFormat)
		}
	}
}

var (
	metricName  = regexp.MustCompile(`\blobbyd_\w+`)
	groupLabel  = regexp.MustCompile(`by \((\w+)\)`)
	legendLabel = regexp.MustCompile(`\{\{(\w+)\}\}`)
)

// checkQuery checks a query over one metric and the legend of its series.
func checkQuery(t *testing.T, query, legend string) {
	t.Helper()
	name := metricName.FindString(query)
	if name == "" {
		return // a standard metric of Prometheus
	}
	i := slices.IndexFunc(metrics(), func(m metric) bool { return m.name == name })
	if i < 0 {
		t.Errorf("there is no %s", name)
		return
	}
	labels := append(groupLabel.FindAllStringSubmatch(query, -1), legendLabel.FindAllStringSubmatch(legend, -1)...)
	for _, label := range labels {
		if got := metrics()[i].label; label[1] != got {
			t.Errorf("%s has the label %q, not %q", name, got, label[1])
		}
	}
}
