package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/tap"
	"github.com/lobbywire/lobbywire/examples/internal/cli"
)

// The help of every command has examples, and the commands accept them.
func TestHelpHasExamples(t *testing.T) {
	for _, cmd := range newRootCommand(tap.Sockets{}).Commands() {
		if !cmd.Runnable() {
			continue // a topic
		}
		code, help, stderr := gamequery(nil, cmd.Name(), "-help")
		if code != exitOK || stderr != "" || !strings.Contains(help, "Examples:\n"+cmd.Example) ||
			!strings.Contains(cmd.Example, cmd.Name()) {
			t.Errorf("%s: exit code %d, %s, no examples in\n%s", cmd.Name(), code, stderr, help)
		}
		for line := range strings.Lines(cmd.Example) {
			for part := range strings.SplitSeq(line, " | ") {
				part, _, _ = strings.Cut(part, " < ")
				part, _, _ = strings.Cut(part, " > ")
				if err := accept(strings.TrimSpace(part)); err != nil {
					t.Errorf("%s: %v", part, err)
				}
			}
		}
	}
}

// helpText returns the text of a command or topic that is in a file, without the blanks
// in front of lines that keep their form.
func helpText(t *testing.T, name string) string {
	t.Helper()
	text, err := helpTexts.ReadFile("help/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile("(?m)^  ").ReplaceAllString(string(text), "")
}

// Each file of help belongs to a command or topic, whose help has it and fits 80 columns.
// The commands in it are accepted.
func TestHelpTextsFitAndWork(t *testing.T) {
	files, err := helpTexts.ReadDir("help")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, cmd := range newRootCommand(tap.Sockets{}).Commands() {
		names = append(names, cmd.Name())
		code, help, stderr := gamequery(nil, "help", cmd.Name())
		if code != exitOK || stderr != "" {
			t.Errorf("help %s: exit code %d, %s", cmd.Name(), code, stderr)
		}
		for line := range strings.Lines(help) {
			if utf8.RuneCountInString(line) > len("\n")+helpWidth {
				t.Errorf("%s: a line of more than %d columns: %s", cmd.Name(), helpWidth, line)
			}
		}
	}
	found := 0
	for _, file := range files {
		name := strings.TrimSuffix(file.Name(), ".txt")
		if !slices.Contains(names, name) {
			t.Errorf("%s belongs to no command", file.Name())
		}
		text := strings.ReplaceAll(helpText(t, name), "\\\n", "")
		for _, line := range regexp.MustCompile(`(?m)^(?:\$ )?gamequery .*`).FindAllString(text, -1) {
			for part := range strings.SplitSeq(strings.TrimSuffix(strings.TrimPrefix(line, "$ "), " &"), " | ") {
				found++
				if err := accept(strings.TrimSpace(part)); err != nil {
					t.Errorf("%s: %s: %v", file.Name(), part, err)
				}
			}
		}
	}
	if found < 30 {
		t.Errorf("%d commands", found)
	}
}

// accept reports whether there is a command that takes these arguments.
func accept(line string) error {
	args := words(line)
	root := newRootCommand(tap.Sockets{})
	cmd, rest, err := root.Find(cli.DoubleDashes(args[1:]))
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
	for _, cmd := range newRootCommand(tap.Sockets{}).Commands() {
		if cmd.Runnable() && !cmd.Hidden && !strings.Contains(string(readme), "\ngamequery "+cmd.Name()) {
			missing = append(missing, cmd.Name())
		}
	}
	slices.Sort(missing)
	if len(missing) > 0 {
		t.Errorf("README.md lacks %v", missing)
	}
}
