package terminal

import (
	"bytes"
	"testing"
)

func TestEnvironmentMayForbidColours(t *testing.T) {
	for _, tt := range []struct {
		noColor, term string
		want          bool
	}{{"", "xterm-256color", true}, {"", "", true}, {"1", "xterm", false}, {"", "dumb", false}} {
		env := map[string]string{"NO_COLOR": tt.noColor, "TERM": tt.term}
		if got := allowsColours(func(name string) string { return env[name] }); got != tt.want {
			t.Errorf("NO_COLOR=%q TERM=%q: %v", tt.noColor, tt.term, got)
		}
	}
	if got := ScreenOf(new(bytes.Buffer)); got != (Screen{}) {
		t.Errorf("no terminal: %+v", got)
	}
}
