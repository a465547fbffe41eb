package golden

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const root = "../../.."

// The lists describe the vectors. UPDATE_GOLDEN=1 writes them anew.
func TestListsDescribeTheVectors(t *testing.T) {
	for name, list := range map[string]func(root string) ([]byte, error){"index.tsv": indexOf, "fields.tsv": fieldsOf} {
		want, err := list(root)
		if err != nil {
			t.Fatal(err)
		}
		if Updates() {
			if err := os.WriteFile(name, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); diff != "" {
			t.Errorf("%s is old; UPDATE_GOLDEN=1 go test ./internal/test/golden writes it (-want +got):\n%s", name, diff)
		}
	}
}

// The index has every vector of the module, and all vectors of a message have
// the same direction.
func TestIndexIsWhole(t *testing.T) {
	text, err := os.ReadFile("index.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	directionOf := map[string]string{}
	for line := range strings.Lines(strings.TrimPrefix(string(text), columns)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) != strings.Count(columns, "\t")+1 {
			t.Errorf("%q has %d fields", line, len(fields))
			continue
		}
		files = append(files, filepath.Join(root, filepath.FromSlash(fields[0])))
		message, direction := fields[1], fields[2]
		if d := directionOf[message]; d != "" && d != direction {
			t.Errorf("%s is %s and %s", message, d, direction)
		}
		directionOf[message] = direction
	}
	var want []string
	for _, pattern := range []string{"*", "*/*"} {
		paths, err := filepath.Glob(filepath.Join(root, pattern, Dir, "*.hex"))
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, paths...)
	}
	slices.Sort(files)
	slices.Sort(want)
	if diff := cmp.Diff(want, files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}
