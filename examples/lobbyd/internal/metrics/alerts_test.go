package metrics

import (
	"os"
	"regexp"
	"slices"
	"testing"
)

// The alert rules name only existing metrics.
func TestAlertsNameExistingMetrics(t *testing.T) {
	rules, err := os.ReadFile("../../prometheus/alerts.yml")
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`\blobbyd_\w+`).FindAllString(string(rules), -1)
	if len(names) < 5 {
		t.Fatalf("only %q", names)
	}
	for _, name := range names {
		if !slices.ContainsFunc(metrics[:], func(m metric) bool { return m.name == name }) {
			t.Errorf("there is no %s", name)
		}
	}
}
