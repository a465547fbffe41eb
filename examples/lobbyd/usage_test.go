package main

import (
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/pflag"
)

// -help has each flag once, in its group, in lines that fit.
func TestHelp(t *testing.T) {
	var help strings.Builder
	if code := run(t.Context(), []string{"-help"}, nil, &help, io.Discard); code != exitOK {
		t.Fatalf("exit code %d", code)
	}
	var c config
	var file string
	rest := help.String()
	for _, g := range flagGroups(&c, &file) {
		_, after, found := strings.Cut(rest, "\n"+g.title+":\n")
		if !found {
			t.Fatalf("%q does not follow in:\n%s", g.title, rest)
		}
		rest = after
		group, _, _ := strings.Cut(after, "\n\n")
		g.flags.VisitAll(func(f *pflag.Flag) {
			isListed := regexp.MustCompile(`(?m)^ +--` + f.Name + `( |$)`)
			if len(isListed.FindAllString(help.String(), -1)) != 1 || !isListed.MatchString(group) {
				t.Errorf("--%s is not once, or not in the group %q", f.Name, g.title)
			}
		})
	}
	for line := range strings.Lines(help.String()) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > helpWidth {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if !strings.Contains(rest, "--version") {
		t.Errorf("no --version in:\n%s", rest)
	}
}
