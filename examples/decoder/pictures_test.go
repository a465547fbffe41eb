package main

import (
	"image"
	_ "image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// The command of the README draws pictures of the same size as its pictures.
func TestREADMECommandDrawsPictures(t *testing.T) {
	suite.Program(t, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var command string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "DECODER_SCREENSHOTS=$PWD/") {
			command = line
		}
	}
	clone := t.TempDir() // the command draws here, not in this clone
	folder := filepath.Join(clone, "examples/decoder")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	run := exec.CommandContext(t.Context(), "sh", "-ec", "PWD="+clone+"\n"+command)
	run.Dir = "../.."
	run.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -race=false")
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", command, err, out)
	}
	for _, name := range []string{"page-light.png", "page-dark.png"} {
		if want, got := sizeOf(t, name), sizeOf(t, filepath.Join(folder, name)); got != want {
			t.Errorf("%s has the size %v, and that of the README %v", name, got, want)
		}
	}
}

// sizeOf returns the size of a picture.
func sizeOf(t *testing.T, name string) image.Point {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	picture, _, err := image.DecodeConfig(f)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return image.Pt(picture.Width, picture.Height)
}
