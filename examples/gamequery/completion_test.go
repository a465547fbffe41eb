package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// completed returns the completions of the last of args, without their descriptions,
// and the directive for the shell.
func completed(t *testing.T, args ...string) (words []string, directive string) {
	t.Helper()
	code, stdout, _ := gamequery(nil, append([]string{"__complete"}, args...)...)
	if code != exitOK {
		t.Fatalf("%q: exit code %d", args, code)
	}
	for line := range strings.Lines(stdout) {
		word, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		words = append(words, word)
	}
	return words[:len(words)-1], words[len(words)-1]
}

// Directives, as shells read them.
const (
	anyFile      = ":0"
	noFile       = ":4"
	noFileOrGap  = ":6"
	manyMessages = "sqp.QueryRequest sqp.QueryResponse gamespy2.Response warzone.HostStream"
)

func TestCompletesCommandsAndFlags(t *testing.T) {
	for _, tt := range []struct {
		args      string // the last word is completed; it is empty after a space
		has       string
		lacks     string
		directive string
	}{
		{"", "query scan list decode completion", "", noFile},
		{"query ", "sqp gamespy2 gameagent", "warzone", noFile},
		{"query sqp ", "", "sqp", noFile},
		{"list ", "gameagent warzone bomberman", "sqp", noFile},
		{"browse ", "gameagent", "sqp", noFile},
		{"master ", "warzone", "sqp", noFile},
		{"discover ", "gamespy2", "sqp", noFile},
		{"decode ", manyMessages, "", noFile},
		{"decode sqp.Q", "sqp.QueryRequest sqp.QueryResponse", "gamespy2.Response sqp.Packet", noFile},
		{"decode SQP.q", "sqp.QueryRequest", "gamespy2.Response", noFile},
		{"decode Heartbeat", "gameagent.Heartbeat gamespy2.Response", "", noFile}, // zsh looks within words
		{"decode sqp.Request ", "", "sqp.Request", anyFile},
		{"explain ", manyMessages, "", anyFile},
		{"encode ", manyMessages, "", noFile},
		{"encode sqp.Request ", "", "sqp.Request", noFile},
		{"query sqp -chunks ", "all none serverInfo playerInfo metrics", "", noFileOrGap},
		{"decode --chunks serverInfo,pl", "serverInfo,playerInfo", "serverInfo,serverInfo", noFileOrGap},
		{"decode --chunks=serverInfo|pl", "serverInfo|playerInfo", "playerInfo", noFileOrGap},
		{"decode -sections ", "info players", "", noFileOrGap},
		{"query gamespy2 -ask ", "auto challenge split plain jc2mp", "legacy", noFile},
		{"query gameagent -ask ", "status full legacy players ping", "auto", noFile},
		{"scan gameagent -ask ", "status full legacy", "players", noFile},
		{"query -ask ", "auto status ping", "", noFile},
		{"serve gamespy2 -challenge ", "off offered required", "", noFile},
		{"explain -only ", "sqp wzbinary", "", noFile},
		{"scan sqp -from ", "", "sqp", anyFile},
		{"watch ", "sqp gamespy2 gameagent", "warzone", noFile},
		{"watch gameagent -ask ", "status players", "auto", noFile},
		{"watch sqp -from ", "", "sqp", anyFile},
		{"scan sqp -o ", "", "sqp", anyFile},
		{"scan sqp -sort ", "players name rtt ping", "roster", noFileOrGap},
		{"scan sqp -sort map,-pl", "map,-players", "players", noFileOrGap},
		{"version ", "", "sqp", noFile},
		{"scan sqp -timeout ", "", "sqp", noFile},
		{"query --ch", "--chunks", "-chunks", noFile},
		{"query -ch", "-chunks", "--chunks", noFile},
		{"query -c", "-chunks -csv", "-json", noFile},
		{"completion ", "bash zsh fish powershell", "", noFile},
	} {
		words, directive := completed(t, strings.Split(tt.args, " ")...)
		all := " " + strings.Join(words, " ") + " "
		for _, word := range strings.Fields(tt.has) {
			if !strings.Contains(all, " "+word+" ") {
				t.Errorf("%q: lacks %s: %s", tt.args, word, all)
			}
		}
		for _, word := range strings.Fields(tt.lacks) {
			if strings.Contains(all, " "+word+" ") {
				t.Errorf("%q: has %s: %s", tt.args, word, all)
			}
		}
		if directive != tt.directive {
			t.Errorf("%q: directive %s, want %s", tt.args, directive, tt.directive)
		}
	}
}

// Descriptions are whole phrases without the marks of pflag.
func TestCompletionsHaveWholeDescriptions(t *testing.T) {
	_, got, _ := gamequery(nil, "__complete", "scan", "-t")
	want := lines(
		"-template\tprint one line for each server that answers, by this Go TEMPLATE, such as '{{.name}},{{.players}}'",
		"-timeout\thow long each attempt waits for an answer", "-top\tprint only the first N servers", noFile)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Flags accept all masks that completion offers.
func TestCompletedMasksAreTaken(t *testing.T) {
	words, _ := completed(t, "decode", "-chunks", "serverInfo,")
	for _, word := range words {
		if code, _, stderr := gamequery(nil, "decode", "-list", "-chunks", word); code != exitOK {
			t.Errorf("%s: exit code %d, %s", word, code, stderr)
		}
	}
	if len(words) == 0 {
		t.Error("there are none")
	}
}

func TestCompletionPrintsScripts(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		code, stdout, stderr := gamequery(nil, "completion", shell)
		if code != exitOK || stderr != "" || !strings.Contains(stdout, "__complete") ||
			!strings.Contains(stdout, "gamequery") {
			t.Errorf("%s: exit code %d, %s%.200s", shell, code, stderr, stdout)
		}
	}
}
