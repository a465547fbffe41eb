package registrations

import (
	"context"
	"net"
	"slices"
	"sync"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
)

// Bomberman returns a registration with a management server.
func Bomberman(master string) *Registration {
	var d dialed
	task := &bombermannet.Registrar{Addr: master, Dial: d.dial}
	return &Registration{
		Protocol: "bomberman", Master: master, run: task.Run, complete: make(chan struct{}, 1),
		setView: func(v lobbywire.View) string {
			changed := task.SetView(v)
			if v.Host == "" || slices.Contains(changed, "host") || slices.Contains(changed, "port") {
				return "the list needs a host and a port, which is not 51963"
			}
			return ""
		},
		stands: func() (Standing, string) {
			err := d.failed()
			switch {
			case task.Stats().Connected:
				return Listed, ""
			case err != nil:
				return Unreachable, err.Error()
			}
			return Starting, ""
		},
	}
}

// A dialed dials, and keeps the error of the last connection.
type dialed struct {
	mu  sync.Mutex
	err error
}

func (d *dialed) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	c, err := new(net.Dialer).DialContext(ctx, network, addr)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.err = err
	return c, err
}

func (d *dialed) failed() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.err
}
