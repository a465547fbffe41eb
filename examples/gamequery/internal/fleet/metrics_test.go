package fleet

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// described matches a row of the table of metrics in README.md.
var described = regexp.MustCompile("(?m)^\\| `(gamequery_[a-z_]+)`(?: by ([a-z`, ]+))? \\| (gauge|counter) \\| (.+) \\|$")

// README.md describes all metrics.
func TestMetricsAreDescribed(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, row := range described.FindAllStringSubmatch(string(readme), -1) {
		want = append(want, row[1]+" by "+strings.NewReplacer("`", "", ",", "").Replace(row[2])+": "+row[3]+", "+row[4])
	}
	for _, m := range watchMetrics() {
		kind := "gauge"
		if strings.HasSuffix(m.name, "_total") {
			kind = "counter"
		}
		got = append(got, m.name+" by "+strings.Join(m.labels, " ")+": "+kind+", "+m.help)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("README.md and metrics (-want +got):\n%s", diff)
	}
}
