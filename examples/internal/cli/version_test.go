package cli

import (
	"runtime/debug"
	"testing"
)

func TestVersionOfNamesTagOrCommit(t *testing.T) {
	at := func(revision, modified string) []debug.BuildSetting {
		return []debug.BuildSetting{{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: revision},
			{Key: "vcs.modified", Value: modified}}
	}
	const commit = "0123456789abcdef0123456789abcdef01234567"
	for _, tt := range []struct {
		info *debug.BuildInfo
		want string
	}{
		{nil, "(devel)"},
		{&debug.BuildInfo{}, "(devel)"},
		{&debug.BuildInfo{Main: debug.Module{Version: "v0.1.0"}, Settings: at(commit, "false")}, "v0.1.0"},
		{&debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, "(devel)"},
		{&debug.BuildInfo{Main: debug.Module{Version: "(devel)"}, Settings: at(commit, "false")}, "commit 0123456789ab"},
		{&debug.BuildInfo{Settings: at(commit, "true")}, "commit 0123456789ab with changes"},
		{&debug.BuildInfo{Settings: at("0123", "false")}, "commit 0123"},
	} {
		if got := versionOf(tt.info); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.info, got, tt.want)
		}
	}
}
