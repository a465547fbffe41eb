package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// Version returns the version of the program, of Go and of the system, such as "v0.1.0,
// go1.26.8, linux/amd64". If a program was built from a clone without a version, the version
// is its commit; without version control, it is "(devel)".
func Version() string {
	info, _ := debug.ReadBuildInfo()
	return fmt.Sprintf("%s, %s, %s/%s", versionOf(info), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// versionOf returns the version or the commit of a program. Without either, or if info is
// nil, it returns "(devel)".
func versionOf(info *debug.BuildInfo) string {
	const unknown = "(devel)"
	if info == nil {
		return unknown
	}
	if v := info.Main.Version; v != "" && v != unknown {
		return v
	}
	commit, changed := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = " with changes"
		}
	}
	if commit == "" {
		return unknown
	}
	const short = 12
	return "commit " + commit[:min(short, len(commit))] + changed
}
