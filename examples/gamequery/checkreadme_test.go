package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// changing matches what differs between two outputs of a check: the time, the token, and
// a port that the system has chosen.
var changing = regexp.MustCompile(
	`(?m)^rtt .*|[0-9a-f ]{11}( +# 1\+4 token =) [1-9].*|[0-9a-f ]{5}( +# 46\+2 serverInfo\.port =).*`)

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
	args := words(strings.Replace(check, at, addr, 1))
	inTime(t, func(timeout string) []string {
		code, stdout, stderr := gamequery([]byte(strings.Trim(state, "'")), append(args, "-timeout", timeout)...)
		got := strings.ReplaceAll(stdout+stderr, addr, at)
		diff := cmp.Diff(changing.ReplaceAllString(want, "$1$2"), changing.ReplaceAllString(got, "$1$2"))
		if diff != "" {
			return []string{fmt.Sprintf("exit code %d, CHECK.md (-) differs from the output (+):\n%s", code, diff)}
		}
		return nil
	})
}
