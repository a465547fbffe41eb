package cluster

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// All nodes can have the same list of peers. A node finds itself in it by any of its
// addresses.
func TestNodeFindsItselfAmongPeers(t *testing.T) {
	suite.Localhost(t)
	others := []string{"198.51.100.2:6222", "198.51.100.3:6222"}
	for _, tt := range []struct{ self, inList string }{
		{"198.51.100.1:6222", "198.51.100.1:6222"},
		{"127.0.0.1:6222", "localhost:6222"},
		{"localhost:6222", "127.0.0.1:6222"},
		{":6222", "127.0.0.1:6222"},
		{"0.0.0.0:6222", "localhost:6222"},
		{"[::]:6222", "127.0.0.1:6222"},
		{"[::]:6222", ":6222"},
		{"198.51.100.1:6222", "198.51.100.2:6222"}, // it has only the others, one twice
	} {
		got, err := peersOf(tt.self, append([]string{tt.inList}, others...))
		if diff := cmp.Diff(others, got); diff != "" || err != nil {
			t.Errorf("%s, %s: %v %s", tt.self, tt.inList, err, diff)
		}
	}
	for _, other := range []string{"127.0.0.1:6223", "127.0.0.2:6222"} {
		if got, err := peersOf("127.0.0.1:6222", []string{other}); err != nil || len(got) != 1 {
			t.Errorf("%s: %q, %v", other, got, err)
		}
	}
}
