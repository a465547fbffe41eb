package cli_test

import (
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/cli"
)

func TestNearestFindsMisspeltNames(t *testing.T) {
	names := []string{"query", "list", "wzjson"}
	for word, want := range map[string]string{
		"query":                  "query",
		"qu\u00e9ry":             "query",
		"qry":                    "query",
		"queryab":                "query",
		"queryabc":               "",
		"qy":                     "",
		"l":                      "",
		"lit":                    "list",
		"":                       "",
		"\xff\xff\xff":           "",
		strings.Repeat("q", 1e6): "",
	} {
		if got := cli.Nearest(word, names); got != want {
			t.Errorf("%.10q: %q, want %q", word, got, want)
		}
	}
	if got := cli.Nearest("bist", []string{"list", "best"}); got != "list or best" {
		t.Errorf("%q", got)
	}
}
