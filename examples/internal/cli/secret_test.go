package cli_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/cli"
)

func TestReadSecretRefusesShortSecrets(t *testing.T) {
	const variable = "LOBBYWIRE_TEST_SECRET"
	file := func(content string) string {
		name := filepath.Join(t.TempDir(), "secret")
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	long, short := "0123456789abcdef", "0123456789abcde"
	for _, tt := range []struct {
		name, file, variable string
		want                 string
		fails                bool
	}{
		{name: "neither"},
		{name: "variable", variable: long, want: long},
		{name: "short variable", variable: short, fails: true},
		{name: "file before variable", file: file(" " + long + "\r\n"),
			variable: "another secret of the environment", want: long},
		{name: "file of an editor on Windows", file: file("\ufeff" + long), want: long},
		{name: "short file", file: file(short + "\n\n"), fails: true},
		{name: "empty file", file: file(" \n"), variable: long, fails: true},
		{name: "no such file", file: filepath.Join(t.TempDir(), "none"), variable: long, fails: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv(variable, tt.variable)
			got, err := cli.ReadSecret(tt.file, variable)
			if got != tt.want || (err != nil) != tt.fails {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
	if got, err := cli.SecretIn(file("ab\n")); got != "ab" || err != nil {
		t.Errorf("a short password: %q, %v", got, err)
	}
}
