// Package suite chooses which tests run, and measures their memory.
//
// A test that takes long, or runs a program of another project, calls Long or Program. It is
// skipped unless $LOBBYWIRE_LONG is not empty, as in .ci/run. Then a program that is missing
// fails the test, and so does anything else the machine lacks: libraries, a terminal, IPv6, or
// the name localhost.
package suite

import (
	"flag"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/lobbywire/lobbywire/internal/test/querytools"
)

// Variable is the environment variable that makes long tests run.
const Variable = "LOBBYWIRE_LONG"

// IsLong reports whether long tests run.
func IsLong() bool {
	return os.Getenv(Variable) != ""
}

// Pick returns the value for the short or for the long suite, such as a number of rounds.
func Pick[T any](short, long T) T {
	if IsLong() {
		return long
	}
	return short
}

// Waits is for the TestMain of a package whose parallel tests wait for most of their time. Up
// to 8 run at once, unless the flag -parallel is given.
func Waits() {
	const name, parallel = "test.parallel", "8"
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == name })
	if !given {
		_ = flag.Set(name, parallel) // a flag of package testing
	}
}

// announce prints, once for each package, how to run the skipped tests.
var announce = sync.OnceFunc(func() {
	fmt.Println("long tests are skipped; " + Variable + "=1 go test runs them")
})

// Long skips t unless long tests run. needs is the reason, such as time or a program.
func Long(t testing.TB, needs string) {
	t.Helper()
	if !IsLong() {
		announce()
		t.Skipf("needs %s, and $%s", needs, Variable)
	}
}

// Missing skips t because the machine lacks something, or fails it if long tests run.
func Missing(t testing.TB, format string, args ...any) {
	t.Helper()
	if IsLong() {
		t.Fatalf("$"+Variable+" is set, but: "+format, args...)
	}
	t.Skipf(format, args...)
}

// Program returns the path of the first of some programs that is installed. Tests that run
// programs are long.
func Program(t testing.TB, names ...string) string {
	t.Helper()
	list := strings.Join(names, " or ")
	Long(t, list)
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	Missing(t, "%s is not installed", list)
	return ""
}

// Success runs a command that checks whether programs work as a test needs them: with their
// libraries, and in a version with the features that it uses. If the command fails, they
// count as missing.
func Success(t testing.TB, cmd *exec.Cmd) {
	t.Helper()
	Long(t, cmd.Path)
	if out, err := cmd.CombinedOutput(); err != nil {
		Missing(t, "%s fails: %v: %s", strings.Join(cmd.Args, " "), err, out)
	}
}

// Tool is for tests that run a query tool of another project.
func Tool(t testing.TB, tool querytools.Tool) {
	t.Helper()
	Long(t, tool.Name)
	if err := tool.Installed(t.Context()); err != nil {
		Missing(t, "%v", err)
	}
}

// IPv6 is for tests that use the address ::1: some containers have IPv4 only.
func IPv6(t testing.TB) {
	t.Helper()
	pc, err := net.ListenPacket("udp6", "[::1]:0")
	if err != nil {
		Missing(t, "no IPv6: %v", err)
	}
	pc.Close()
}

// Localhost is for tests that use the name localhost: some containers lack it.
func Localhost(t testing.TB) {
	t.Helper()
	found, err := net.DefaultResolver.LookupNetIP(t.Context(), "ip4", "localhost")
	if err != nil || len(found) == 0 || found[0].Unmap() != netip.AddrFrom4([4]byte{127, 0, 0, 1}) {
		Missing(t, "localhost is not the name of 127.0.0.1: %v, %v", found, err)
	}
}
