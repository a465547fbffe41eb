package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// commands returns the arguments of the commands in the README that run this program.
func commands(t *testing.T) (all [][]string) {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if args, ok := strings.CutPrefix(line, "go -C examples run ./decoder"); ok {
			all = append(all, strings.Fields(args))
		}
	}
	return all
}

// The commands of the README serve the page, and write its files to a folder. Both contain
// the same files, which are the files that index.html loads.
func TestREADMECommandsServeThePage(t *testing.T) {
	all := commands(t)
	if len(all) != 2 || slices.Contains(all[0], "-o") || !slices.Contains(all[1], "-o") {
		t.Fatalf("%q", all)
	}
	suite.Long(t, "the go command, to build the codecs")
	t.Chdir("..")
	folder := t.TempDir()
	if err := run(t.Context(), append(all[1], "-o", folder), io.Discard); err != nil {
		t.Fatal(err)
	}
	page := serve(t, append(all[0], "-listen", "127.0.0.1:0"))
	names := []string{"index.html", "message.css", "page.css", "page.js", "codecs.js", "worker.js", "icon.svg",
		"codecs.wasm.gz"}
	for _, name := range names {
		written, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if got := get(t, page+name); got != string(written) || got == "" {
			t.Errorf("%s has %d bytes, and %d in the folder", name, len(got), len(written))
		}
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != len(names) {
		t.Errorf("%d files, %v", len(entries), err)
	}
	packed, err := os.Open(filepath.Join(folder, "codecs.wasm.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	if _, err := gzip.NewReader(packed); err != nil {
		t.Error(err)
	}
}

// serve runs the program until the end of the test, and returns the address of the page.
func serve(t *testing.T, args []string) string {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	r, w := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := run(ctx, args, w)
		w.CloseWithError(io.EOF)
		ended <- err
	}()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	line, err := bufio.NewReader(r).ReadString('\n')
	page, ok := strings.CutPrefix(strings.TrimSpace(line), "The page is at ")
	if err != nil || !ok {
		t.Fatalf("%q, error %v", line, err)
	}
	return page
}

func get(t *testing.T, url string) string {
	t.Helper()
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Errorf("%s: %s, error %v", url, answer.Status, err)
	}
	return string(body)
}

// Wrong arguments are errors.
func TestRefusesWrongArguments(t *testing.T) {
	for _, args := range [][]string{{"folder"}, {"-x"}, {"-listen"}} {
		if err := run(t.Context(), args, io.Discard); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}
