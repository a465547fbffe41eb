package soak

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire/internal/test/golden"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// codecs maps servers to the packages with their golden files.
var codecs = map[string][]string{
	"gameagent": {"gameagent", "sqp", "gamespy2"},
	"warzone":   {"warzone"},
	"text":      {"warzone/wzproposal"},
	"binary":    {"warzone/wzproposal"},
	"json":      {"warzone/wzjson"},
	"http":      {"warzone/wzhttp"},
	"bomberman": {"bomberman"},
	"web":       nil,
}

// ReadCorpus returns the input of hostile peers, by server: golden files and fuzz
// corpora of the codecs in the repository at root.
func ReadCorpus(root string) (map[string][][]byte, error) {
	corpus := make(map[string][][]byte)
	for server, packages := range codecs {
		corpus[server] = [][]byte{[]byte("GET /api/servers?q=%00&family=warzone HTTP/1.1\r\nHost: x\r\n\r\n")}
		for _, p := range packages {
			vectors, err := golden.ReadDir(filepath.Join(root, p))
			if err != nil {
				return nil, err
			}
			for _, v := range vectors {
				corpus[server] = append(corpus[server], v.Data)
			}
			found, err := readFuzz(filepath.Join(root, p))
			if err != nil {
				return nil, err
			}
			corpus[server] = append(corpus[server], found...)
		}
		if server == string(HTTP) {
			corpus[server] = append(corpus[server], requests(corpus[server])...)
		}
	}
	return corpus, nil
}

// requests returns requests to all endpoints of the HTTP lobby with bodies.
func requests(bodies [][]byte) (all [][]byte) {
	for _, body := range bodies {
		for e := wzhttp.EndpointList; e <= wzhttp.EndpointJoin; e++ {
			path, _ := e.Path("BAAAAAA") // cannot fail
			all = append(all, fmt.Appendf(nil,
				"%s /lobby%s HTTP/1.1\r\nHost: x\r\nAuthorization: %s\r\nContent-Length: %d\r\n\r\n%s",
				e.Method(), path, wzhttp.Authorization("x"), len(body), body))
		}
	}
	return all
}

// readFuzz returns the inputs that fuzzing has found in a package.
func readFuzz(dir string) (found [][]byte, err error) {
	paths, err := filepath.Glob(filepath.Join(dir, "testdata", "fuzz", "*", "*"))
	if err != nil {
		return nil, err
	}
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			open, end := strings.Index(line, `("`), strings.LastIndex(line, `")`)
			if open < 0 || end <= open {
				continue
			}
			value, err := strconv.Unquote(line[open+1 : end+1])
			if err != nil {
				return nil, err
			}
			found = append(found, []byte(value))
		}
	}
	return found, nil
}

// nameless matches a game without a name in the text proposal.
var nameless = regexp.MustCompile(`OPENGAME\t[0-9]+\t\t`)

// opensNameless reports whether a payload opens a game without a name, which the
// pattern Strangers does not match.
func opensNameless(b []byte) bool {
	if nameless.Match(b) {
		return true
	}
	binary := wzproposal.Framer{Options: wzproposal.Options{Encoding: wzproposal.Binary}}
	for rest := b; ; {
		frame, after, err := binary.Next(rest)
		if err != nil {
			return false
		}
		if m, err := binary.Options.ParseOpenGame(frame); err == nil && m.Name == "" {
			return true
		}
		rest = after
	}
}
