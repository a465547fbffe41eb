package fleet

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
)

// Each port of a range is a server, and each server is watched once.
func TestEachServerIsWatchedOnce(t *testing.T) {
	sqp, _ := protocols.Named("sqp")
	swat4, _ := protocols.Named("swat4")
	for _, tt := range []struct {
		protocol protocols.Protocol
		targets  []string
		want     []string // nil if the last one is invalid
	}{
		{sqp, []string{"192.0.2.1:7-9", "192.0.2.1:8", "[2001:db8::1]:7"},
			[]string{"192.0.2.1:7", "192.0.2.1:8", "192.0.2.1:9", "[2001:db8::1]:7"}},
		{swat4, []string{"game.example", "game.example:10490", "2001:db8::1"},
			[]string{"game.example", "game.example:10490", "2001:db8::1"}},
		{sqp, []string{"game.example"}, nil},
	} {
		f := New(tt.protocol, protocols.Settings{})
		var err error
		for _, target := range tt.targets {
			err = f.Add(target)
		}
		var got []string
		for _, s := range f.Servers {
			got = append(got, s.name)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || (err == nil) != (tt.want != nil) {
			t.Errorf("%q: %v (-want +got):\n%s", tt.targets, err, diff)
		}
	}
}

// All servers of a fleet larger than the number of concurrent queries are queried.
func TestLargeFleetIsQueriedWhole(t *testing.T) {
	sqp, _ := protocols.Named("sqp")
	f := New(sqp, protocols.Settings{Chunks: 1, Timeout: 10 * time.Millisecond, Attempts: 1})
	if err := f.Add("127.0.0.1:1"); err != nil {
		t.Fatal(err)
	}
	f.Servers = slices.Repeat(f.Servers, maxAsked+10)
	f.Ask(t.Context())
	var asked uint64
	for _, n := range f.Servers[0].failures {
		asked += n
	}
	if asked != maxAsked+10 {
		t.Errorf("asked %d, want %d", asked, maxAsked+10)
	}
}
