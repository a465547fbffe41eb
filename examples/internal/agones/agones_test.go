package agones

import "testing"

// Without the environment of a Pod, the port of the sidecar is the default.
func TestPortOfTheSidecarHasADefault(t *testing.T) {
	t.Setenv(portVariable, "")
	if got, want := New().url, "http://localhost:9358"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
