package safety_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/internal/test/golden"
)

// longestPrefix bounds the prefixes: no request is longer than a heartbeat.
const longestPrefix = 600

// knownDatagrams are what datagrams has returned.
var knownDatagrams [][]byte

// datagrams returns every golden file and every entry of a fuzz corpus of the
// module, and their prefixes, each once.
func datagrams(t testing.TB) [][]byte {
	if knownDatagrams != nil {
		return knownDatagrams
	}
	root := filepath.Join("..", "..", "..")
	var whole [][]byte
	packages, err := golden.Packages(root)
	must(t, err)
	for _, pkg := range packages {
		files, err := golden.ReadDir(filepath.Join(root, filepath.FromSlash(pkg)))
		must(t, err)
		for _, f := range files {
			whole = append(whole, f.Data)
		}
		entries, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pkg), "testdata", "fuzz", "*", "*"))
		must(t, err)
		for _, path := range entries {
			whole = append(whole, corpusEntry(t, path)...)
		}
	}
	seen := make(map[string]bool)
	var all [][]byte
	add := func(b []byte) {
		if !seen[string(b)] {
			seen[string(b)] = true
			all = append(all, b)
		}
	}
	for _, b := range whole {
		add(b)
		for n := range min(len(b), longestPrefix) {
			add(b[:n])
		}
	}
	knownDatagrams = all
	return all
}

// corpusEntry returns the byte slices and strings of a file of a fuzz corpus.
func corpusEntry(t testing.TB, path string) [][]byte {
	text, err := os.ReadFile(path)
	must(t, err)
	var values [][]byte
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		for _, typ := range []string{"[]byte(", "string("} {
			quoted, ok := strings.CutPrefix(strings.TrimSuffix(line, ")"), typ)
			if !ok {
				continue
			}
			value, err := strconv.Unquote(quoted)
			must(t, err)
			values = append(values, []byte(value))
		}
	}
	return values
}
