package diagram

import (
	"path/filepath"
	"testing"
)

// Every package with golden files has diagrams, and they fit.
func TestDiagrams(t *testing.T) {
	for _, pkg := range packages(t) {
		t.Run(filepath.Base(pkg), func(t *testing.T) {
			count, problems := Check(pkg)
			if count == 0 {
				t.Error("no diagrams")
			}
			for _, err := range problems {
				t.Error(err)
			}
		})
	}
}

// packages returns the directories of the packages with golden files.
func packages(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"../../*/testdata/golden", "../../*/*/testdata/golden"} {
		dirs, err := filepath.Glob(pattern)
		if err != nil || len(dirs) == 0 {
			t.Fatalf("%s: %d, %v", pattern, len(dirs), err)
		}
		for _, dir := range dirs {
			all = append(all, filepath.Dir(filepath.Dir(dir)))
		}
	}
	return all
}
