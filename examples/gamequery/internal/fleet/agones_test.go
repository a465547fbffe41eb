package fleet

import (
	"io"
	"testing"
)

// Without the environment of a Pod, the port of the sidecar is the default.
func TestUsualSidecar(t *testing.T) {
	t.Setenv("AGONES_SDK_HTTP_PORT", "")
	if got, want := NewAgones(io.Discard).url, "http://localhost:9358/health"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
