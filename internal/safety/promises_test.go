package safety_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// explanations are the starts of sentences among the promises that promise nothing.
var explanations = []string{
	"These hold for any input",
	"A way to break one of them",
	"The tests that show each promise",
	"**Codecs**",
	"`Options` changes",
	"**UDP servers and masters**",
	"There is one exception: a GameSpy server",
	"An unverified source is",
	"*Payload* counts",
	"A usual answer describes",
	"Use `ChallengeRequired`",
	"This helps clients",
	"Most servers of GameAgent's legacy form",
	"**TCP lobbies and management servers**",
	"If a node is killed",
	"**Clients**",
	"**Clients that read lists from strangers**",
	"Anybody may run a master",
	"Targets that the caller names",
	"**`lobbyd`**",
	"The promises above hold",
	"A client is an IPv4 address",
	"**The query service**",
	"A client and a prefix are as for",
}

// named matches the name of a test, also with the word every or with packages.
var named = regexp.MustCompile("(every )?`((?:Test|Fuzz)\\w+)`( of `\\w+`(?: and `\\w+`)*)?")

// Every test that SECURITY.md names exists, in the library or in the programs, and once:
// otherwise it names all tests of a name, or their packages.
func TestSecurityNamesTests(t *testing.T) {
	packages := declaredTests(t)
	all := named.FindAllStringSubmatch(oneLine(security(t)), -1)
	if len(all) == 0 {
		t.Fatal("SECURITY.md names no test")
	}
	quoted := regexp.MustCompile("`(\\w+)`")
	for _, m := range all {
		every, name, of := m[1] != "", m[2], m[3]
		in := packages[name]
		switch {
		case name == "FuzzX" || name == "TestX":
		case len(in) == 0:
			t.Errorf("SECURITY.md names %s, which does not exist", name)
		case every && len(in) == 1:
			t.Errorf("SECURITY.md names every %s, but only %s has one", name, in[0])
		case of == "" && !every && len(in) > 1:
			t.Errorf("SECURITY.md names %s without a package; these have one: %v", name, in)
		}
		for _, p := range quoted.FindAllStringSubmatch(of, -1) {
			if !slices.Contains(in, p[1]) {
				t.Errorf("SECURITY.md names %s of %s; these have one: %v", name, p[1], in)
			}
		}
	}
}

// Every sentence of SECURITY.md that promises something names a test.
func TestPromisesHaveTests(t *testing.T) {
	_, promises, _ := strings.Cut(security(t), "\n## What we promise\n")
	promises, _, _ = strings.Cut(promises, "\n## ")
	promises = regexp.MustCompile(`(?s)<!-- amplification -->.*<!-- end -->`).ReplaceAllString(promises, "")
	explains := make(map[string]bool)
	tested := 0
	for _, paragraph := range regexp.MustCompile(`\n\n|\n- `).Split(promises, -1) {
		for _, sentence := range sentences(oneLine(paragraph)) {
			i := slices.IndexFunc(explanations, func(s string) bool { return strings.HasPrefix(sentence, s) })
			switch {
			case named.MatchString(sentence):
				tested++
			case i < 0:
				t.Errorf("no test of a promise: %s", sentence)
			default:
				explains[explanations[i]] = true
			}
		}
	}
	if tested < 90 {
		t.Errorf("SECURITY.md has %d sentences with tests", tested)
	}
	for _, s := range explanations {
		if !explains[s] {
			t.Errorf("no sentence without a test begins with %q", s)
		}
	}
}

// declaredTests returns the names of all tests, each with the packages that declare it.
func declaredTests(t *testing.T) map[string][]string {
	t.Helper()
	declared := make(map[string][]string)
	function := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	must(t, filepath.WalkDir(filepath.Join("..", ".."), func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, m := range function.FindAllSubmatch(source, -1) {
			name, in := string(m[1]), filepath.Base(filepath.Dir(path))
			if !slices.Contains(declared[name], in) { // it may have one for each system
				declared[name] = append(declared[name], in)
			}
		}
		return err
	}))
	return declared
}

// sentences cuts a text at full stops before the start of a sentence.
func sentences(text string) (all []string) {
	start := regexp.MustCompile("\\. [A-Z`*]")
	for {
		at := start.FindStringIndex(text)
		if at == nil {
			break
		}
		all = append(all, text[:at[0]+1])
		text = text[at[0]+2:]
	}
	if text != "" {
		all = append(all, text)
	}
	return all
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func security(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", ".github", "SECURITY.md"))
	must(t, err)
	return string(text)
}
