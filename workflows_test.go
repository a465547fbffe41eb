package lobbywire_test

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// fuzzTarget finds the FuzzX of a test file, and X.
var fuzzTarget = regexp.MustCompile(`(?m)^func Fuzz([A-Z]\w*)\(`)

// fuzzed returns the directories of packages with fuzz targets.
func fuzzed(t *testing.T) (dirs []string) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if fuzzTarget.Match(text) {
			dirs = append(dirs, filepath.ToSlash(filepath.Dir(path)))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// The weekly workflow fuzzes all packages that have targets.
func TestFuzzWorkflowNamesAllPackages(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(".github", "workflows", "fuzz.yml"))
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(text), "package:\n")
	list, _, _ = strings.Cut(list, "steps:")
	var listed []string
	for line := range strings.Lines(list) {
		if dir, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok {
			listed = append(listed, strings.Trim(dir, `"`))
		}
	}
	slices.Sort(listed)
	if want := fuzzed(t); !slices.Equal(listed, want) {
		t.Errorf("fuzz.yml lists\n%q\nbut these packages have targets:\n%q", listed, want)
	}
}

var (
	usesAction   = regexp.MustCompile(`(?m)^ +(?:- )?uses: (.*)$`)
	pinnedAction = regexp.MustCompile(`^[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	jobOrRight   = regexp.MustCompile(`(?m)^(?:  (\w[\w-]*):|    permissions:((?:\n      .*)*))$`)
)

// Workflows use actions by their commits, which nobody can change later. Their jobs have the
// rights that they need, and only one writes each thing.
func TestWorkflowsPinActions(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(".github", "workflows", "*.yml"))
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	versions := make(map[string]string)
	writers := make(map[string]string)
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text := string(b)
		for _, m := range usesAction.FindAllStringSubmatch(text, -1) {
			if !pinnedAction.MatchString(m[1]) {
				t.Errorf("%s: %s is not a commit with its version", path, m[1])
			}
			name, commit, _ := strings.Cut(m[1], "@")
			if other, known := versions[name]; known && other != commit {
				t.Errorf("%s: %s is used as %s and %s", path, name, other, commit)
			}
			versions[name] = commit
		}
		if !strings.Contains(text, "\npermissions: {}\n") {
			t.Errorf("%s gives rights to all jobs", path)
		}
		_, jobs, _ := strings.Cut(text, "\njobs:\n")
		job, lacks := "", false
		for _, m := range jobOrRight.FindAllStringSubmatch(jobs, -1) {
			if m[1] != "" {
				if lacks {
					t.Errorf("%s: the job %s names no rights", path, job)
				}
				job, lacks = m[1], true
				continue
			}
			lacks = false
			for right := range strings.Lines(m[2]) {
				name, kind, _ := strings.Cut(strings.TrimSpace(right), ": ")
				if other := writers[name]; strings.HasPrefix(kind, "write") && other != "" {
					t.Errorf("%s: the jobs %s and %s write %s", path, other, job, name)
				} else if strings.HasPrefix(kind, "write") {
					writers[name] = job
				}
			}
		}
		if lacks {
			t.Errorf("%s: the job %s names no rights", path, job)
		}
	}
	want := map[string]string{
		"contents": "publish", "packages": "image", "id-token": "provenance", "attestations": "provenance",
	}
	if !maps.Equal(writers, want) {
		t.Errorf("these jobs write: %v, want %v", writers, want)
	}
}
