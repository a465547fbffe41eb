package lifecycle

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"testing"
)

// A failure is a warning once for each reason, whatever its ports.
func TestFailureIsAWarningOnce(t *testing.T) {
	refused := func(port int) error {
		return &net.OpError{Op: "read", Source: &net.TCPAddr{Port: port}, Err: errors.New("refused")}
	}
	noAnswer := func(port int) error {
		return fmt.Errorf("failed: %w", &net.DNSError{Name: "a.example", Err: fmt.Sprint("timeout at port ", port)})
	}
	noName := &net.DNSError{Name: "a.example", Err: "no such host", IsNotFound: true}
	otherName := &net.DNSError{Name: "b.example", Err: "no such host", IsNotFound: true}
	var trouble Trouble
	var out bytes.Buffer
	for i, tt := range []struct {
		err  error
		want string // the level
	}{
		{nil, ""},
		{noAnswer(1), "WARN"}, {noAnswer(2), ""}, {noName, "WARN"}, {noName, ""}, {otherName, "WARN"}, {nil, "INFO"},
		{nil, ""},
		{noName, "WARN"}, {refused(1), "WARN"}, {refused(2), ""}, {errors.New("full"), "WARN"},
		{errors.New("full"), ""}, {nil, "INFO"},
	} {
		out.Reset()
		logger := slog.New(slog.NewTextHandler(&out, nil))
		if tt.err == nil {
			trouble.Over(t.Context(), logger, "over", slog.Int("number", i))
		} else {
			trouble.Failed(t.Context(), logger, "failed", tt.err, slog.Int("number", i))
		}
		got := out.String()
		if (got == "") != (tt.want == "") || !strings.Contains(got, "level="+tt.want) && tt.want != "" ||
			tt.want != "" && !strings.Contains(got, fmt.Sprint("number=", i)) {
			t.Errorf("%d: %v is logged as %q, want %q", i, tt.err, got, tt.want)
		}
	}
	trouble.Failed(t.Context(), nil, "failed", noName)
	trouble.Over(t.Context(), nil, "over")
}
