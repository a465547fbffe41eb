package registrations

import (
	"context"
	"sync"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
)

// WZHTTP returns a registration with a lobby of Warzone 4.7, at a URL. The game must answer
// the lobby, which checks that it can be reached, at the port of the state. If the state has
// none, that is the usual port of Warzone.
func WZHTTP(lobby string) *Registration {
	w := &webHost{lobby: lobby, host: &wzhttpnet.Host{Addr: lobby}}
	return &Registration{
		Protocol: "wzhttp", Master: lobby, run: w.run, status: w.status,
		complete: make(chan struct{}, 1), setView: w.setView,
	}
}

// A webHost keeps a game in the list of an HTTP lobby. The lobby gets the port when the game
// is announced, so a game at another port is announced again, by another Host.
type webHost struct {
	lobby string

	mu    sync.Mutex
	host  *wzhttpnet.Host
	leave context.CancelFunc // ends Run of host; nil before the first
}

func (w *webHost) setView(v lobbywire.View) (missing string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if v.Port != w.host.Port {
		w.host = &wzhttpnet.Host{Addr: w.lobby, Port: v.Port}
		if w.leave != nil {
			w.leave()
		}
	}
	w.host.SetView(v)
	return ""
}

// run runs the latest Host until ctx is done or the Host fails.
func (w *webHost) run(ctx context.Context) error {
	for ctx.Err() == nil {
		here, leave := context.WithCancel(ctx)
		w.mu.Lock()
		host := w.host
		w.leave = leave
		w.mu.Unlock()
		err := host.Run(here)
		hasMoved := here.Err() != nil
		leave()
		if !hasMoved {
			return err
		}
	}
	return ctx.Err()
}

func (w *webHost) status() lobbywire.RegistrationStatus {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.host.Status()
}
