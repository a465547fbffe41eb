package main

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/examples/internal/formats"
	"github.com/lobbywire/lobbywire/internal/hexfile"
	"github.com/lobbywire/lobbywire/internal/messagejson"
	"github.com/lobbywire/lobbywire/sqp"
)

// newRandom returns a source of the same random numbers in each run.
func newRandom() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

// A vector is a golden file of a codec package.
type vector struct {
	path   string
	pkg    string // as in names of formats
	header map[string]string
	text   []byte // the content of the file
	data   []byte
}

func goldenFile(t *testing.T, path string) vector {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	header, data, err := hexfile.Parse(string(text))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	pkg := filepath.Base(filepath.Dir(filepath.Dir(filepath.Dir(path))))
	switch header["Proposal"] {
	case "text":
		pkg = "wztext"
	case "binary":
		pkg = "wzbinary"
	}
	return vector{path, pkg, header, text, data}
}

// packages returns the directories of the packages whose formats the program has.
var packages = sync.OnceValue(func() map[string]string {
	dirs := map[string]string{}
	for _, f := range formats.All() {
		pkg, _, _ := strings.Cut(f.Name, ".")
		dir := pkg
		if pkg == "wztext" || pkg == "wzbinary" {
			dir = "wzproposal"
		}
		dirs[pkg] = filepath.Join("../..", dir)
		if nested, err := filepath.Glob(filepath.Join("../../*", dir, "doc.go")); err == nil && len(nested) > 0 {
			dirs[pkg] = filepath.Dir(nested[0])
		}
	}
	return dirs
})

// goldenFiles returns the vectors of all packages.
func goldenFiles(t *testing.T) []vector {
	t.Helper()
	var all []vector
	for pkg, dir := range packages() {
		if pkg == "wzbinary" {
			continue // in the same directory as wztext
		}
		paths, err := filepath.Glob(filepath.Join(dir, "testdata/golden/*.hex"))
		if err != nil || len(paths) == 0 {
			t.Fatalf("golden files of %s: %v, %v", pkg, paths, err)
		}
		for _, path := range paths {
			all = append(all, goldenFile(t, path))
		}
	}
	return all
}

// name returns the MESSAGE of v.
func (v vector) name() string { return v.pkg + "." + v.header["Message"] }

// args returns the arguments that make command read v.
func (v vector) args(command string) []string {
	args := []string{command}
	for _, flag := range []string{"Chunks", "Keys", "Query", "Secret", "Fields"} {
		if value := v.header[flag]; value != "" {
			args = append(args, "-"+strings.ToLower(flag), value)
		}
	}
	if name := v.header["Request"]; name != "" {
		args = append(args, "-request", filepath.Join(filepath.Dir(v.path), name+".hex"))
	}
	for _, flag := range []string{"Challenge", "Part", "NoList"} {
		if v.header[flag] == "yes" {
			args = append(args, "-"+strings.ToLower(flag))
		}
	}
	return append(args, v.name(), v.path)
}

func TestDecodeAgreesWithGoldenFiles(t *testing.T) {
	t.Parallel()
	for _, v := range goldenFiles(t) {
		t.Run(v.pkg+"/"+filepath.Base(v.path), func(t *testing.T) {
			code, stdout, stderr := gamequery(nil, v.args("decode")...)
			explainCode, explained, _ := gamequery(nil, v.args("explain")...)
			if code != explainCode {
				t.Errorf("decode exits with %d, explain with %d", code, explainCode)
			}
			checkExplains(t, v.data, explained)
			want, err := os.ReadFile(strings.TrimSuffix(v.path, ".hex") + ".json")
			if err != nil {
				t.Fatal(err)
			}
			if code != exitOK {
				checkError(t, want, stderr)
				return
			}
			if v.pkg == "bomberman" {
				want = inFrame(t, want)
			}
			if diff := cmp.Diff(string(want), stdout); diff != "" {
				t.Errorf("decode (-want +got):\n%s", diff)
			}
			if v.header["Encoding"] == "differs" {
				return
			}
			code, encoded, stderr := gamequery([]byte(stdout), "encode", v.name())
			if diff := cmp.Diff(v.data, []byte(encoded)); code != exitOK || diff != "" {
				t.Errorf("encode exits with %d, %s (-want +got):\n%s", code, stderr, diff)
			}
		})
	}
}

// The program prints the JSON form that the library gives the message.
func TestDecodePrintsTheFormOfTheLibrary(t *testing.T) {
	const answer = "../../sqp/testdata/golden/answer_latin1.hex"
	m, err := sqp.ParseQueryResponse(goldenFile(t, answer).data, sqp.ChunkServerInfo)
	if err != nil {
		t.Fatal(err)
	}
	line, err := messagejson.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	if err := json.Indent(&want, append(line, '\n'), "", "  "); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := gamequery(nil, "decode", "-chunks", "serverInfo", "sqp.QueryResponse", answer)
	if diff := cmp.Diff(want.String(), stdout); code != exitOK || diff != "" {
		t.Errorf("exit code %d, %s (-library +gamequery):\n%s", code, stderr, diff)
	}
	var back sqp.QueryResponse
	if err := messagejson.Unmarshal([]byte(stdout), &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(m, back); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
}

// inFrame returns the message in the .json of a frame.
func inFrame(t *testing.T, text []byte) []byte {
	t.Helper()
	var frame struct{ Message json.RawMessage }
	var message bytes.Buffer
	if err := json.Unmarshal(text, &frame); err != nil {
		t.Fatal(err)
	}
	if err := json.Indent(&message, frame.Message, "", "  "); err != nil {
		t.Fatal(err)
	}
	message.WriteByte('\n')
	return message.Bytes()
}

// checkError compares the error in the .json of a vector with the printed error.
func checkError(t *testing.T, want []byte, stderr string) {
	t.Helper()
	var e struct {
		Error, Field string
		Offset       int
	}
	if err := json.Unmarshal(want, &e); err != nil || e.Error == "" {
		t.Fatalf("failed with %s, want no error", stderr)
	}
	if e.Field == "" {
		e.Field = "message"
	}
	text := e.Field + " at byte " + strconv.Itoa(e.Offset) + ": " + e.Error
	_, reason, found := strings.Cut(stderr, text)
	if !found || reason != "\n" && !strings.HasPrefix(reason, ": ") || strings.Count(stderr, "\n") != 1 {
		t.Errorf("printed %q, want %q and perhaps a reason", stderr, text)
	}
}

// checkExplains checks that the bytes in an explanation are b.
func checkExplains(t *testing.T, b []byte, explained string) {
	t.Helper()
	_, got, err := hexfile.Parse(explained)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b, got) {
		t.Errorf("explained bytes (-want +got):\n%s", cmp.Diff(b, got))
	}
}

// Files that the README names exist.
func TestReadmeNamesExistingFiles(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	paths := regexp.MustCompile(`\.\./\S+\.hex`).FindAllString(string(text), -1)
	if len(paths) == 0 {
		t.Error("no files are named")
	}
	for _, path := range paths {
		if _, err := os.Stat("../" + path); err != nil {
			t.Error(err)
		}
	}
}
