package fleet

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
)

// An Agones is the sidecar that Agones runs beside each game server. It marks a server
// that does not call its health API in time as unhealthy.
type Agones struct {
	client http.Client
	url    string    // of the health API
	stderr io.Writer // for failures
	failed bool      // the last call failed
}

const (
	agonesPort     = "9358" // of the REST API, unless the environment sets another
	agonesPortName = "AGONES_SDK_HTTP_PORT"

	// agonesTime and maxSidecarAnswer limit a call.
	agonesTime       = time.Second
	maxSidecarAnswer = 4 << 10
)

// NewAgones returns a client of the Agones sidecar on this machine, which writes
// messages to stderr.
func NewAgones(stderr io.Writer) *Agones {
	port := cmp.Or(os.Getenv(agonesPortName), agonesPort)
	return &Agones{
		client: http.Client{Timeout: agonesTime},
		url:    "http://" + net.JoinHostPort("localhost", port) + "/health",
		stderr: stderr,
	}
}

// ReportHealthy calls the health API once. The sidecar may start later than its game
// server, so the next call may succeed. A failure is reported unless the previous call
// failed, too.
func (a *Agones) ReportHealthy(ctx context.Context) {
	err := a.post(ctx)
	if ctx.Err() != nil {
		return
	}
	switch {
	case err != nil && !a.failed:
		fmt.Fprintf(a.stderr, "agones: %s; trying again\n", terminal.Printable(err.Error()))
	case err == nil && a.failed:
		fmt.Fprintln(a.stderr, "agones: the sidecar answers")
	}
	a.failed = err != nil
}

func (a *Agones) post(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, a.url, strings.NewReader("{}"))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := a.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", a.url, resp.Status)
	}
	// The connection is used again if the answer was read to its end.
	_, err = io.Copy(io.Discard, io.LimitReader(resp.Body, maxSidecarAnswer))
	return err
}
