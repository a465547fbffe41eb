package tour

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// Long fields and listings are cut, and a line states how much is missing.
func TestBytesOfTheTourAreShort(t *testing.T) {
	long := strings.Repeat("ab ", 16) + `# 0+40 text = "` + strings.Repeat("x", 80) + "\"\n" +
		strings.Repeat("ab ", 16) + "\n"
	var got bytes.Buffer
	writeShort(&got, "# title\n"+strings.Repeat(long, tourLines)+"01 # 900+1 last\n")
	all := slices.Collect(strings.Lines(got.String()))
	if len(all) != tourLines || all[0] != "# title\n" || all[tourLines-1] != "# and 3 more lines\n" {
		t.Fatalf("%d lines:\n%s", len(all), &got)
	}
	want := "ab ab ab ab ab ab ab ab .. # 0+40 text = \"" + strings.Repeat("x", 37) + "…\n"
	if all[1] != want {
		t.Errorf("%q, want %q", all[1], want)
	}
}
