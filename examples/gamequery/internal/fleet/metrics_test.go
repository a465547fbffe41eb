package fleet

import (
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/verdict"
)

// described matches a metric in the help of watch.
var described = regexp.MustCompile(`(?m)^  (gamequery_[a-z_]+) \((gauge|counter)\)(?: by ([a-z, ]+))?\n    (.+)$`)

// The help of watch describes all metrics.
func TestMetricsAreDescribed(t *testing.T) {
	help, err := os.ReadFile("../../help/watch.txt")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, row := range described.FindAllStringSubmatch(string(help), -1) {
		want = append(want, row[1]+" by "+strings.ReplaceAll(row[3], ",", "")+": "+row[2]+", "+row[4])
	}
	for _, m := range watchMetrics() {
		kind := "gauge"
		if strings.HasSuffix(m.name, "_total") {
			kind = "counter"
		}
		got = append(got, m.name+" by "+strings.Join(m.labels, " ")+": "+kind+", "+m.help)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("help and metrics (-want +got):\n%s", diff)
	}
}

// Texts of servers cannot control the terminal that shows the metrics.
func TestMetricsAreClean(t *testing.T) {
	p, _ := protocols.Named("sqp")
	f := New(p, protocols.Settings{})
	if err := f.Add("127.0.0.1:1"); err != nil {
		t.Fatal(err)
	}
	f.asked = true
	for _, name := range []string{"\x1b[31m\u009b\u202e", "\x1b[31m\xff"} {
		view := lobbywire.View{Name: name, Map: "a" + strings.Repeat("\u0301", 50)}
		f.take(f.Servers[0], verdict.Finding{Answer: output.Answer{View: view}, Verdict: verdict.Up})
		w := httptest.NewRecorder()
		NewMetricsServer(f).Handler.ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
		text := w.Body.String()
		if w.Code != http.StatusOK || !strings.Contains(text, `[31m`) ||
			strings.ContainsAny(text, "\x1b\u009b\u202e") || strings.Count(text, "\u0301") > 3 {
			t.Errorf("%q: status %d, %q", name, w.Code, text[strings.Index(text, "gamequery"):])
		}
	}
}
