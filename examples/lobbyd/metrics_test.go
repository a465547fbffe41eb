package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// described matches a row of the table of metrics in OPERATING.md.
var described = regexp.MustCompile(
	"(?m)^\\| `(lobbyd_[a-z_0-9]+)`(?: by `([a-z]+)`)? \\| (gauge|counter) \\| (.+) \\|$")

// OPERATING.md describes exactly the metrics of lobbyd, in the same words.
func TestMetricsAreDescribed(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("OPERATING.md")
	if err != nil {
		t.Fatal(err)
	}
	cert, key, _ := writeCertificate(t, t.TempDir())
	l := start(t, append(anywhere(), "-nats", "embedded", "-data", t.TempDir(), // the only node of a cluster
		"-http", "127.0.0.1:0", "-tls-cert", cert, "-tls-key", key)...)
	text := l.get(t, "/metrics")
	var want, got []string
	for _, row := range described.FindAllStringSubmatch(string(readme), -1) {
		name, label, kind, help := row[1], row[2], row[3], row[4]
		want = append(want, "# HELP "+name+" "+help, "# TYPE "+name+" "+kind)
		sample := name + " "
		if label != "" {
			sample = name + "{" + label + `="`
		}
		if !strings.Contains(text, "\n"+sample) {
			t.Errorf("no value of %s", sample)
		}
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "# ") && strings.Contains(line, " lobbyd_") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("OPERATING.md and /metrics (-want +got):\n%s", diff)
	}
	for _, of := range []string{"go_goroutines ", "process_open_fds "} {
		if !strings.Contains(text, "\n"+of) {
			t.Errorf("no %s", of)
		}
	}
}

func TestMetricsCountEvents(t *testing.T) {
	t.Parallel()
	l := start(t, append(anywhere(), "-ban-pattern", "x")...)
	l.wantGameAgent(t, register(t, l))
	host(t, l, "one")
	l.wantWarzone(t, "one")
	registerBomberman(t, l, "two")
	l.wantBomberman(t, "two")
	for name, want := range map[string]string{
		`lobbyd_ready`:                                "1",
		`lobbyd_listed{family="gameagent"}`:           "1",
		`lobbyd_listed{family="warzone"}`:             "1",
		`lobbyd_listed{family="bomberman"}`:           "1",
		`lobbyd_bans{kind="pattern"}`:                 "1",
		`lobbyd_games_opened_total{server="warzone"}`: "1",
	} {
		eventually(t, func() string {
			if got := l.metric(t, name); got != want {
				return fmt.Sprintf("%s is %s, want %s", name, got, want)
			}
			return ""
		})
	}
}
