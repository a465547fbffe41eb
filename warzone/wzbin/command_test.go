package wzbin_test

import (
	"testing"

	"github.com/lobbywire/lobbywire/warzone/wzbin"
)

func TestCommandString(t *testing.T) {
	want := [...]string{
		"command(0)", "list", "openGame", "startGame", "closeGame", "count", "game", "done", "error", "command(9)",
	}
	for c, want := range want {
		if got := wzbin.Command(c).String(); got != want {
			t.Errorf("command %d is called %q, want %q", c, got, want)
		}
	}
}
