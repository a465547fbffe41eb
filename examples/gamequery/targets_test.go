package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTargets(t *testing.T) {
	for _, tt := range []struct {
		in    string
		want  []string
		usage bool
	}{
		{"127.0.0.1:25600", []string{"127.0.0.1:25600"}, false},
		{"127.0.0.1:65534-65535", []string{"127.0.0.1:65534", "127.0.0.1:65535"}, false},
		{"[::1]:7-8", []string{"[::1]:7", "[::1]:8"}, false},
		{"::1:7", nil, true},
		{"127.0.0.1", nil, true},
		{":7", nil, true},
		{"127.0.0.1:0", nil, true},
		{"127.0.0.1:7-", nil, true},
		{"127.0.0.1:65536", nil, true},
	} {
		one, err := parseTarget(t.Context(), tt.in)
		if (err != nil) != tt.usage {
			t.Errorf("%s: %v", tt.in, err)
		}
		if err != nil {
			continue
		}
		all := newFeed(t.Context(), sourceOf(one))
		var got []string
		for addr := range all.ready(t.Context()) {
			got = append(got, addr.String())
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || int(all.count.Load()) != len(got) {
			t.Errorf("%s: counted %d (-want +got):\n%s", tt.in, all.count.Load(), diff)
		}
	}
}
