// Package version describes the running version of a program.
package version

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// Text returns the version of the program, of Go and of the system, such as
// "v0.1.0, go1.26.8, linux/amd64". A program that was built from a clone without a version has
// its commit, and one without version control the version "(devel)".
func Text() string {
	info, _ := debug.ReadBuildInfo()
	return fmt.Sprintf("%s, %s, %s/%s", of(info), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// of returns the version or the commit of a program. Without either, or if info is nil, it returns
// "(devel)".
func of(info *debug.BuildInfo) string {
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
