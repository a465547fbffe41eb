package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// TestMain runs the program, not the tests, if it is started by the name of the program.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "gamequery" {
		main()
	}
	suite.Waits()
	os.Exit(m.Run())
}

// inShellOf returns a command with the program in its path, as gamequery.
func inShellOf(t *testing.T, shell string, args ...string) *exec.Cmd {
	t.Helper()
	shell = suite.Program(t, shell)
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(program, filepath.Join(dir, "gamequery")); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), shell, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "HOME="+dir, "PS1=", "TERM=dumb",
		"INPUTRC=/dev/null", "HISTFILE=")
	return cmd
}

// typed are words that all shells complete in one way.
var typed = []struct{ start, want string }{
	{"gamequery vers", "gamequery version "},
	{"gamequery scan gameagent -ask f", "gamequery scan gameagent -ask full "},
	{"gamequery scan gameagent -ask=f", "gamequery scan gameagent -ask=full "},
	{"gamequery query sqp 127.0.0.1:25601 -ch", "gamequery query sqp 127.0.0.1:25601 -chunks "},
	{"gamequery decode sqp.QueryRes", "gamequery decode sqp.QueryResponse "},
}

// An interactive bash without the package bash-completion completes, and prints no error.
func TestBashCompletes(t *testing.T) {
	for _, tt := range append(slices.Clone(typed),
		struct{ start, want string }{"gamequery  sca\t sqp", "gamequery  scan  sqp"}) {
		// The terminal prints the line that bash has completed, which a comment keeps
		// from running.
		cmd := inShellOf(t, "bash", "--norc", "--noprofile", "-i")
		cmd.Stdin = strings.NewReader("source <(gamequery completion bash)\n" + tt.start + "\t\x01#\nexit\n")
		out, err := cmd.CombinedOutput()
		text := string(out)
		if err != nil || strings.Contains(text, "not found") || strings.Contains(text, "_get_comp_words") {
			t.Errorf("%q: %v, %s", tt.start, err, text)
		}
		if !strings.Contains(text, tt.want) {
			t.Errorf("%q: lacks %q: %s", tt.start, tt.want, text)
		}
	}
}

// An interactive zsh completes, and shows descriptions.
func TestZshCompletes(t *testing.T) {
	var script strings.Builder
	script.WriteString("zmodload zsh/zpty\nzpty z zsh -f -i\n" +
		"zpty -w z 'PROMPT=; autoload -U compinit; compinit -u -D; source <(gamequery completion zsh); echo rea\"\"dy'\n" +
		"zpty -r z line '*ready*'\n")
	all := append(slices.Clone(typed),
		struct{ start, want string }{"gamequery query sqp -chunks serverInfo,pl",
			"gamequery query sqp -chunks serverInfo,playerInfo"},
		struct{ start, want string }{"gamequery decode gamespy2.\\t\\t",
			"gamespy2.EchoResponse       -- answers an echo request"},
	)
	for _, tt := range all {
		// Reading ends when the terminal has the text. Control-U deletes the line.
		script.WriteString("zpty -w -n z $'" + tt.start + "\\t'; zpty -r z line '*" + tt.want + "*' && print '" +
			tt.want + "'\n" +
			"zpty -w z $'\\x15'\n")
	}
	cmd := inShellOf(t, "zsh", "-f", "-c", script.String()+"zpty -d z\n")
	out, err := cmd.CombinedOutput()
	if got := strings.Count(string(out), "\n"); err != nil || got != len(all) {
		t.Errorf("%v, %d lines:\n%s", err, got, out)
	}
}

// The script for zsh starts one process, for all completions together.
func TestZshStartsOneProcess(t *testing.T) {
	_, script, _ := gamequery(nil, "completion", "zsh")
	if got := regexp.MustCompile(`[$<>]\([^(]|\|[^|]`).FindAllString(script, -1); len(got) != 1 {
		t.Errorf("it starts %q", got)
	}
	_, plain, _ := gamequery(nil, "completion", "zsh", "-no-descriptions")
	if !strings.Contains(plain, " __completeNoDesc ") {
		t.Error("there are descriptions")
	}
}

// Fish completes, and shows descriptions.
func TestFishCompletes(t *testing.T) {
	for _, tt := range typed {
		cmd := inShellOf(t, "fish", "--no-config", "-c", "gamequery completion fish | source; complete -C '"+tt.start+"'")
		out, err := cmd.CombinedOutput()
		_, want, _ := strings.Cut(strings.TrimSpace(tt.want), tt.start[:strings.LastIndexByte(tt.start, ' ')+1])
		if word, _, _ := strings.Cut(string(out), "\t"); err != nil || strings.TrimSpace(word) != want {
			t.Errorf("%q: %v, %q, want %q", tt.start, err, out, want)
		}
	}
}
