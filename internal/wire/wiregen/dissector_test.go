package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// The dissector is current.
func TestDissectorIsCurrent(t *testing.T) {
	const root = "../../.."
	got, err := os.ReadFile(filepath.Join(root, dissectorPath))
	if err != nil {
		t.Fatal(err)
	}
	want, err := generateDissector(root)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not current: run go generate ./...", dissectorPath)
	}
}

// Renaming a field in a codec renames it in the dissector.
func TestDissectorRename(t *testing.T) {
	suite.Long(t, "the types of all packages twice")
	root := t.TempDir()
	copyModule(t, root)
	runtime, err := filepath.Glob(filepath.Join("../../..", dissectorRuntime))
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(root, filepath.Dir(dissectorRuntime))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, path := range runtime {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, filepath.Base(path)), source, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for path, rename := range map[string][2]string{
		"sqp/serverinfo.go":       {"`wire:\"map,text8\"`", "`wire:\"level,text8\"`"},
		"gamespy2/sb2/maploop.go": {"`wire:\"change\"`", "`wire:\"next\"`"},
	} {
		path = filepath.Join(root, filepath.FromSlash(path))
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		renamed := bytes.Replace(text, []byte(rename[0]), []byte(rename[1]), 1)
		if bytes.Equal(renamed, text) {
			t.Fatalf("%s: no field to rename", path)
		}
		if err := os.WriteFile(path, renamed, 0o600); err != nil {
			t.Fatal(err)
		}
		code, err := generate(filepath.Dir(path))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(filepath.Dir(path), codeFile), code, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := generateDissector(root)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{
		`{"sqp.serverinfo.level", "string"}`: true, `r:Text8("level")`: true,
		`{"sqp.serverinfo.map", "string"}`: false, `r:Text8("map")`: false,
		`{"sb2.next", "uint32"}`: true, `r:Uint32("next")`: true,
		`{"sb2.change", "uint32"}`: false, `r:Uint32("change")`: false,
	} {
		if bytes.Contains(got, []byte(text)) != want {
			t.Errorf("the dissector has %s: %t, want %t", text, !want, want)
		}
	}
}

// The dissector shows all messages of declared layouts to their ends.
func TestDissectorIsWhole(t *testing.T) {
	got, err := os.ReadFile(filepath.Join("../../..", dissectorPath))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(got, []byte(" ends with code(): ")) {
		t.Error("a decoder ends with code()")
	}
}

// copyModule copies the Go files of the root module, without tests.
func copyModule(t *testing.T, to string) {
	t.Helper()
	const root = "../../.."
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); path != root && (name == "examples" || name == "testdata" || name[0] == '.') {
				return filepath.SkipDir
			}
			return nil
		}
		if name := d.Name(); name != "go.mod" && !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		below, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Join(to, filepath.Dir(below)), 0o700); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, below), text, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
}
