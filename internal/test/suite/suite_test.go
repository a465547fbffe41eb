package suite_test

import (
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/internal/test/querytools"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// A recorder records how a test ends.
type recorder struct {
	testing.TB
	end string
}

func (r *recorder) Skipf(format string, args ...any)  { r.stop("skip", format, args) }
func (r *recorder) Fatalf(format string, args ...any) { r.stop("fail", format, args) }

func (r *recorder) stop(end, format string, args []any) {
	r.end = end + ": " + fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// end returns how a test ends.
func end(t *testing.T, test func(t testing.TB)) string {
	r := &recorder{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		test(r)
	}()
	<-done
	return r.end
}

// Long tests are skipped in the short suite. In the long one they run, and what is missing
// fails them.
func TestMissingProgramFailsLongSuite(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	missing := "fail: $LOBBYWIRE_LONG is set, but: "
	for _, tt := range []struct {
		name, short, long string
		test              func(t testing.TB)
	}{
		{"nothing", "", "", func(testing.TB) {}},
		{"time", "skip: needs a minute", "", func(t testing.TB) { suite.Long(t, "a minute") }},
		{"program", "skip: needs one or two", missing + "one or two is not installed",
			func(t testing.TB) { suite.Program(t, "one", "two") }},
		{"library", "skip: needs one", missing + "one -v fails: ",
			func(t testing.TB) { suite.Success(t, exec.Command("one", "-v")) }},
		{"tool", "skip: needs qstat", missing + "quakestat: ",
			func(t testing.TB) { suite.Tool(t, querytools.Qstat("-gs2")) }},
		{"else", "skip: no terminal", missing + "no terminal",
			func(t testing.TB) { suite.Missing(t, "no %s", "terminal") }},
	} {
		for variable, want := range map[string]string{"": tt.short, "1": tt.long} {
			t.Setenv(suite.Variable, variable)
			if got := end(t, tt.test); !strings.HasPrefix(got, want) || (got == "") != (want == "") {
				t.Errorf("%s, $%s=%q: %q, want %q", tt.name, suite.Variable, variable, got, want)
			}
		}
	}
}
