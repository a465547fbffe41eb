package fleet

import (
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/dashboardtest"
)

func TestDashboard(t *testing.T) {
	labels := map[string][]string{}
	for _, m := range watchMetrics() {
		labels[m.name] = append([]string{"protocol", "server"}, m.labels...)
	}
	dashboardtest.Check(t, "../../grafana/watch.json", labels)
}
