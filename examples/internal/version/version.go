// Package version describes the running version of a program.
package version

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// Text returns the version of the program, of Go and of the system, such as
// "v0.1.0, go1.26.8, linux/amd64". A program that was built from a checkout
// without version control has the version "(devel)".
func Text() string {
	version := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		version = info.Main.Version
	}
	return fmt.Sprintf("%s, %s, %s/%s", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
