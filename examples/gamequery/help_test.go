package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/traffic"
	"github.com/lobbywire/lobbywire/examples/internal/dashes"
)

// The help of every command has examples, and the commands accept them.
func TestHelpHasExamples(t *testing.T) {
	for _, cmd := range newRootCommand(traffic.Sockets{}).Commands() {
		code, help, stderr := gamequery(nil, cmd.Name(), "-help")
		if code != exitOK || stderr != "" || !strings.Contains(help, "Examples:\n"+cmd.Example) || !strings.Contains(cmd.Example, cmd.Name()) {
			t.Errorf("%s: exit code %d, %s, no examples in\n%s", cmd.Name(), code, stderr, help)
		}
		for line := range strings.Lines(help) {
			if len(line) > len("\n")+helpWidth {
				t.Errorf("%s: a line of more than %d columns: %s", cmd.Name(), helpWidth, line)
			}
		}
		for line := range strings.Lines(cmd.Example) {
			for part := range strings.SplitSeq(line, " | ") {
				part, _, _ = strings.Cut(part, " < ")
				if err := accept(strings.TrimSpace(part)); err != nil {
					t.Errorf("%s: %v", part, err)
				}
			}
		}
	}
}

// accept reports whether there is a command that takes these arguments.
func accept(line string) error {
	args := words(line)
	root := newRootCommand(traffic.Sockets{})
	cmd, rest, err := root.Find(dashes.Double(args[1:]))
	if err == nil {
		err = cmd.ParseFlags(rest)
	}
	if err == nil {
		err = cmd.ValidateArgs(cmd.Flags().Args())
	}
	return err
}

// words splits a command line. Words may be in single quotes.
func words(line string) []string {
	all := regexp.MustCompile(`'[^']*'|\S+`).FindAllString(line, -1)
	for i := range all {
		all[i] = strings.Trim(all[i], "'")
	}
	return all
}

// Help and README.md have the same exit codes and commands.
func TestHelpAndReadmeAgree(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, help, _ := gamequery(nil, "-help")
	for name, text := range map[string]string{"README.md": string(readme), "help": help} {
		if !strings.Contains(text, exitCodes) {
			t.Errorf("%s has no exit codes", name)
		}
	}
	var missing []string
	for _, cmd := range newRootCommand(traffic.Sockets{}).Commands() {
		if !cmd.Hidden && !strings.Contains(string(readme), "\ngamequery "+cmd.Name()) {
			missing = append(missing, cmd.Name())
		}
	}
	slices.Sort(missing)
	if len(missing) > 0 {
		t.Errorf("README.md lacks %v", missing)
	}
}
