package metrics

import (
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/programtest"
)

func TestDashboardUsesExistingMetrics(t *testing.T) {
	labels := map[string][]string{"process_resident_memory_bytes": nil, "process_cpu_seconds_total": nil}
	for _, m := range metrics {
		labels[m.name] = []string{m.label}
	}
	programtest.CheckDashboard(t, "../../grafana/dashboard.json", labels)
}
