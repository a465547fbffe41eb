// Package needs skips tests on machines that lack what they need: a program of another
// project, its libraries, a terminal, IPv6, or the name localhost.
//
// Where all of that is installed, as it is for .ci/run, $LOBBYWIRE_ALL_INSTALLED is not
// empty, and such tests fail.
package needs

import (
	"net"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Variable is the environment variable that makes tests fail in place of being skipped.
const Variable = "LOBBYWIRE_ALL_INSTALLED"

// Missing skips t, and says what is missing.
func Missing(t testing.TB, format string, args ...any) {
	t.Helper()
	if os.Getenv(Variable) != "" {
		t.Fatalf("$"+Variable+" is set, but: "+format, args...)
	}
	t.Skipf(format, args...)
}

// Program returns the path of the first of some programs that is installed.
func Program(t testing.TB, names ...string) string {
	t.Helper()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	Missing(t, "%s is not installed", strings.Join(names, " or "))
	return ""
}

// Success runs a command that tries whether programs work as a test needs it: with their
// libraries, in a version that has what the test uses. If the command fails, that is missing.
func Success(t testing.TB, cmd *exec.Cmd) {
	t.Helper()
	if out, err := cmd.CombinedOutput(); err != nil {
		Missing(t, "%s fails: %v: %s", strings.Join(cmd.Args, " "), err, out)
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
