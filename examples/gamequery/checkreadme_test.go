package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// changing matches what differs between two outputs of a check: the time, the token, a port that
// the system has chosen, and how many of the answers arrive in time on a slow machine.
var changing = regexp.MustCompile(
	`(?m)^rtt .*|[0-9a-f ]{11}( +# 1\+4 token =) [1-9].*|[0-9a-f ]{5}( +# 46\+2 serverInfo\.port =).*|` +
		`(, received )\d+$`)

// CHECK.md shows what its commands print.
func TestCheckReadmeShowsRealOutput(t *testing.T) {
	t.Parallel()
	const at = "127.0.0.1:25601"
	page, err := os.ReadFile("CHECK.md")
	if err != nil {
		t.Fatal(err)
	}
	_, sample, _ := strings.Cut(string(page), "<!-- sample -->\n```\n")
	sample, _, _ = strings.Cut(sample, "```\n<!-- end -->")
	serve, sample, _ := strings.Cut(sample, "\n")
	command, want, _ := strings.Cut(sample, "\n")
	serve = strings.TrimSuffix(strings.TrimPrefix(serve, "$ gamequery "), " &")
	addr, stop := background(t, words(strings.Replace(serve, at, "127.0.0.1:0", 1))...)
	defer stop()

	state, check, _ := strings.Cut(strings.TrimPrefix(command, "$ echo "), " | gamequery ")
	code, stdout, stderr := gamequery([]byte(strings.Trim(state, "'")), words(strings.Replace(check, at, addr, 1))...)
	got := strings.ReplaceAll(stdout+stderr, addr, at)
	if diff := cmp.Diff(changing.ReplaceAllString(want, "$1$2$3"), changing.ReplaceAllString(got, "$1$2$3")); diff != "" {
		t.Errorf("exit code %d, CHECK.md (-) differs from the output (+):\n%s", code, diff)
	}
}
