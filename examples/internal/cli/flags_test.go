package cli_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/examples/internal/cli"
)

func TestFlagsTakeOneDashOrTwo(t *testing.T) {
	got := cli.DoubleDashes([]string{"decode", "-hex", "--strict", "-h", "-", "-1x", "--", "-hex"})
	want := []string{"decode", "--hex", "--strict", "-h", "-", "-1x", "--", "-hex"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
