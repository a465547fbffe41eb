// Package site builds and serves the files of the page.
package site

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"embed"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire/examples/internal/listing"
)

//go:embed files
var embedded embed.FS

// codecs is the program that decodes in the page.
const codecs = "github.com/lobbywire/lobbywire/examples/decoder/codecs"

// Files are the files of the page, by their names.
type Files map[string][]byte

// Build builds the codecs and returns the files of the page. It needs the go command, in a
// folder of this module.
func Build(ctx context.Context) (Files, error) {
	files := make(Files)
	entries, err := embedded.ReadDir("files")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if files[e.Name()], err = embedded.ReadFile("files/" + e.Name()); err != nil {
			return nil, err
		}
	}
	files["message.css"] = []byte(listing.Style)
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	runtime, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, err
	}
	files["codecs.js"] = append(runtime, files["codecs.js"]...)
	if files["codecs.wasm.gz"], err = buildCodecs(ctx); err != nil {
		return nil, err
	}
	files.addVersion()
	return files, nil
}

// addVersion adds the names of the files, and their version, to the worker that keeps them.
func (f Files) addVersion() {
	hash := sha256.New()
	names := []string{"./"} // index.html, for which some hosts answer with a redirect
	for _, name := range slices.Sorted(maps.Keys(f)) {
		fmt.Fprintf(hash, "%s %d\n%s", name, len(f[name]), f[name])
		if name != "index.html" && name != "worker.js" {
			names = append(names, name)
		}
	}
	list := strings.Join(names, `", "`)
	f["worker.js"] = fmt.Appendf(f["worker.js"], "\nconst version = \"%x\", names = [\"%s\"];\n", hash.Sum(nil)[:8], list)
}

// buildCodecs returns the codecs as WebAssembly, compressed. They are smaller without symbols,
// which only debuggers need, and without inlining. GOFLAGS may contain -race, which
// WebAssembly does not support.
func buildCodecs(ctx context.Context) ([]byte, error) {
	dir, err := os.MkdirTemp("", "decoder")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "codecs.wasm")
	build := exec.CommandContext(ctx, "go", "build", "-race=false", "-trimpath", "-buildvcs=false",
		"-gcflags=all=-l", "-ldflags=-s -w", "-o", name, codecs)
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, out)
	}
	program, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(program); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

// policy is the policy of the page, see index.html, which other pages may not show in a frame.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; " +
	"worker-src 'self' blob:; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types workers"

// contentTypes are the types of files by the ends of their names.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
	".gz":   "application/octet-stream",
}

// ServeHTTP serves the files.
func (f Files) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" {
		name = "index.html"
	}
	data, found := f[name]
	if !found {
		http.NotFound(w, r)
		return
	}
	h.Set("Content-Type", contentTypes[path.Ext(name)])
	h.Set("Cache-Control", "no-cache")
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
}
