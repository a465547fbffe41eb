package needs_test

import (
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/internal/test/needs"
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

// end returns how a test with these needs ends.
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

// A test is skipped with what is missing, and fails where everything is installed.
func TestMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, tt := range []struct {
		name, want string
		test       func(t testing.TB)
	}{
		{"nothing", "", func(testing.TB) {}},
		{"program", "one or two is not installed", func(t testing.TB) { needs.Program(t, "one", "two") }},
		{"library", "one -v fails: ", func(t testing.TB) { needs.Success(t, exec.Command("one", "-v")) }},
	} {
		for variable, start := range map[string]string{"": "skip: ", "1": "fail: $LOBBYWIRE_ALL_INSTALLED is set, but: "} {
			t.Setenv(needs.Variable, variable)
			if tt.want == "" {
				start = ""
			}
			if got := end(t, tt.test); !strings.HasPrefix(got, start+tt.want) || (got == "") != (tt.want == "") {
				t.Errorf("%s, $%s=%q: %q, want %q", tt.name, needs.Variable, variable, got, start+tt.want)
			}
		}
	}
}
