package site_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/examples/internal/browsertest"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/internal/hexfile"
	"github.com/lobbywire/lobbywire/internal/test/golden"
)

const root = "../../../.."

// The page shows each golden file as the codecs explain it.
func TestPageShowsGoldenFiles(t *testing.T) {
	b := browse(t)
	pkgs, err := golden.Packages(root)
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	for _, pkg := range pkgs {
		paths, err := filepath.Glob(filepath.Join(root, pkg, "testdata/golden/*.hex"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			name, want := native(t, pkg, path)
			dropped := []file{read(t, path)}
			if request := header(t, path)["Request"]; request != "" {
				dropped = append(dropped, read(t, filepath.Join(filepath.Dir(path), request+".hex")))
			}
			got := b.read(dropped, name)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s (-codecs +page):\n%s", path, diff)
			}
			shown++
		}
	}
	if shown < 700 {
		t.Errorf("%d golden files", shown)
	}
	b.Clean()
}

// A file is a file that is dropped on the page.
type file struct{ Name, Text string }

func read(t *testing.T, path string) file {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return file{filepath.Base(path), string(text)}
}

func header(t *testing.T, path string) map[string]string {
	t.Helper()
	h, _, err := hexfile.Parse(read(t, path).Text)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// read lets the page read files as messages of a format, and returns the rows and errors of the
// tables that it shows.
func (b tab) read(all []file, format string) []string {
	b.T.Helper()
	return browsertest.Eval[[]string](b.Tab, `(async () => {
		document.getElementById("message").value = `+browsertest.JSON(b.T, format)+`;
		await read(`+browsertest.JSON(b.T, all)+`.map((f) => new File([f.Text], f.Name)));
		return `+tables+`;
	})()`)
}

// tables is an expression for the rows and errors of the tables.
const tables = `[...document.querySelectorAll("#fields tbody tr")].map((row) =>
	[...row.cells].map((c) => c.textContent).join("|"))`

// native returns the name of the format of a golden file, and the rows and errors of the
// tables that the page must show for it.
func native(t *testing.T, pkg, path string) (name string, rows []string) {
	t.Helper()
	h, data, err := hexfile.Parse(read(t, path).Text)
	if err != nil {
		t.Fatal(err)
	}
	f := formats.Meant(h["Message"], filepath.Base(pkg), h["Proposal"])[0]
	o := formats.DefaultOptions()
	for _, key := range formats.HeaderKeys {
		if value := h[key]; value != "" {
			if err := o.Set(key, value); err != nil {
				t.Fatal(err)
			}
		}
	}
	if h["Request"] != "" {
		_, request, err := hexfile.Parse(read(t, filepath.Join(filepath.Dir(path), h["Request"]+".hex")).Text)
		if err != nil {
			t.Fatal(err)
		}
		if o.ServerBrowsing.Request, err = sb2.ParseListRequest(request); err != nil {
			t.Fatal(err)
		}
	}
	err = f.Sections(data, o, func(s formats.Section) error {
		for _, field := range s.Fields {
			bytes := fmt.Sprintf("% x", data[field.Offset:][:min(field.Length, 16)])
			if field.Length > 16 {
				bytes += " …"
			}
			rows = append(rows, fmt.Sprintf("%s|%d+%d|%s|%s", bytes, field.Offset, field.Length, field.Name, field.Value))
		}
		if s.Err != nil {
			rows = append(rows, s.Err.Error())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return f.Name, rows
}
