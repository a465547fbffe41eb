package traffic

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/capture"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
	"github.com/lobbywire/lobbywire/internal/hexfile"
	"github.com/lobbywire/lobbywire/internal/test/golden"
)

// eachGolden calls do with each golden file that is valid, and the name of its package.
func eachGolden(t *testing.T, do func(path, pkg string, header map[string]string, b []byte)) {
	t.Helper()
	const root = "../../.."
	pkgs, err := golden.Packages(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range pkgs {
		files, err := filepath.Glob(filepath.Join(root, pkg, "testdata/golden/*.hex"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range files {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			header, b, err := hexfile.Parse(string(text))
			if err != nil {
				t.Fatal(err)
			}
			do(path, filepath.Base(pkg), header, b)
		}
	}
}

// The protocol of nine in ten golden messages is found from their bytes alone, and all
// messages are explained. The others are so short that several protocols fit.
func TestGuessFindsGoldenMessages(t *testing.T) {
	valid, found := 0, 0
	eachGolden(t, func(path, pkg string, header map[string]string, b []byte) {
		meant := formats.Meant(header["Message"], pkg, header["Proposal"])[0]
		if isUnknown(meant.Name) || slices.Contains(notGuessed, meant.Name) ||
			!guess(meant, b, formats.DefaultOptions()).Accepts() {
			return
		}
		valid++
		all := GuessFormat(b, formats.DefaultOptions())
		if len(all) == 0 || !all[0].Accepts() {
			t.Errorf("%s: no format", path)
			return
		}
		if protocol, _, _ := strings.Cut(meant.Name, "."); strings.HasPrefix(all[0].Name, protocol+".") {
			found++
		}
	})
	if valid < 400 || found*10 < valid*9 {
		t.Errorf("%d of %d protocols found", found, valid)
	}
}

// A broken message is explained as the message that it starts like, and bytes that start
// like no message are not explained.
func TestGuessFindsBrokenMessages(t *testing.T) {
	all := GuessFormat([]byte("\xfe\xfd\x00\x01\x02\x03"), formats.DefaultOptions())
	if len(all) == 0 || all[0].Accepts() || all[0].Name != "gamespy2.Request" {
		t.Errorf("%d guesses, the best %s", len(all), all[0].Name)
	}
	for _, g := range GuessFormat([]byte("\xee\xee\xee\xee\xee\xee\xee"), formats.DefaultOptions()) {
		if g.Accepts() && g.doubt < 2 {
			t.Errorf("%s accepts anything", g.Name)
		}
	}
}

// A message that is too large fits as far as its start does, not up to the limit of its size.
func TestTooLargeMessagesFitAsTheirStart(t *testing.T) {
	request, _ := formats.Named("gamespy2.Request")
	keys := "\xc8" + strings.Repeat("\x01", 200)
	for text, want := range map[string]int{
		"\xfe\xfd\x00\x01\x02\x03\x04" + keys + keys + "\x00": len("\xfe\xfd\x00\x01\x02\x03\x04" + keys),
		strings.Repeat("\xaa", 300):                           0,
	} {
		if r := try(request, capture.Sent{Data: []byte(text)}, formats.DefaultOptions()); r.reach < want || r.reach > want+1 {
			t.Errorf("%.8q: the first %d, want %d", text, r.reach, want)
		}
	}
}
