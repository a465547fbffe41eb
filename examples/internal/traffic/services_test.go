package traffic

import (
	"slices"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/formats"
)

// Every format of a service exists.
func TestDialectsHaveFormats(t *testing.T) {
	for _, d := range services() {
		for _, name := range slices.Concat(d.requests, d.answers) {
			if _, ok := formats.Named(name); !ok {
				t.Errorf("%s: %s is no format", d.name, name)
			}
		}
	}
}
