package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The documented commands exist and accept their flags.
func TestDocumentedCommandsAreAccepted(t *testing.T) {
	t.Parallel()
	const root = "../.."
	found := 0
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		for line := range strings.Lines(string(text)) {
			for _, args := range documented(line) {
				found++
				code, help, stderr := gamequery(nil, append(args, "-help")...)
				if code != exitOK || !strings.Contains(help, "gamequery "+args[0]) {
					t.Errorf("%s: %q: exit code %d, %s", path, args, code, stderr)
				}
			}
		}
		return err
	})
	if err != nil || found == 0 {
		t.Errorf("%d commands, error %v", found, err)
	}
}

// documented returns the arguments of each gamequery in a line of shell.
func documented(line string) (commands [][]string) {
	words := regexp.MustCompile(`'[^']*'|\S+`).FindAllString(line, -1)
	for len(words) > 0 {
		end := slices.IndexFunc(words, func(w string) bool { return strings.Contains("|&<", w) })
		if end < 0 {
			end = len(words)
		}
		command := words[:end]
		if at := slices.Index(command, "./gamequery"); at > 0 && command[at-1] == "run" && at+1 < len(command) {
			var args []string
			for _, w := range command[at+1:] {
				args = append(args, strings.Trim(w, "'"))
			}
			commands = append(commands, args)
		}
		words = words[min(end+1, len(words)):]
	}
	return commands
}
