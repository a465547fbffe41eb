package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/internal/needs"
)

// TestMain runs the program, not the tests, if it is started by the name of the program.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "gamequery" {
		main()
	}
	os.Exit(m.Run())
}

// An interactive bash without the package bash-completion completes, and prints no error.
func TestCompletionInBash(t *testing.T) {
	bash := needs.Program(t, "bash")
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(program, filepath.Join(dir, "gamequery")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ typed, want string }{
		{"gamequery vers\t", "gamequery version "},
		{"gamequery scan gameagent -ask f\t", "gamequery scan gameagent -ask full "},
		{"gamequery scan gameagent -ask=f\t", "gamequery scan gameagent -ask=full "},
		{"gamequery query sqp 127.0.0.1:25601 -ch\t", "gamequery query sqp 127.0.0.1:25601 -chunks "},
		{"gamequery  sca\t sqp", "gamequery  scan  sqp"},
	} {
		// The terminal prints the line that bash has completed, which a comment keeps from running.
		cmd := exec.CommandContext(t.Context(), bash, "--norc", "--noprofile", "-i")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "PS1=", "TERM=dumb", "INPUTRC=/dev/null", "HISTFILE=")
		cmd.Stdin = strings.NewReader("source <(gamequery completion bash)\n" + tt.typed + "\x01#\nexit\n")
		out, err := cmd.CombinedOutput()
		text := string(out)
		if err != nil || strings.Contains(text, "not found") || strings.Contains(text, "_get_comp_words") {
			t.Errorf("%q: %v, %s", tt.typed, err, text)
		}
		if !strings.Contains(text, tt.want) {
			t.Errorf("%q: lacks %q: %s", tt.typed, tt.want, text)
		}
	}
}
