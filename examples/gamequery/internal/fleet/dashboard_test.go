package fleet

import (
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/programtest"
)

func TestDashboardUsesExistingMetrics(t *testing.T) {
	labels := map[string][]string{}
	for _, m := range watchMetrics() {
		labels[m.name] = append([]string{"protocol", "server"}, m.labels...)
	}
	programtest.CheckDashboard(t, "../../grafana/watch.json", labels)
}
