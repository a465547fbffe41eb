package fleet

import (
	"context"
	"fmt"
	"io"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
	"github.com/lobbywire/lobbywire/examples/internal/agones"
)

// An Agones reports health to the sidecar of Agones.
type Agones struct {
	sidecar *agones.Sidecar
	stderr  io.Writer // for failures
	failed  bool      // the last call failed
}

// NewAgones returns a client of the Agones sidecar on this machine, which writes
// messages to stderr.
func NewAgones(stderr io.Writer) *Agones { return &Agones{sidecar: agones.New(), stderr: stderr} }

// ReportHealthy calls the health API once. The sidecar may start later than its game
// server, so the next call may succeed. A failure is reported unless the previous call
// failed, too.
func (a *Agones) ReportHealthy(ctx context.Context) {
	err := a.sidecar.Health(ctx)
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
