package traffic

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/formats"
	"github.com/lobbywire/lobbywire/internal/hexfile"
)

func TestGuessGolden(t *testing.T) {
	root := "../../.."
	n, pkgs, names, whole := 0, 0, 0, 0
	for _, depth := range []string{"*", "*/*"} {
		files, _ := filepath.Glob(filepath.Join(root, depth, "testdata/golden/*.hex"))
		for _, path := range files {
			text, _ := os.ReadFile(path)
			header, b, err := hexfile.Parse(string(text))
			if err != nil || len(b) == 0 {
				continue
			}
			pkg := filepath.Base(filepath.Dir(filepath.Dir(filepath.Dir(path))))
			if p := header["Proposal"]; p != "" {
				pkg = "wz" + p
			}
			want := pkg + "." + header["Message"]
			f, ok := formats.Named(want)
			if !ok {
				t.Log("no", want)
				continue
			}
			o := formats.DefaultOptions()
			for _, k := range formats.HeaderKeys {
				if v := header[k]; v != "" {
					o.Set(k, v)
				}
			}
			valid := f.Sections(b, o, func(s formats.Section) error { return s.Err }) == nil
			if !valid {
				continue
			}
			n++
			all := GuessFormat(b, formats.DefaultOptions())
			if len(all) == 0 {
				t.Logf("%s: none", path)
				continue
			}
			g := all[0]
			if g.whole {
				whole++
			}
			name := g.Name
			g.Sections(b, g.Options, func(s formats.Section) error { name = s.Name; return nil })
			if protocol(g.Name) == protocol(want) {
				pkgs++
			} else {
				t.Logf("%s: want %s, got %s (%s) strict %v", filepath.Base(path), want, g.Name, name, g.strict)
			}
			if name == want {
				names++
			} else if protocol(g.Name) == protocol(want) && testing.Verbose() {
				t.Logf("  %s: want %s, got %s (%s)", filepath.Base(path), want, g.Name, name)
			}
		}
	}
	t.Log(n, whole, pkgs, names)
	_ = strings.Cut
}
